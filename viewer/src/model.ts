// What the server sends: the header, and frames as bytes. The layouts are those of crates/msd-view/src/frame.rs.

export type Vec = [number, number, number];

export type Geometry =
  | { kind: "sphere"; radius: number }
  | { kind: "box"; size: Vec }
  | { kind: "capsule" | "cylinder" | "cone"; radius: number; length: number }
  | { kind: "plane"; normal: Vec; offset: number }
  | { kind: "mesh"; vertices: number[]; triangles: number[]; flat: boolean };

export interface Body {
  name: string;
  kind: "dynamic" | "static" | "kinematic" | "graphical";
  mass: number | null;
  center_of_mass: Vec;
  inertia: [number, number, number, number, number, number];
  pose: [number, number, number, number, number, number, number];
  shapes: { geometry: number; position: Vec; quat: [number, number, number, number] }[];
  color?: string;
}

export interface Header {
  format: number;
  version: string;
  name: string;
  live: boolean;
  duration: number;
  dt: number;
  gravity: Vec;
  integrator: string;
  speed: number;
  bodies: Body[];
  moving: number[];
  geometries: Geometry[];
  joints: { name: string; kind: string; a: number | null; b: number | null }[];
  planets: { name: string; center: Vec; radius: number; mu: number; color: string }[];
  columns: string[];
  limits: Record<string, number>;
}

export interface Certificate {
  certified: boolean;
  steps: number;
  failed_steps: number;
  geometry_steps: number;
  first_failure: { row: string; message: string; time: number; step: number; bodies: string[] } | null;
  [row: string]: unknown;
}

export interface Status {
  playing: boolean;
  ended: string | null;
  message: string | null;
  state_hash: string | null;
  speed: number | null;
  factor: number;
  time: number;
  steps: number;
  may_reset: boolean;
  writer?: boolean;
  certificate: Certificate | null;
  worst_bodies: Record<string, string[]> | null;
  energy: Record<string, number> | null;
}

export interface Contact {
  a: number;
  b: number;
  /** World, m. */
  position: Vec;
  normal: Vec;
  gap: number;
  normalForce: number;
  friction: Vec;
}

export interface JointLoad {
  anchor: Vec;
  force: Vec;
  torque: Vec;
}

/** Numbers of a pose: position 3, quaternion 4, velocity 3, angular velocity 3. */
export const POSE = 13;

/** One frame: poses of the bodies that move, relative to an origin. */
export class Frame {
  constructor(
    readonly time: number,
    readonly origin: Vec,
    readonly poses: Float32Array,
    readonly asleep: Uint8Array | null,
    readonly hasVelocities: boolean,
    private readonly details: DataView | null,
  ) {}

  get bytes(): number {
    return this.poses.byteLength + (this.details?.byteLength ?? 0) + 64;
  }

  get contactCount(): number {
    return this.details?.getUint32(12, true) ?? 0;
  }

  contacts(): Contact[] {
    const view = this.details;
    if (!view) return [];
    const [ox, oy, oz] = this.origin;
    const found: Contact[] = [];
    for (let i = 0, at = 24; i < this.contactCount; i++, at += 52) {
      const f = (k: number) => view.getFloat32(at + 8 + 4 * k, true);
      found.push({
        a: view.getUint32(at, true),
        b: view.getUint32(at + 4, true),
        position: [ox + f(0), oy + f(1), oz + f(2)],
        normal: [f(3), f(4), f(5)],
        gap: f(6),
        normalForce: f(7),
        friction: [f(8), f(9), f(10)],
      });
    }
    return found;
  }

  joints(): JointLoad[] {
    const view = this.details;
    if (!view) return [];
    const [ox, oy, oz] = this.origin;
    const found: JointLoad[] = [];
    const count = view.getUint32(16, true);
    for (let i = 0, at = 24 + 52 * this.contactCount; i < count; i++, at += 36) {
      const f = (k: number) => view.getFloat32(at + 4 * k, true);
      found.push({
        anchor: [ox + f(0), oy + f(1), oz + f(2)],
        force: [f(3), f(4), f(5)],
        torque: [f(6), f(7), f(8)],
      });
    }
    return found;
  }

  static parse(buffer: ArrayBuffer, details: ArrayBuffer | null): Frame {
    const view = new DataView(buffer);
    const count = view.getUint32(12, true);
    const origin: Vec = [view.getFloat64(24, true), view.getFloat64(32, true), view.getFloat64(40, true)];
    const poses = new Float32Array(buffer, 48, count * POSE);
    const asleep = new Uint8Array(buffer, 48 + count * POSE * 4, count);
    return new Frame(view.getFloat64(16, true), origin, poses, asleep, true, details ? new DataView(details) : null);
  }
}

/** Rows of figures, one a frame. */
export class Figures {
  private data = new Float64Array(14 * 256);
  rows = 0;

  constructor(readonly columns: string[]) {}

  clear(): void {
    this.rows = 0;
  }

  /** Takes over rows from number `from` on. */
  put(from: number, numbers: Float64Array): void {
    const width = this.columns.length;
    const rows = numbers.length / width;
    const needed = (from + rows) * width;
    if (needed > this.data.length) {
      const larger = new Float64Array(Math.max(needed, 2 * this.data.length));
      larger.set(this.data);
      this.data = larger;
    }
    this.data.set(numbers, from * width);
    this.rows = Math.max(this.rows, from + rows);
  }

  get(row: number, column: number): number {
    return this.data[row * this.columns.length + column] ?? NaN;
  }

  time(row: number): number {
    return this.get(row, 0);
  }

  get lastTime(): number {
    return this.rows > 0 ? this.time(this.rows - 1) : 0;
  }

  /** Number of the last row at or before a time. */
  rowAt(time: number): number {
    let low = 0;
    let high = this.rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
