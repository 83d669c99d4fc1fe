// Small plots over time. A click goes to that time.

import { number } from "./format";

export interface Series {
  name: string;
  color: string;
  /** Value at a row. */
  at: (row: number) => number;
  /** True for an angle that is known up to full turns: steps of more than half a turn are removed. */
  turns?: boolean;
}

export interface PlotSpec {
  title: string;
  unit: string;
  series: Series[];
  /** Powers of ten; for figures that are all far below their limit. */
  log?: boolean;
  /** A line that must not be crossed. */
  limit?: number;
}

const HEIGHT = 92;
const LEFT = 64;
/** More would not fit beside the plot. */
const MOST_DIGITS = 8;

export class Plot {
  readonly element = document.createElement("figure");
  private readonly canvas = document.createElement("canvas");
  private readonly caption = document.createElement("figcaption");
  private readonly legend = document.createElement("span");

  constructor(
    private readonly spec: PlotSpec,
    private readonly seek: (time: number) => void,
  ) {
    this.element.className = "plot";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${spec.title} over time`);
    const title = document.createElement("strong");
    title.textContent = spec.unit ? `${spec.title}, ${spec.unit}` : spec.title;
    this.legend.className = "legend";
    this.caption.append(title, this.legend);
    this.element.append(this.caption, this.canvas);
    this.canvas.addEventListener("pointerdown", (event) => this.go(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 1 && this.go(event));
  }

  private span: [number, number] = [0, 1];

  private go(event: PointerEvent): void {
    const { left, width } = this.canvas.getBoundingClientRect();
    const share = (event.clientX - left - LEFT) / (width - LEFT - 6);
    this.seek(this.span[0] + Math.min(1, Math.max(0, share)) * (this.span[1] - this.span[0]));
  }

  draw(rows: number[], time: (row: number) => number, now: number, row: number, end: number): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(HEIGHT * ratio);
    }
    const g = this.canvas.getContext("2d")!;
    const style = getComputedStyle(this.element);
    const text = style.getPropertyValue("--muted");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, HEIGHT);
    this.span = [rows.length > 0 ? time(rows[0]!) : 0, Math.max(end, 1e-12)];
    const values = this.spec.series.map((series) => (series.turns ? unwrapped(rows.map(series.at)) : rows.map(series.at)));
    const log = this.spec.log ?? false;
    const flat = values.flat().filter((v) => Number.isFinite(v) && (!log || v > 0));
    const x = (t: number) => LEFT + ((t - this.span[0]) / (this.span[1] - this.span[0] || 1)) * (width - LEFT - 6);
    const digits = digitsFor(flat);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = text;
    g.textAlign = "right";
    if (flat.length === 0) {
      g.textAlign = "left";
      const known = values.flat().some((v) => v === 0);
      g.fillText(known ? "exactly 0 all along" : "not recorded", LEFT, HEIGHT / 2);
    } else {
      let low = Math.min(...flat);
      let high = Math.max(...flat);
      if (this.spec.limit !== undefined && log) high = Math.max(high, this.spec.limit);
      if (log) [low, high] = [Math.max(low, high * 1e-14), high];
      const scale = (v: number) => (log ? Math.log10(Math.max(v, low)) : v);
      let [bottom, top] = [scale(low), scale(high)];
      const pad = 0.08 * (top - bottom) || Math.abs(top) * 0.1 || 1;
      [bottom, top] = [bottom - pad, top + pad];
      const y = (v: number) => HEIGHT - 8 - ((scale(v) - bottom) / (top - bottom)) * (HEIGHT - 16);
      g.strokeStyle = style.getPropertyValue("--line");
      g.lineWidth = 1;
      for (const v of low === high ? [low] : [low, high]) {
        g.beginPath();
        g.moveTo(LEFT, Math.round(y(v)) + 0.5);
        g.lineTo(width - 6, Math.round(y(v)) + 0.5);
        g.stroke();
        g.fillText(number(v, digits), LEFT - 6, y(v) + 4);
      }
      if (this.spec.limit !== undefined && log) {
        g.strokeStyle = style.getPropertyValue("--bad");
        g.setLineDash([4, 3]);
        g.beginPath();
        g.moveTo(LEFT, y(this.spec.limit));
        g.lineTo(width - 6, y(this.spec.limit));
        g.stroke();
        g.setLineDash([]);
      }
      this.spec.series.forEach((series, k) => {
        g.strokeStyle = series.color;
        g.lineWidth = 1.6;
        g.lineJoin = "round";
        g.beginPath();
        let pen = false;
        rows.forEach((r, i) => {
          const v = values[k]![i]!;
          if (!Number.isFinite(v)) {
            pen = false;
            return;
          }
          const [px, py] = [x(time(r)), y(log ? Math.max(v, low) : v)];
          if (pen) g.lineTo(px, py);
          else g.moveTo(px, py);
          pen = true;
        });
        g.stroke();
      });
    }
    g.strokeStyle = style.getPropertyValue("--accent");
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(x(now), 2);
    g.lineTo(x(now), HEIGHT - 2);
    g.stroke();
    this.legend.replaceChildren(
      ...this.spec.series.map((series) => {
        const item = document.createElement("span");
        const swatch = document.createElement("i");
        swatch.style.background = series.color;
        item.append(swatch, `${series.name ? `${series.name} ` : ""}${number(series.at(row), digits)}`);
        return item;
      }),
    );
  }
}

/** Significant digits by which the extremes of values are told apart, at least three. */
function digitsFor(values: number[]): number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high > low) || size === 0) return 3;
  return Math.min(MOST_DIGITS, Math.max(3, Math.ceil(Math.log10(size / (high - low))) + 2));
}

/** Angles without steps of more than half a turn. */
function unwrapped(angles: number[]): number[] {
  let turns = 0;
  let last = NaN;
  return angles.map((angle) => {
    if (Number.isFinite(angle - last)) turns -= Math.round((angle - last) / (2 * Math.PI));
    if (Number.isFinite(angle)) last = angle;
    return angle + turns * 2 * Math.PI;
  });
}

/** At most `most` rows spread over `count`, the last included. */
export function spread(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}
