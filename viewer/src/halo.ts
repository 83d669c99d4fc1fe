// Brackets at the corners of the selected body.

import * as THREE from "three";

/** Length of an arm of a bracket as a share of its edge. */
const ARM = 0.22;

export class Halo {
  readonly lines: THREE.LineSegments;

  constructor() {
    const material = new THREE.LineBasicMaterial({ color: "#ffb000", depthTest: false, transparent: true, opacity: 0.95 });
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.lines.visible = false;
    this.lines.renderOrder = 20;
    this.lines.frustumCulled = false;
  }

  hide(): void {
    this.lines.visible = false;
  }

  /** `box` in the frame of the body, whose pose in the drawing is `at` and four numbers of `quat`. */
  place(box: THREE.Box3, at: THREE.Vector3, quat: ArrayLike<number>, first: number): void {
    const { min, max } = box.clone().expandByScalar(0.02 * box.getSize(new THREE.Vector3()).length());
    const points: number[] = [];
    for (const x of [0, 1]) for (const y of [0, 1]) for (const z of [0, 1]) {
      const corner = new THREE.Vector3(x ? max.x : min.x, y ? max.y : min.y, z ? max.z : min.z);
      const arm = [(x ? -1 : 1) * ARM * (max.x - min.x), (y ? -1 : 1) * ARM * (max.y - min.y), (z ? -1 : 1) * ARM * (max.z - min.z)];
      for (let k = 0; k < 3; k++) {
        const end = corner.clone();
        end.setComponent(k, end.getComponent(k) + arm[k]!);
        points.push(...corner.toArray(), ...end.toArray());
      }
    }
    this.lines.visible = true;
    this.lines.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.lines.position.copy(at);
    this.lines.quaternion.fromArray(quat as number[], first);
  }
}
