// Mouse and touch in the picture: a click selects, a double click follows, and a body is pulled with a spring: with a key
// held down, or by a finger that rests on it for a moment.

import * as THREE from "three";
import type { Vec } from "./model";
import type { Overlays } from "./overlays";
import type { Source } from "./source";
import type { Stage } from "./stage";

/** A pointer that moves less between down and up has clicked, px. */
const CLICK = 4;
/** The same for a finger, px. */
const TAP = 10;
/** A finger that rests this long on a body pulls it, ms. */
const HOLD = 400;

export interface PointerActions {
  select: (body: number | null) => void;
  follow: (body: number) => void;
  /** The view was moved by hand. */
  moved: () => void;
  /** True while a run is computed. */
  running: () => boolean;
  /** True if bodies can be pulled; otherwise a person is told why not. */
  mayPull: () => boolean;
}

export class Pointer {
  /** The body that is pulled, where in its frame, and the plane in which the pointer moves. */
  private dragging: { body: number; local: Vec; plane: THREE.Plane } | null = null;
  private readonly pullTarget = new THREE.Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly source: Source,
    private readonly overlays: Overlays,
    private readonly act: PointerActions,
  ) {
    this.listen();
  }

  private listen(): void {
    const canvas = this.stage.renderer.domElement;
    let down: { x: number; y: number } | null = null;
    const place = (event: PointerEvent) => {
      const { left, top } = canvas.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const pull = (event: PointerEvent, at: { x: number; y: number }) => {
      if (!this.beginPull(at)) return;
      this.stage.controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
    };
    // Before the controls see it: a pulled body must not turn the view.
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        clearTimeout(resting);
        if (!event.isPrimary) {
          // A second finger moves the view.
          down = null;
          return;
        }
        const at = (down = place(event));
        if (event.pointerType === "touch") {
          if (this.act.running()) resting = setTimeout(() => pull(event, at), HOLD);
        } else if (event.button === 0 && (event.ctrlKey || event.altKey || event.metaKey)) {
          pull(event, at);
          if (this.dragging) event.preventDefault();
        }
      },
      { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => {
      const at = place(event);
      if (this.dragging && event.isPrimary) this.movePull(at);
      else if (down && Math.hypot(at.x - down.x, at.y - down.y) > TAP) clearTimeout(resting);
    });
    canvas.addEventListener("pointerup", (event) => {
      clearTimeout(resting);
      if (!event.isPrimary) return;
      const up = place(event);
      if (this.dragging) this.release();
      else if (down && Math.hypot(up.x - down.x, up.y - down.y) < (event.pointerType === "touch" ? TAP : CLICK) && event.button === 0) {
        this.act.select(this.stage.pick(up.x, up.y)?.body ?? null);
      }
      down = null;
    });
    canvas.addEventListener("pointercancel", () => {
      clearTimeout(resting);
      down = null;
      this.release();
    });
    // A finger that rests asks for a menu on some systems.
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.stage.pick(event.offsetX, event.offsetY);
      if (hit) this.act.follow(hit.body);
    });
    this.stage.controls.addEventListener("start", () => this.act.moved());
  }

  private release(): void {
    if (!this.dragging) return;
    this.dragging = null;
    document.documentElement.dataset.pulling = "no";
    this.overlays.setPull(null);
    this.stage.controls.enabled = true;
    this.stage.changed = true;
    this.source.control({ type: "release" });
  }

  private beginPull(at: { x: number; y: number }): boolean {
    const hit = this.stage.pick(at.x, at.y);
    if (!hit || this.source.header.bodies[hit.body]!.kind !== "dynamic") return false;
    if (!this.act.mayPull()) return false;
    const towards = this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.dragging = { body: hit.body, local: hit.local, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(towards, hit.point) };
    this.act.select(hit.body);
    this.movePull(at);
    document.documentElement.dataset.pulling = "yes";
    return true;
  }

  private movePull(at: { x: number; y: number }): void {
    if (!this.dragging) return;
    const { clientWidth: w, clientHeight: h } = this.stage.renderer.domElement;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * at.x) / w - 1, 1 - (2 * at.y) / h), this.stage.camera);
    const point = ray.ray.intersectPlane(this.dragging.plane, new THREE.Vector3());
    if (!point) return;
    point.applyQuaternion(this.stage.world.quaternion.clone().invert());
    const target = point.toArray().map((x, k) => x + this.stage.origin[k]!) as Vec;
    this.pullTarget.copy(point);
    this.source.control({ type: "drag", body: this.dragging.body, point: this.dragging.local, target });
  }

  /** Draws the spring between the pulled body and the pointer. */
  update(): void {
    if (!this.dragging) return;
    const { body, local } = this.dragging;
    const q = new THREE.Quaternion().fromArray(this.stage.quat, 4 * body);
    const from = new THREE.Vector3(...local).applyQuaternion(q).add(this.stage.local(this.stage.position, 3 * body));
    this.overlays.setPull([from, this.pullTarget]);
  }
}
