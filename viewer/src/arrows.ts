// Arrows for forces and velocities.

import * as THREE from "three";

const MAX_ARROWS = 4000;

/** Arrows as two instanced meshes: shafts and heads. */
export class Arrows {
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
