// The box of uniform density that has the mass and the inertia of a body.
//
// A box with half edges a, b, c has I_1 = m (b² + c²) / 3 about its first axis, and so on; hence a² = 3 (I_2 + I_3 - I_1) / 2m.
// The axes are the principal ones: eigenvectors of the tensor, by Jacobi rotations.

import { Matrix3 } from "three";

/** Rotations of all three pairs; a symmetric 3 × 3 tensor is diagonal to round-off after four or five. */
const SWEEPS = 12;

/** Half edges, m, and principal axes as columns in the body's frame. `inertia` is xx, yy, zz, xy, xz, yz, kg·m². */
export function inertiaBox(inertia: readonly [number, number, number, number, number, number], mass: number): { half: [number, number, number]; axes: Matrix3 } {
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const t = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      if (t[p]![q] === 0) continue;
      // The angle that makes t_pq zero.
      const angle = 0.5 * Math.atan2(2 * t[p]![q]!, t[q]![q]! - t[p]![p]!);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) [t[k]![p], t[k]![q]] = [c * t[k]![p]! - s * t[k]![q]!, s * t[k]![p]! + c * t[k]![q]!];
      for (let k = 0; k < 3; k++) [t[p]![k], t[q]![k]] = [c * t[p]![k]! - s * t[q]![k]!, s * t[p]![k]! + c * t[q]![k]!];
      for (let k = 0; k < 3; k++) [v[k]![p], v[k]![q]] = [c * v[k]![p]! - s * v[k]![q]!, s * v[k]![p]! + c * v[k]![q]!];
    }
  }
  const moment = [t[0]![0]!, t[1]![1]!, t[2]![2]!];
  const half = (k: number) => Math.sqrt(Math.max(0, (1.5 * (moment[(k + 1) % 3]! + moment[(k + 2) % 3]! - moment[k]!)) / mass));
  return { half: [half(0), half(1), half(2)], axes: new Matrix3(v[0]![0]!, v[0]![1]!, v[0]![2]!, v[1]![0]!, v[1]![1]!, v[1]![2]!, v[2]![0]!, v[2]![1]!, v[2]![2]!) };
}
