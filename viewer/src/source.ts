// Where frames come from: a socket to the program, or a run inside the page itself.

import { CONTACT_BYTES, DETAILS_HEAD, Figures, Frame, type Header, JOINT_BYTES, type Status, type Vec } from "./model";

export type Control =
  | { type: "play" | "pause" | "step" | "reset" | "release" }
  | { type: "speed"; value: number | null }
  | { type: "drag"; body: number; point: Vec; target: Vec }
  | { type: "drive"; drive: number; value: number };

export interface Source {
  readonly header: Header;
  readonly figures: Figures;
  status: Status;
  /** A frame if it is here; otherwise it is asked for and undefined. */
  frame(index: number): Frame | undefined;
  /** A frame if it is here. */
  cached(index: number): Frame | undefined;
  /** Number of the newest frame that is here, -1 if there is none. */
  readonly newest: number;
  control(command: Control): void;
  /** Called with every change: new figures, frames, status. */
  onchange: () => void;
  onnotice: (message: string) => void;
  /** What the file says about its accuracy, for a run inside the page. */
  readonly note: string | null;
}

/** Bytes of frames that are kept. */
const CACHE_BYTES = 160e6;
const MAX_IN_FLIGHT = 48;
/** Bytes of frames asked for at once: a page with many bodies must come up for air between them. */
const MAX_BYTES_IN_FLIGHT = 8e6;

/** Frames over a WebSocket. One request at a time: a slow page asks less often and never lags behind. */
export class SocketSource implements Source {
  readonly figures: Figures;
  readonly note = null;
  onchange = () => {};
  onnotice: (message: string) => void = () => {};
  newest = -1;
  private epoch = 0;
  private readonly cache = new Map<number, Frame>();
  private cacheBytes = 0;
  private readonly wanted = new Set<number>();
  private readonly asked = new Map<number, number>();
  private details: { index: number; buffer: ArrayBuffer } | null = null;

  private constructor(
    private readonly socket: WebSocket,
    readonly header: Header,
    public status: Status,
  ) {
    this.figures = new Figures(header.columns);
    socket.onmessage = (event) => this.receive(event.data as ArrayBuffer | string);
    socket.onclose = (event) => {
      const why = event.reason || "the program ended or the connection was lost";
      this.onnotice(`No longer connected: ${why}.`);
    };
  }

  static open(token: string): Promise<SocketSource> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      socket.binaryType = "arraybuffer";
      const early: (ArrayBuffer | string)[] = [];
      let header: Header | null = null;
      socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token }));
      socket.onclose = (event) => reject(new Error(event.reason || "the program does not answer"));
      socket.onmessage = (event) => {
        const data = event.data as ArrayBuffer | string;
        if (typeof data !== "string") {
          early.push(data);
          return;
        }
        const message = JSON.parse(data) as { type: string; header?: Header };
        if (message.type === "header" && message.header) header = message.header;
        if (message.type === "status" && header) {
          const source = new SocketSource(socket, header, message as unknown as Status);
          early.forEach((old) => source.receive(old));
          resolve(source);
        }
      };
    });
  }

  private receive(data: ArrayBuffer | string): void {
    if (typeof data === "string") {
      const message = JSON.parse(data) as { type: string; message?: string };
      if (message.type === "status") this.status = message as unknown as Status;
      if (message.type === "refused") this.onnotice(message.message ?? "refused");
    } else {
      this.receiveBinary(data);
    }
    this.onchange();
  }

  private receiveBinary(data: ArrayBuffer): void {
    const view = new DataView(data);
    const [kind, epoch, index] = [view.getUint8(0), view.getUint32(4, true), view.getUint32(8, true)];
    if (epoch !== this.epoch) {
      if (kind !== 3) return;
      this.epoch = epoch;
      this.figures.clear();
      this.cache.clear();
      this.cacheBytes = 0;
      this.newest = -1;
      this.asked.clear();
      this.wanted.clear();
    }
    if (kind === 3) {
      this.figures.put(index, new Float64Array(data.slice(16)));
    } else if (kind === 2) {
      this.details = { index, buffer: data };
    } else if (kind === 1) {
      const frame = Frame.parse(data, this.details?.index === index ? this.details.buffer : null);
      this.details = null;
      this.asked.delete(index);
      this.keep(index, frame);
      this.flush();
    }
  }

  private keep(index: number, frame: Frame): void {
    this.cache.set(index, frame);
    this.newest = Math.max(this.newest, index);
    this.cacheBytes += frame.bytes;
    for (const [oldest, old] of this.cache) {
      if (this.cacheBytes <= CACHE_BYTES) break;
      this.cache.delete(oldest);
      this.cacheBytes -= old.bytes;
    }
  }

  cached(index: number): Frame | undefined {
    return this.cache.get(index);
  }

  frame(index: number): Frame | undefined {
    const known = this.cache.get(index);
    if (known) return known;
    if (index >= 0 && index < this.figures.rows) {
      this.wanted.add(index);
      this.flush();
    }
    return undefined;
  }

  private flush(): void {
    if (this.socket.readyState !== WebSocket.OPEN || this.wanted.size === 0) return;
    const now = performance.now();
    for (const [index, at] of this.asked) if (now - at > 3000) this.asked.delete(index);
    if (this.asked.size > 0) return;
    // The latest wish first; the rest would be old by the time it comes.
    const size = this.cache.size > 0 ? this.cacheBytes / this.cache.size : 60 * this.header.moving.length + 1;
    const most = Math.max(1, Math.min(MAX_IN_FLIGHT, Math.floor(MAX_BYTES_IN_FLIGHT / size)));
    const frames = [...this.wanted].filter((index) => !this.cache.has(index)).slice(-most);
    this.wanted.clear();
    if (frames.length === 0) return;
    frames.forEach((index) => this.asked.set(index, now));
    this.socket.send(JSON.stringify({ type: "want", epoch: this.epoch, frames }));
  }

  control(command: Control): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

/** A run inside the page. */
export class FileSource implements Source {
  readonly figures: Figures;
  onchange = () => {};
  onnotice: (message: string) => void = () => {};
  private readonly frames: Frame[];

  private constructor(
    readonly header: Header,
    public status: Status,
    readonly note: string,
    raw: Uint8Array,
  ) {
    this.figures = new Figures(header.columns);
    this.frames = unpack(raw, this.figures);
  }

  static async open(run: HTMLElement, blob: HTMLElement): Promise<FileSource> {
    const { header, status, position_error, bytes } = JSON.parse(run.textContent ?? "") as {
      header: Header;
      status: Status;
      position_error: number;
      bytes: number;
    };
    const packed = Uint8Array.from(atob((blob.textContent ?? "").trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const raw = new Uint8Array(await new Response(stream).arrayBuffer());
    const note = `Packed into ${bytes} bytes; positions are shown to ${position_error.toExponential(1)} m.`;
    return new FileSource({ ...header, live: false }, status, note, raw);
  }

  get newest(): number {
    return this.frames.length - 1;
  }

  cached(index: number): Frame | undefined {
    return this.frames[index];
  }

  frame(index: number): Frame | undefined {
    return this.frames[index];
  }

  control(): void {}
}

/** The layout of crates/msd-view/src/blob.rs. */
function unpack(raw: Uint8Array, figures: Figures): Frame[] {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  if (view.getUint32(0, true) !== 0x5644534d || view.getUint32(4, true) !== 2) throw new Error("the run is of another version");
  const [count, bodies] = [view.getUint32(8, true), view.getUint32(12, true)];
  const [step, quatStep] = [view.getFloat64(16, true), view.getFloat64(24, true)];
  const width = figures.columns.length;
  const rows = new Float64Array(count * width);
  for (let i = 0; i < rows.length; i++) rows[i] = view.getFloat64(32 + 8 * i, true);
  figures.put(0, rows);
  const originsAt = 32 + 8 * rows.length;
  const poses = Array.from({ length: count }, () => new Float32Array(bodies * 13));
  let at = originsAt + 24 * count;
  for (let body = 0; body < bodies; body++) {
    for (let column = 0; column < 7; column++) {
      const unit = column < 3 ? step : quatStep;
      let last = 0;
      let slope = 0;
      for (let i = 0; i < count; i++) {
        let bits = 0;
        let scale = 1;
        let byte: number;
        do {
          byte = raw[at++]!;
          bits += (byte & 0x7f) * scale;
          scale *= 128;
        } while (byte >= 0x80);
        const number = bits % 2 === 0 ? bits / 2 : -(bits + 1) / 2;
        const difference = i < 2 ? number : slope + number;
        last += difference;
        slope = difference;
        poses[i]![body * 13 + column] = last * unit;
      }
    }
  }
  const details = unpackDetails(raw, view, at, count);
  return poses.map((numbers, i) => {
    const origin: Vec = [0, 8, 16].map((o) => view.getFloat64(originsAt + 24 * i + o, true)) as Vec;
    return new Frame(figures.time(i), origin, numbers, null, false, details[i]!);
  });
}

/** Contacts and joints of every frame, as the server would send them. */
function unpackDetails(raw: Uint8Array, view: DataView, at: number, count: number): DataView[] {
  const counts = Array.from({ length: count }, (_, i) => [view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)] as const);
  const frames = counts.map(([contacts, joints]) => {
    const details = new DataView(new ArrayBuffer(DETAILS_HEAD + contacts * CONTACT_BYTES + joints * JOINT_BYTES));
    details.setUint32(12, contacts, true);
    details.setUint32(16, joints, true);
    return details;
  });
  let from = at + 8 * count;
  for (const kind of [0, 1] as const) {
    const size = kind === 0 ? CONTACT_BYTES : JOINT_BYTES;
    const records = counts.reduce((sum, each) => sum + each[kind], 0);
    let first = 0;
    counts.forEach((each, i) => {
      const start = DETAILS_HEAD + (kind === 0 ? 0 : each[0] * CONTACT_BYTES);
      for (let byte = 0; byte < size; byte++) {
        const plane = from + byte * records + first;
        for (let record = 0; record < each[kind]; record++) frames[i]!.setUint8(start + record * size + byte, raw[plane + record]!);
      }
      first += each[kind];
    });
    from += size * records;
  }
  return frames;
}
