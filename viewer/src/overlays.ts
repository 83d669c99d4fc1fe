// What is drawn over the bodies: contact points and forces, joints, velocities, trails, centres of mass.

import * as THREE from "three";
import type { Frame } from "./model";
import type { Stage } from "./stage";

export interface Shown {
  contacts: boolean;
  joints: boolean;
  velocities: boolean;
  trails: boolean;
  centers: boolean;
  boxes: boolean;
}

const MAX_ARROWS = 4000;
const MAX_TRAILS = 60;
/** Ground tracks are drawn a little above the surface, in radii of the planet. */
const TRACK_HEIGHT = 1.003;

/** Arrows as two instanced meshes: shafts and heads. */
class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private count = 0;

  constructor(color: string) {
    const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92, toneMapped: false });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new THREE.InstancedMesh(shaft, material, MAX_ARROWS);
    this.heads = new THREE.InstancedMesh(head, material, MAX_ARROWS);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  begin(): void {
    this.count = 0;
  }

  add(from: THREE.Vector3, along: THREE.Vector3, width: number): void {
    const length = along.length();
    if (this.count >= MAX_ARROWS || !(length > 0)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.clone().divideScalar(length));
    const head = Math.min(6 * width, 0.5 * length);
    const matrix = new THREE.Matrix4();
    this.shafts.setMatrixAt(this.count, matrix.compose(from, turn, new THREE.Vector3(width, width, length - head)));
    const neck = from.clone().addScaledVector(along, 1 - head / length);
    this.heads.setMatrixAt(this.count, matrix.compose(neck, turn, new THREE.Vector3(2.4 * width, 2.4 * width, head)));
    this.count++;
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Overlays {
  private readonly forces = new Arrows("#ff4d4d");
  private readonly speeds = new Arrows("#35c46a");
  private readonly points: THREE.Points;
  private readonly centers: THREE.Points;
  private readonly axes: THREE.LineSegments;
  private readonly boxes: THREE.LineSegments;
  private readonly trails = new Map<number, THREE.Line>();
  /** Trails projected to the surface of the first planet. */
  private readonly tracks = new Map<number, THREE.Line>();
  private readonly pull: THREE.Line;
  /** Largest contact force seen, N: arrows are relative to it. */
  private strongest = 0;
  forceScale = 0;

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
    this.pull = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#ff4d4d", depthTest: false, transparent: true, toneMapped: false }));
    this.pull.frustumCulled = false;
    this.pull.renderOrder = 12;
    this.pull.visible = false;
    stage.world.add(this.forces.group, this.speeds.group, this.points, this.centers, this.axes, this.boxes, this.pull);
  }

  /** Draws what is shown for a frame; `frame` is the nearest one, for contacts and joints. */
  update(shown: Shown, frame: Frame | undefined): void {
    this.drawContacts(shown.contacts ? frame : undefined);
    this.drawJoints(shown.joints ? frame : undefined);
    this.drawSpeeds(shown.velocities ? frame : undefined);
    this.drawCenters(shown.centers);
    this.drawBoxes(shown.boxes);
    this.drawTrails(shown.trails);
  }

  private arrowWidth(): number {
    return 0.0024 * this.stage.camera.position.distanceTo(this.stage.controls.target);
  }

  private drawContacts(frame: Frame | undefined): void {
    this.forces.begin();
    const positions: number[] = [];
    if (frame) {
      const contacts = frame.contacts();
      for (const { normalForce } of contacts) this.strongest = Math.max(this.strongest, normalForce);
      const reach = 0.12 * this.stage.camera.position.distanceTo(this.stage.controls.target);
      // Forces differ by orders of magnitude: the length grows with the square root.
      this.forceScale = this.strongest > 0 ? reach / Math.sqrt(this.strongest) : 0;
      for (const contact of contacts) {
        const at = this.stage.local(contact.position);
        positions.push(...at.toArray());
        const force = new THREE.Vector3(...contact.normal).multiplyScalar(contact.normalForce).add(new THREE.Vector3(...contact.friction));
        const size = force.length();
        if (size > 1e-6 * this.strongest) this.forces.add(at, force.multiplyScalar((this.forceScale * Math.sqrt(size)) / size), this.arrowWidth());
      }
    }
    this.forces.end();
    this.points.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
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
        positions.push(...at.toArray(), ...this.stage.local(this.stage.position, 3 * body).toArray());
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
        this.speeds.add(this.stage.local(this.stage.position, 3 * body), velocity(k).sub(common).multiplyScalar(reach / fastest), this.arrowWidth());
      });
    }
    this.speeds.end();
  }

  private drawCenters(shown: boolean): void {
    const positions: number[] = [];
    if (shown) {
      for (const i of this.stage.header.moving) {
        const q = new THREE.Quaternion().fromArray(this.stage.quat, 4 * i);
        const arm = new THREE.Vector3(...this.stage.bodies[i]!.center_of_mass).applyQuaternion(q);
        positions.push(...this.stage.local(this.stage.position, 3 * i).add(arm).toArray());
      }
    }
    this.centers.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  }

  /** The box of uniform density with the same mass and inertia, along the principal axes of diagonal tensors. */
  private drawBoxes(shown: boolean): void {
    const positions: number[] = [];
    const colors: number[] = [];
    for (const i of shown ? this.stage.header.moving : []) {
      const { inertia, mass, center_of_mass } = this.stage.bodies[i]!;
      if (!mass) continue;
      const [xx, yy, zz] = inertia;
      const edge = (a: number, b: number, c: number) => Math.sqrt(Math.max(0, (6 * (a + b - c)) / mass)) / 2;
      const half = [edge(yy, zz, xx), edge(zz, xx, yy), edge(xx, yy, zz)] as const;
      const q = new THREE.Quaternion().fromArray(this.stage.quat, 4 * i);
      const at = this.stage.local(this.stage.position, 3 * i);
      const corner = (k: number) =>
        new THREE.Vector3(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]).add(new THREE.Vector3(...center_of_mass)).applyQuaternion(q).add(at);
      for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) {
        if (k & bit) continue;
        positions.push(...corner(k).toArray(), ...corner(k | bit).toArray());
        colors.push(0.75, 0.45, 1, 0.75, 0.45, 1);
      }
    }
    setLines(this.boxes, positions, colors);
  }

  private drawTrails(shown: boolean): void {
    for (const lines of [this.trails, this.tracks]) lines.forEach((line) => (line.visible = shown));
    if (!shown) return;
    const past = this.past();
    const { header, position } = this.stage;
    const planet = header.planets[0];
    header.moving.slice(0, MAX_TRAILS).forEach((body, k) => {
      const places = past.map(({ poses, origin }) => [0, 1, 2].map((axis) => origin[axis]! + poses[13 * k + axis]!));
      places.push([0, 1, 2].map((axis) => position[3 * body + axis]!));
      const points = places.map((place) => this.stage.local(place));
      this.setTrail(this.trails, body, points, 0.9);
      if (!planet) return;
      const center = this.stage.local(planet.center);
      const ground = places.map((place) => {
        const out = new THREE.Vector3(...[0, 1, 2].map((axis) => place[axis]! - planet.center[axis]!));
        return center.clone().addScaledVector(out.normalize(), TRACK_HEIGHT * planet.radius);
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
    this.strongest = 0;
  }

  /** The spring with which a body is pulled; null for none. */
  setPull(ends: [THREE.Vector3, THREE.Vector3] | null): void {
    this.pull.visible = ends !== null;
    if (ends) this.pull.geometry.setFromPoints(ends);
  }
}

function setLines(object: THREE.LineSegments, positions: number[], colors: number[]): void {
  object.visible = positions.length > 0;
  object.geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  object.geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
}
