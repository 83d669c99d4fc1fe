// The box of a tensor of inertia, in arbitrary directions.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Matrix3, Matrix4, Quaternion, Vector3 } from "three";
import { root } from "./harness.mjs";

test("a turned box is found again from its mass and inertia", async () => {
  const folder = mkdtempSync(join(tmpdir(), "msd-inertia-"));
  const outfile = join(folder, "inertia.mjs");
  await build({ entryPoints: [join(root, "viewer", "src", "inertia.ts")], bundle: true, format: "esm", outfile, logLevel: "error" });
  const { inertiaBox } = await import(pathToFileURL(outfile));
  let seed = 1;
  const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
  for (let trial = 0; trial < 500; trial++) {
    const half = [0.1 + random(), 0.1 + random(), 0.1 + random()];
    const mass = 10 ** (4 * random() - 2);
    const moments = [0, 1, 2].map((k) => (mass * (half[(k + 1) % 3] ** 2 + half[(k + 2) % 3] ** 2)) / 3);
    const turn = new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromQuaternion(new Quaternion(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5).normalize()));
    const r = turn.toArray(); // columns
    const tensor = (i, j) => [0, 1, 2].reduce((sum, k) => sum + r[3 * k + i] * moments[k] * r[3 * k + j], 0);
    const found = inertiaBox([tensor(0, 0), tensor(1, 1), tensor(2, 2), tensor(0, 1), tensor(0, 2), tensor(1, 2)], mass);
    // Every corner of the box found is a corner of the box.
    const corners = (axes, size) => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1], k & 4 ? size[2] : -size[2]).applyMatrix3(axes));
    const wanted = corners(turn, half);
    for (const corner of corners(found.axes, found.half)) {
      const miss = Math.min(...wanted.map((other) => other.distanceTo(corner)));
      assert.ok(miss < 1e-9, `trial ${trial}: ${miss} m`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
});
