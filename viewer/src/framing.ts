// The camera's choice of what is in the picture: where bodies are, and where they will be.

import * as THREE from "three";
import type { Header } from "./model";
import { spread } from "./plots";
import type { Source } from "./source";
import type { Stage } from "./stage";

/** Frames of a recording that the first view is made to hold. */
const BOUND_ROWS = 16;
/** Time between two enlargements of the picture, ms. */
const BETWEEN_FRAMINGS = 400;

export class Framing {
  /** True once a person has turned or moved the view: from then on it is theirs. */
  chosen = false;
  private readonly held: Set<number>;
  private done = false;
  private size = 0;
  private last = 0;

  constructor(
    private readonly source: Source,
    private readonly stage: Stage,
  ) {
    this.held = heldBodies(source.header);
  }

  /** Frames the bodies with what is known now, unless a person has chosen a view. */
  refresh(): void {
    if (!this.chosen) this.frame(this.expectedBounds());
  }

  /** The default view again. */
  home(): void {
    this.chosen = false;
    this.stage.frameOfView = "world";
    this.stage.turnsWithBody = false;
    this.refresh();
  }

  /** Frames the bodies anew as soon as their velocities and joints, or the frames of a recording, are here. */
  whenKnown(): void {
    const { header, figures } = this.source;
    if (this.done || figures.rows === 0) return;
    const rows = header.live ? [0] : spread(figures.rows, BOUND_ROWS);
    const frames = rows.map((row) => this.source.frame(row));
    if (!frames.every((frame) => frame !== undefined)) return;
    this.done = true;
    this.refresh();
  }

  /** Moves the camera so that a box fills the view. */
  private frame(box: THREE.Box3): void {
    this.size = box.getSize(new THREE.Vector3()).length();
    this.stage.frameAll(box);
    // The origin of the drawing is another one: bodies that stand still are put anew, too.
    this.stage.draw();
  }

  /** Bounds of the start, and of where bodies without joints fly to in the time that a look takes. */
  private expectedBounds(): THREE.Box3 {
    const { header } = this.source;
    const box = this.stage.bounds();
    if (this.stage.inSpace) return box;
    this.expandByHistory(box);
    const g = new THREE.Vector3(...header.gravity);
    const jointed = new Set(header.joints.flatMap((joint) => [joint.a, joint.b]));
    const first = this.source.cached(0);
    const size = box.getSize(new THREE.Vector3()).length();
    const floor = header.bodies.some((body) => body.shapes.some((shape) => header.geometries[shape.geometry]!.kind === "plane"));
    header.moving.forEach((body, k) => {
      const at = this.stage.center(body);
      // Of a recording it is known where bodies go.
      if (jointed.has(body) || !header.live) return;
      const v = first?.hasVelocities ? new THREE.Vector3().fromArray(first.poses, 13 * k + 7) : new THREE.Vector3();
      for (let i = 1; i <= 8; i++) {
        const t = (header.duration * i) / 8;
        const p = at.clone().addScaledVector(v, t).addScaledVector(g, 0.5 * t * t);
        if (floor && p.z < 0) p.z = 0;
        if (p.distanceTo(at) < 6 * Math.max(size, 2 * this.stage.radii[body]!)) box.expandByPoint(p);
      }
      // What falls to a floor needs the floor in the picture.
      if (floor && g.length() > 0 && at.z < 6 * Math.max(size, 1e-9)) box.expandByPoint(new THREE.Vector3(at.x, at.y, Math.min(at.z, 0)));
    });
    // Pendulums swing about their anchors; of a recording it is known how far.
    first?.joints().forEach((joint, k) => {
      const { a, b } = header.joints[k] ?? { a: null, b: null };
      if (!joint.anchor.every(Number.isFinite)) return;
      const anchor = new THREE.Vector3(...joint.anchor);
      box.expandByPoint(anchor);
      const body = a === null ? b : b === null ? a : null;
      if (body === null || !header.live) return;
      const arm = this.stage.center(body).distanceTo(anchor) + this.stage.radii[body]!;
      box.expandByPoint(anchor.clone().addScalar(0.7 * arm));
      box.expandByPoint(anchor.clone().subScalar(0.7 * arm));
    });
    return box;
  }

  /** Includes where bodies were in the frames that are here, unless they leave for good. */
  private expandByHistory(box: THREE.Box3): void {
    const { header, figures } = this.source;
    const reach = box.clone().expandByScalar(4 * box.getSize(new THREE.Vector3()).length());
    for (const row of spread(figures.rows, BOUND_ROWS)) {
      const frame = this.source.cached(row);
      if (!frame) continue;
      header.moving.forEach((body, k) => {
        const { center, radius } = this.stage.ball(body);
        const turn = new THREE.Quaternion().fromArray(frame.poses, 13 * k + 3);
        const at = center.clone().applyQuaternion(turn).add(new THREE.Vector3().fromArray(frame.poses, 13 * k)).add(new THREE.Vector3(...frame.origin));
        if (!reach.containsPoint(at) && !this.held.has(body)) return;
        const inner = 0.6 * radius;
        box.expandByPoint(at.clone().addScalar(inner));
        box.expandByPoint(at.clone().subScalar(inner));
      });
    }
    // Half spaces are the ground: nothing is below that would have to be seen.
    if (header.bodies.some((body) => body.shapes.some((shape) => header.geometries[shape.geometry]!.kind === "plane")) && header.gravity[2] < 0) box.min.z = Math.max(box.min.z, Math.min(0, this.stage.bounds().min.z));
  }

  /** Follows bodies that have all left the picture, unless a person has chosen a view; true if it begins to. */
  keepInView(): boolean {
    const { stage } = this;
    if (this.chosen || stage.frameOfView !== "world") return false;
    const { clientWidth, clientHeight } = stage.renderer.domElement;
    const free = clientWidth * stage.freeWidth;
    const inView = (body: number) => {
      const at = stage.screen(stage.localCenter(body));
      if (at === null) return false;
      const reach = (0.7 * stage.radii[body]! * clientHeight) / (2 * at.depth * Math.tan((stage.camera.fov * Math.PI) / 360));
      return at.x > reach && at.x < free - reach && at.y > reach && at.y < clientHeight - 90 - reach;
    };
    const { moving } = stage.header;
    const seen = moving.filter(inView).length;
    if (seen === moving.length || moving.length === 0) return false;
    if ((seen > 0 || this.held.size > 0) && !stage.inSpace) {
      // The picture grows with a run, as long as its bodies stay together.
      const now = performance.now();
      if (now - this.last < BETWEEN_FRAMINGS) return false;
      this.last = now;
      const box = this.expectedBounds();
      if (box.getSize(new THREE.Vector3()).length() > 1.02 * this.size) this.frame(box);
      return false;
    }
    if (seen > 0) return false;
    stage.setFrameOfView("centre", false);
    return true;
  }
}

/** Bodies that joints hold to the world, directly or through others: they come back into the picture. */
function heldBodies({ joints, bodies }: Header): Set<number> {
  const fixed = (body: number | null) => body === null || bodies[body]!.kind === "static";
  const held = new Set<number>();
  for (let before = -1; before < held.size; ) {
    before = held.size;
    for (const { a, b } of joints) {
      if (b !== null && !fixed(b) && (fixed(a) || held.has(a!))) held.add(b);
      if (a !== null && !fixed(a) && (fixed(b) || held.has(b!))) held.add(a);
    }
  }
  return held;
}
