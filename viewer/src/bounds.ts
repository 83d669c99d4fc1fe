// Boxes that hold bodies, in the world and in their own frames.

import * as THREE from "three";
import type { Header, Placed } from "./model";
import { drawable } from "./shapes";

export class Bounds {
  private readonly ofMeshes = new Map<number, THREE.Box3>();
  private readonly balls = new Map<number, THREE.Sphere>();

  /** Reads the poses of bodies where the stage keeps them: `position` in the world, m, and `quat` as x, y, z, w. */
  constructor(
    private readonly header: Header,
    private readonly position: Float64Array,
    private readonly quat: Float64Array,
    private readonly radii: number[],
  ) {}

  /** Bounds of one body along the axes of the world, m; empty if it has no size. */
  of(body: number): THREE.Box3 {
    const box = new THREE.Box3();
    if (this.radii[body]! > 0) this.expand(box, body);
    return box;
  }

  /** Bounds of one body in its own frame, m; empty if it has no size. */
  own(body: number): THREE.Box3 {
    const box = new THREE.Box3();
    if (this.radii[body]! > 0) this.expandPlaced(box, body, new THREE.Vector3(), new THREE.Quaternion());
    return box;
  }

  /** A ball around these bounds, of radius 0 for a body without size. */
  ball(body: number): THREE.Sphere {
    let ball = this.balls.get(body);
    if (!ball) {
      const box = this.own(body);
      ball = box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 0) : box.getBoundingSphere(new THREE.Sphere());
      this.balls.set(body, ball);
    }
    return ball;
  }

  /** Bounds of all bodies where they are, m. */
  all(): THREE.Box3 {
    const box = new THREE.Box3();
    this.header.bodies.forEach((body, i) => {
      if (this.radii[i]! > 0) this.expand(box, i);
      else if (body.shapes.length === 0 && !body.visuals) box.expandByPoint(new THREE.Vector3().fromArray(this.position, 3 * i));
    });
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    return box;
  }

  /** Makes `box` hold a body where it is. */
  expand(box: THREE.Box3, body: number): void {
    this.expandPlaced(box, body, new THREE.Vector3().fromArray(this.position, 3 * body), new THREE.Quaternion().fromArray(this.quat, 4 * body));
  }

  private expandPlaced(box: THREE.Box3, body: number, at: THREE.Vector3, turn: THREE.Quaternion): void {
    const { shapes, visuals } = this.header.bodies[body]!;
    const place = new THREE.Matrix4();
    const pose = new THREE.Matrix4().compose(at, turn, new THREE.Vector3(1, 1, 1));
    const one = new THREE.Vector3(1, 1, 1);
    for (const shape of visuals?.length ? visuals : shapes) {
      const own = this.ofShape(shape);
      if (own === null) continue;
      place.compose(new THREE.Vector3(...shape.position), new THREE.Quaternion(...shape.quat), one).premultiply(pose);
      for (let k = 0; k < 8; k++) {
        const corner = new THREE.Vector3(k & 1 ? own.min.x : own.max.x, k & 2 ? own.min.y : own.max.y, k & 4 ? own.min.z : own.max.z);
        box.expandByPoint(corner.applyMatrix4(place));
      }
    }
  }

  /** Of a shape in its own frame; null for one without bounds. */
  private ofShape(shape: Placed): THREE.Box3 | null {
    const geometry = this.header.geometries[shape.geometry]!;
    if (geometry.kind === "mesh") {
      const known = this.ofMeshes.get(shape.geometry) ?? new THREE.Box3().setFromArray(geometry.vertices);
      this.ofMeshes.set(shape.geometry, known);
      return known;
    }
    const half = new THREE.Vector3();
    if (geometry.kind === "box") half.set(...geometry.size).multiplyScalar(0.5);
    else if (geometry.kind === "cylinder" || geometry.kind === "cone") half.set(geometry.radius, geometry.radius, geometry.length / 2);
    else {
      const drawn = drawable(geometry, this.header.geometries);
      if (!drawn) return null;
      half.setScalar(drawn.radius);
    }
    return new THREE.Box3(half.clone().negate(), half);
  }
}
