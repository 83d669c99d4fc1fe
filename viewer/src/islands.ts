// Islands: bodies that contacts or joints connect. Static and kinematic bodies connect nothing.

import type { Frame, Header } from "./model";

/** The island of every body of `moving`, numbered by its first body; -1 for a body alone. */
export function islandsOf(header: Header, frame: Frame): Int32Array {
  const parent = header.bodies.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const joined = new Uint8Array(parent.length);
  const join = (a: number | null, b: number | null) => {
    for (const end of [a, b]) if (end !== null && header.bodies[end]?.kind === "dynamic") joined[end] = 1;
    if (a === null || b === null || header.bodies[a]?.kind !== "dynamic" || header.bodies[b]?.kind !== "dynamic") return;
    const [one, two] = [root(a), root(b)];
    parent[Math.max(one, two)] = Math.min(one, two);
  };
  for (const { a, b } of frame.contacts()) join(a, b);
  for (const { a, b } of header.joints) join(a, b);
  const numbers = new Map<number, number>();
  return Int32Array.from(header.moving, (body) => {
    if (!joined[body]) return -1;
    const top = root(body);
    const known = numbers.get(top) ?? numbers.size;
    numbers.set(top, known);
    return known;
  });
}
