// What is drawn over the bodies: contact points and forces, joints and their reactions, velocities, trails, centres of
// mass, boxes of inertia and bounds.
//
// Forces differ by orders of magnitude: the length of an arrow is that of the largest force seen so far times the square
// root of the ratio to it.

import * as THREE from "three";
import { Arrows } from "./arrows";
import { number } from "./format";
import { inertiaBox } from "./inertia";
import { POSE, type Frame } from "./model";
import type { Stage } from "./stage";

export interface Shown {
  contacts: boolean;
  joints: boolean;
  reactions: boolean;
  velocities: boolean;
  trails: boolean;
  centers: boolean;
  boxes: boolean;
  bounds: boolean;
}

const MAX_TRAILS = 60;
/** Ground tracks are drawn a little above the surface, in radii of the planet. */
const TRACK_HEIGHT = 1.003;

export class Overlays {
  private readonly forces = new Arrows("#ff4d4d");
  private readonly reactions = new Arrows("#b48cff");
  private readonly torques = new Arrows("#38c6e8");
  private readonly speeds = new Arrows("#35c46a");
  private readonly points: THREE.Points;
  private readonly centers: THREE.Points;
  private readonly axes: THREE.LineSegments;
  private readonly boxes: THREE.LineSegments;
  private readonly bounds: THREE.LineSegments;
  private readonly trails = new Map<number, THREE.Line>();
  /** Trails projected to the surface of the first planet. */
  private readonly tracks = new Map<number, THREE.Line>();
  private readonly pull: THREE.Line;
  /** Largest contact force, N, joint reaction, N, and reaction torque, N·m, seen: arrows are relative to them. */
  private strongest = { contact: 0, reaction: 0, torque: 0 };
  /** The same in the frame shown. */
  private now = { contact: 0, reaction: 0, torque: 0 };

  /** `past` gives the frames before the one shown, for trails. */
  constructor(
    private readonly stage: Stage,
    private readonly past: () => Frame[],
  ) {
    const dots = (color: string, size: number) => {
      const material = new THREE.PointsMaterial({ color, size, sizeAttenuation: false, depthTest: false, transparent: true, toneMapped: false });
      const points = new THREE.Points(new THREE.BufferGeometry(), material);
      points.frustumCulled = false;
      points.renderOrder = 11;
      return points;
    };
    this.points = dots("#ffd23f", 6);
    this.centers = dots("#ffffff", 7);
    const lines = (depthTest: boolean) => {
      const object = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, depthTest, transparent: true, toneMapped: false }));
      object.frustumCulled = false;
      object.renderOrder = 9;
      return object;
    };
    this.axes = lines(false);
    this.boxes = lines(true);
    this.bounds = lines(true);
    this.pull = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#ff4d4d", depthTest: false, transparent: true, toneMapped: false }));
    this.pull.frustumCulled = false;
    this.pull.renderOrder = 12;
    this.pull.visible = false;
    stage.world.add(this.forces.group, this.reactions.group, this.torques.group, this.speeds.group, this.points, this.centers, this.axes, this.boxes, this.bounds, this.pull);
  }

  /** Draws what is shown for a frame; `frame` is the nearest one, for contacts and joints. */
  update(shown: Shown, frame: Frame | undefined): void {
    this.drawContacts(shown.contacts ? frame : undefined);
    this.drawJoints(shown.joints ? frame : undefined);
    this.drawReactions(shown.reactions ? frame : undefined);
    this.drawSpeeds(shown.velocities ? frame : undefined);
    this.drawCenters(shown.centers);
    this.drawBoxes(shown.boxes);
    this.drawBounds(shown.bounds);
    this.drawTrails(shown.trails);
  }

  private arrowWidth(): number {
    return 0.0024 * this.stage.camera.position.distanceTo(this.stage.controls.target);
  }

  /** Draws an arrow for a force or torque. */
  private drawForce(arrows: Arrows, kind: keyof Overlays["strongest"], at: THREE.Vector3, force: THREE.Vector3): void {
    const strongest = this.strongest[kind];
    const size = force.length();
    if (!(size > 1e-6 * strongest)) return;
    const reach = 0.12 * this.stage.camera.position.distanceTo(this.stage.controls.target);
    arrows.add(at, force.clone().multiplyScalar((reach * Math.sqrt(size / strongest)) / size), this.arrowWidth());
  }

  /** Takes note of how strong forces of the frame shown are. */
  private measure(kind: keyof Overlays["strongest"], sizes: number[]): void {
    this.now[kind] = sizes.reduce((most, size) => (size > most ? size : most), 0);
    this.strongest[kind] = Math.max(this.strongest[kind], this.now[kind]);
  }

  private drawContacts(frame: Frame | undefined): void {
    this.forces.begin();
    const positions: number[] = [];
    if (frame) {
      const contacts = frame.contacts();
      const forces = contacts.map(({ normal, normalForce, friction }) => new THREE.Vector3(...normal).multiplyScalar(normalForce).add(new THREE.Vector3(...friction)));
      this.measure("contact", forces.map((force) => force.length()));
      contacts.forEach((contact, k) => {
        const at = this.stage.local(contact.position);
        positions.push(...at.toArray());
        this.drawForce(this.forces, "contact", at, forces[k]!);
      });
    }
    this.forces.end();
    this.points.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  }

  /** Force and torque that every joint exerts on its body B, at the point they are reported for. */
  private drawReactions(frame: Frame | undefined): void {
    this.reactions.begin();
    this.torques.begin();
    if (frame) {
      const loads = frame.joints().filter(({ anchor, force, torque }) => [...anchor, ...force, ...torque].every(Number.isFinite));
      this.measure("reaction", loads.map(({ force }) => Math.hypot(...force)));
      this.measure("torque", loads.map(({ torque }) => Math.hypot(...torque)));
      for (const { anchor, force, torque } of loads) {
        const at = this.stage.local(anchor);
        this.drawForce(this.reactions, "reaction", at, new THREE.Vector3(...force));
        this.drawForce(this.torques, "torque", at, new THREE.Vector3(...torque));
      }
    }
    this.reactions.end();
    this.torques.end();
  }

  /** How long arrows are in newtons; empty where there are none. */
  scaleText(shown: Shown): string {
    const text = (name: string, kind: keyof Overlays["strongest"], unit: string) => (this.strongest[kind] > 0 ? [`${name} up to ${number(this.now[kind], 3)} ${unit} now, ${number(this.strongest[kind], 3)} ${unit} so far`] : []);
    return [
      ...(shown.contacts ? text("contact forces", "contact", "N") : []),
      ...(shown.reactions ? [...text("joint reactions", "reaction", "N"), ...text("torques", "torque", "N·m")] : []),
    ].join(" · ");
  }

  private drawJoints(frame: Frame | undefined): void {
    const positions: number[] = [];
    const colors: number[] = [];
    const { header } = this.stage;
    const length = 0.05 * this.stage.camera.position.distanceTo(this.stage.controls.target);
    frame?.joints().forEach((joint, k) => {
      // Actuators and springs are drawn as the joint that they act on.
      if (!joint.anchor.every(Number.isFinite) || (header.joints[k]?.along ?? null) !== null) return;
      const at = this.stage.local(joint.anchor);
      const end = header.joints[k]?.b ?? header.joints[k]?.a ?? null;
      const turn = end === null ? new THREE.Quaternion() : new THREE.Quaternion().fromArray(this.stage.quat, 4 * end);
      [[1, 0.3, 0.3], [0.3, 0.85, 0.4], [0.35, 0.55, 1]].forEach((color, axis) => {
        const tip = new THREE.Vector3().setComponent(axis, length).applyQuaternion(turn).add(at);
        positions.push(...at.toArray(), ...tip.toArray());
        colors.push(...color, ...color);
      });
      for (const body of [header.joints[k]?.a, header.joints[k]?.b]) {
        if (body === null || body === undefined) continue;
        positions.push(...at.toArray(), ...this.stage.localCenter(body).toArray());
        colors.push(0.6, 0.65, 0.7, 0.6, 0.65, 0.7);
      }
    });
    setLines(this.axes, positions, colors);
  }

  private drawSpeeds(frame: Frame | undefined): void {
    this.speeds.begin();
    if (frame?.hasVelocities) {
      const { header } = this.stage;
      const velocity = (k: number) => new THREE.Vector3().fromArray(frame.poses, 13 * k + 7);
      // In orbit only what differs from the others can be seen.
      const common = new THREE.Vector3();
      if (this.stage.inSpace && header.moving.length > 1) {
        header.moving.forEach((_, k) => common.addScaledVector(velocity(k), 1 / header.moving.length));
      }
      let fastest = 1e-9;
      header.moving.forEach((_, k) => (fastest = Math.max(fastest, velocity(k).sub(common).length())));
      const reach = 0.22 * this.stage.camera.position.distanceTo(this.stage.controls.target);
      header.moving.forEach((body, k) => {
        this.speeds.add(this.stage.localCenter(body), velocity(k).sub(common).multiplyScalar(reach / fastest), this.arrowWidth());
      });
    }
    this.speeds.end();
  }

  private drawCenters(shown: boolean): void {
    const positions: number[] = [];
    if (shown) {
      for (const i of this.stage.header.moving) positions.push(...this.stage.localCenter(i).toArray());
    }
    this.centers.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  }

  /** The box of uniform density with the same mass and inertia, along the principal axes. */
  private drawBoxes(shown: boolean): void {
    const positions: number[] = [];
    for (const i of shown ? this.stage.header.moving : []) {
      const { inertia, mass, center_of_mass } = this.stage.bodies[i]!;
      if (!mass) continue;
      const { half, axes } = inertiaBox(inertia, mass);
      const q = new THREE.Quaternion().fromArray(this.stage.quat, 4 * i);
      const at = this.stage.local(this.stage.position, 3 * i);
      pushBox(positions, half, (corner) => corner.applyMatrix3(axes).add(new THREE.Vector3(...center_of_mass)).applyQuaternion(q).add(at));
    }
    setLines(this.boxes, positions, same([0.75, 0.45, 1], positions.length / 3));
  }

  /** Boxes along the world's axes about bodies. */
  private drawBounds(shown: boolean): void {
    const positions: number[] = [];
    const origin = new THREE.Vector3(...this.stage.origin);
    for (const i of shown ? this.stage.header.moving : []) {
      const box = this.stage.boundsOf(i);
      if (box.isEmpty()) continue;
      const [center, size] = [box.getCenter(new THREE.Vector3()).sub(origin), box.getSize(new THREE.Vector3())];
      pushBox(positions, [size.x / 2, size.y / 2, size.z / 2], (corner) => corner.add(center));
    }
    setLines(this.bounds, positions, same([0.35, 0.75, 0.85], positions.length / 3));
  }

  private drawTrails(shown: boolean): void {
    for (const lines of [this.trails, this.tracks]) lines.forEach((line) => (line.visible = shown));
    if (!shown) return;
    const past = this.past();
    const { header } = this.stage;
    const planet = header.planets[0];
    header.moving.slice(0, MAX_TRAILS).forEach((body, k) => {
      const center = new THREE.Vector3(...header.bodies[body]!.center_of_mass);
      const turn = new THREE.Quaternion();
      const places = past.map(({ poses, origin }) => {
        const arm = center.clone().applyQuaternion(turn.fromArray(poses, POSE * k + 3));
        return [0, 1, 2].map((axis) => origin[axis]! + poses[POSE * k + axis]! + arm.getComponent(axis));
      });
      places.push(this.stage.center(body).toArray());
      const points = places.map((place) => this.stage.local(place));
      this.setTrail(this.trails, body, points, 0.9);
      if (!planet) return;
      const middle = this.stage.local(planet.center);
      const ground = places.map((place) => {
        const out = new THREE.Vector3(...[0, 1, 2].map((axis) => place[axis]! - planet.center[axis]!));
        return middle.clone().addScaledVector(out.normalize(), TRACK_HEIGHT * planet.radius);
      });
      this.setTrail(this.tracks, body, ground, 0.55);
    });
  }

  private setTrail(lines: Map<number, THREE.Line>, body: number, points: THREE.Vector3[], opacity: number): void {
    let line = lines.get(body);
    if (!line) {
      const color = new THREE.Color(this.stage.colors[body] ?? "#ffffff").lerp(new THREE.Color("#ffffff"), this.stage.inSpace ? 0.45 : 0);
      line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color, transparent: true, opacity, toneMapped: false }));
      line.frustumCulled = false;
      this.stage.world.add(line);
      lines.set(body, line);
    }
    line.geometry.dispose();
    line.geometry = new THREE.BufferGeometry().setFromPoints(points);
  }

  /** Forgets how strong forces were. */
  restart(): void {
    this.strongest = { contact: 0, reaction: 0, torque: 0 };
  }

  /** The spring with which a body is pulled; null for none. */
  setPull(ends: [THREE.Vector3, THREE.Vector3] | null): void {
    this.pull.visible = ends !== null;
    if (ends) this.pull.geometry.setFromPoints(ends);
  }
}

/** The twelve edges of a box of half edges `half`, as pairs of corners put in place by `place`. */
function pushBox(positions: number[], half: readonly [number, number, number], place: (corner: THREE.Vector3) => THREE.Vector3): void {
  const corner = (k: number) => place(new THREE.Vector3(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]));
  for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) positions.push(...corner(k).toArray(), ...corner(k | bit).toArray());
}

const same = (color: [number, number, number], count: number) => Array.from({ length: count }, () => color).flat();

function setLines(object: THREE.LineSegments, positions: number[], colors: number[]): void {
  object.visible = positions.length > 0;
  object.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  object.geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
}
