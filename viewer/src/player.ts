// The playhead: a time within what was computed, moving on its own or held. A live run is followed at its newest frame;
// anything earlier is history, which is asked for by number and interpolated.

import { POSE, type Frame } from "./model";
import type { Source } from "./source";
import type { Stage } from "./stage";

/** Ticks of the page for which frames are asked for ahead of the playhead. */
const AHEAD = 12;
/** A page that draws more slowly than this slows the playback down, s. */
const SLOWEST_TICK = 0.1;

export class Player {
  time = 0;
  playing = true;
  /** True while the newest frame of a run is followed. */
  following: boolean;
  speed: number;
  /** The frame whose contacts are shown. */
  shown: Frame | undefined;
  shownRow = 0;
  private shownTime = NaN;
  /** Rows between two ticks while playing: a slow page skips those between. */
  private stride = 1;
  private last = performance.now();
  /** A time that was sought before the figures of a recording reached it. */
  private sought: number | null = null;

  constructor(
    private readonly source: Source,
    private readonly stage: Stage,
  ) {
    this.speed = source.header.speed;
    this.following = source.header.live && source.status.ended === null;
  }

  /** Begins to play now, not when the page began to load. */
  begin(): void {
    this.last = performance.now();
  }

  get running(): boolean {
    return this.source.header.live && this.source.status.ended === null;
  }

  /** The last time whose figures are here. */
  get end(): number {
    return this.source.figures.lastTime;
  }

  /** Where the timeline ends: at the duration while more is to come. */
  get horizon(): number {
    return this.source.header.live && !this.running ? this.end : Math.max(this.end, this.source.header.duration);
  }

  /** Moves the playhead and puts the bodies where they were then; true if anything changed. */
  advance(): boolean {
    const now = performance.now();
    const seconds = Math.min((now - this.last) / 1000, SLOWEST_TICK);
    this.last = now;
    const { figures } = this.source;
    if (figures.rows === 0) return false;
    if (this.sought !== null) {
      this.time = Math.min(this.end, this.sought);
      if (this.end >= this.sought) this.sought = null;
    }
    if (this.following) {
      if (!this.running) {
        // The run is over; a page that came late plays the rest of it.
        this.following = false;
        return false;
      }
      // By the time a frame comes there is a newer one: that is asked for, and the one that came is shown.
      this.source.frame(figures.rows - 1);
      const { newest } = this.source;
      const frame = this.source.cached(newest);
      if (!frame || frame === this.shown) return false;
      this.show(newest, frame, undefined, 0);
      return true;
    }
    if (this.playing) {
      const from = figures.rowAt(this.time);
      this.time += seconds * this.speed;
      this.stride = Math.max(1, figures.rowAt(this.time) - from);
      if (this.time >= this.end) {
        this.time = this.end;
        if (this.running) this.follow();
        else this.playing = false;
      }
    }
    return this.showTime();
  }

  /** Puts the bodies where they were at the playhead, as far as frames are here. */
  showTime(): boolean {
    const { figures } = this.source;
    const row = figures.rowAt(this.time);
    const [a, b] = [this.source.frame(row), row + 1 < figures.rows ? this.source.frame(row + 1) : undefined];
    if (this.playing) {
      // Where the playhead will be in the next ticks: frames take a tick or more to come.
      for (let k = 1; k < AHEAD; k++) {
        const next = row + k * this.stride;
        for (const wanted of this.stride > 1 ? [next] : [next, next + 1]) if (wanted < figures.rows && !this.source.cached(wanted)) this.source.frame(wanted);
      }
      // It is on its way: better late than standing still.
      const late = a ? undefined : this.latestBefore(row);
      if (late !== undefined) {
        this.show(late, this.source.cached(late)!, undefined, 0);
        this.shownTime = NaN;
        return true;
      }
    }
    if (!a || this.time === this.shownTime) return false;
    const span = b ? b.time - a.time : 0;
    this.show(row, a, b, span > 0 ? Math.min(1, Math.max(0, (this.time - a.time) / span)) : 0);
    return true;
  }

  /** The row nearest before `row` whose frame is here, if it is newer than the one shown or playback began again. */
  private latestBefore(row: number): number | undefined {
    const from = this.shownRow < row ? this.shownRow + 1 : 0;
    for (let earlier = row - 1; earlier >= from; earlier--) if (this.source.cached(earlier)) return earlier;
    return undefined;
  }

  private show(row: number, a: Frame, b: Frame | undefined, share: number): void {
    const { stage } = this;
    const { position, quat } = stage;
    this.shown = share > 0.5 && b ? b : a;
    this.shownRow = row;
    if (this.following) this.time = a.time;
    // A frame that was still missing makes the same time look different.
    this.shownTime = b || this.time === a.time || row + 1 >= this.source.figures.rows ? this.time : NaN;
    const [p, q] = [a.poses, b?.poses];
    stage.header.moving.forEach((body, k) => {
      const at = POSE * k;
      for (let axis = 0; axis < 3; axis++) {
        let x = a.origin[axis]! + p[at + axis]!;
        if (q && share > 0) x += share * (b!.origin[axis]! + q[at + axis]! - x);
        position[3 * body + axis] = x;
      }
      let dot = 0;
      if (q && share > 0) for (let c = 3; c < 7; c++) dot += p[at + c]! * q[at + c]!;
      let length = 0;
      for (let c = 0; c < 4; c++) {
        let x = p[at + 3 + c]!;
        if (q && share > 0) x += share * ((dot < 0 ? -1 : 1) * q[at + 3 + c]! - x);
        quat[4 * body + c] = x;
        length += x * x;
      }
      length = Math.sqrt(length) || 1;
      for (let c = 0; c < 4; c++) quat[4 * body + c] = quat[4 * body + c]! / length;
    });
    const asleep = this.shown.asleep;
    if (asleep && differs(asleep, stage.asleep)) {
      stage.asleep = asleep.slice();
      stage.recolor();
    }
    stage.draw();
  }

  follow(): void {
    this.sought = null;
    this.following = true;
    this.playing = true;
    this.source.control({ type: "play" });
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    this.sought = null;
    this.playing = true;
    this.last = performance.now();
    if (this.time >= this.end) {
      if (this.running) this.follow();
      else this.time = this.source.figures.time(0);
    }
  }

  pause(): void {
    this.playing = false;
    if (this.running) this.source.control({ type: "pause" });
    this.following = false;
  }

  seek(time: number): void {
    if (this.running && this.following) this.source.control({ type: "pause" });
    this.following = false;
    this.playing = false;
    const { header, figures } = this.source;
    this.sought = !header.live && time > this.end ? time : null;
    this.time = figures.rows > 0 ? Math.min(this.end, Math.max(figures.time(0), time)) : 0;
    if (figures.rows > 0) this.showTime();
  }

  /** One frame on or back; at the end of a live run, one step of the engine. */
  step(by: number): void {
    const { figures } = this.source;
    const row = figures.rowAt(this.time) + by;
    if (by > 0 && row >= figures.rows && this.running) {
      this.playing = false;
      this.following = true;
      this.source.control({ type: "step" });
      return;
    }
    this.seek(figures.time(Math.min(figures.rows - 1, Math.max(0, row))));
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.running) this.source.control({ type: "speed", value: speed });
  }
}

function differs(a: Uint8Array, b: Uint8Array | null): boolean {
  return !b || a.length !== b.length || a.some((value, i) => value !== b[i]);
}
