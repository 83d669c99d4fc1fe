// What the server sends: the header, and frames as bytes. The layouts are those of crates/msd-view/src/frame.rs.

export type Vec = [number, number, number];

export type Geometry =
  | { kind: "sphere"; radius: number }
  | { kind: "box"; size: Vec }
  | { kind: "capsule" | "cylinder" | "cone"; radius: number; length: number }
  | { kind: "ellipsoid"; radii: Vec }
  | { kind: "plane"; normal: Vec; offset: number }
  | { kind: "mesh"; vertices: number[]; triangles: number[]; flat: boolean };

export interface Body {
  name: string;
  kind: "dynamic" | "static" | "kinematic" | "graphical";
  mass: number | null;
  center_of_mass: Vec;
  inertia: [number, number, number, number, number, number];
  pose: [number, number, number, number, number, number, number];
  /** What collides. */
  shapes: Placed[];
  /** What is drawn instead, if there is any. */
  visuals?: Placed[];
  color?: string;
}

/** A geometry in the frame of a body. */
export interface Placed {
  geometry: number;
  position: Vec;
  quat: [number, number, number, number];
  color?: string;
}

export interface Joint {
  name: string;
  kind: string;
  a: number | null;
  b: number | null;
  /** Of its position; null if it has no axis. */
  unit: "rad" | "m" | null;
  /** The joint whose axis it acts along, if it is an actuator or a spring. */
  along: number | null;
}

/** An actuator, or the motor of a joint. */
export interface Drive {
  name: string;
  kind: "actuator" | "motor";
  joint: number | null;
  range: [number, number];
  value: number;
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
  joints: Joint[];
  drives: Drive[];
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
  /** Position, velocity and force along its axis; NaN without one. */
  axis: Vec;
}

/** Numbers of a pose: position 3, quaternion 4, velocity 3, angular velocity 3. */
export const POSE = 13;
/** Bytes before the contacts, of a contact and of a joint. */
export const DETAILS_HEAD = 24;
export const CONTACT_BYTES = 52;
export const JOINT_BYTES = 48;

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
    for (let i = 0, at = DETAILS_HEAD; i < this.contactCount; i++, at += CONTACT_BYTES) {
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

  /** Position, velocity or force of one joint along its axis; NaN if unknown. */
  axis(joint: number, column: 0 | 1 | 2): number {
    const at = DETAILS_HEAD + CONTACT_BYTES * this.contactCount + JOINT_BYTES * joint + 36 + 4 * column;
    return this.details && at + 4 <= this.details.byteLength ? this.details.getFloat32(at, true) : NaN;
  }

  joints(): JointLoad[] {
    const view = this.details;
    if (!view) return [];
    const [ox, oy, oz] = this.origin;
    const found: JointLoad[] = [];
    const count = view.getUint32(16, true);
    for (let i = 0, at = DETAILS_HEAD + CONTACT_BYTES * this.contactCount; i < count; i++, at += JOINT_BYTES) {
      const f = (k: number) => view.getFloat32(at + 4 * k, true);
      found.push({
        anchor: [ox + f(0), oy + f(1), oz + f(2)],
        force: [f(3), f(4), f(5)],
        torque: [f(6), f(7), f(8)],
        axis: [f(9), f(10), f(11)],
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
