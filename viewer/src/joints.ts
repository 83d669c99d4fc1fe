// The pane of joints: where each is, sliders for actuators and motors, and plots of the joint that is chosen.

import { number } from "./format";
import type { Frame, Header } from "./model";
import { Plot, type PlotSpec } from "./plots";
import type { Source } from "./source";

const COLORS = ["#3f9be8", "#ee8434", "#2fa37c", "#d5527a", "#8b6ad6", "#d6a21e", "#35a3c2", "#a9683f"];
/** Joints in one plot, so that its legend can be read. */
const TOGETHER = 8;

const $ = (id: string) => document.getElementById(id)!;

export class Joints {
  /** Numbers of the joints with an axis. */
  readonly axes: number[];
  private readonly cells = new Map<number, HTMLElement[]>();
  private readonly inputs: HTMLInputElement[] = [];
  private readonly outputs: HTMLOutputElement[] = [];
  private plots: Plot[] = [];
  private chosen: number | null = null;

  constructor(
    private readonly source: Source,
    private readonly seek: (time: number) => void,
    private readonly changed: () => void,
  ) {
    const { header } = source;
    this.axes = header.joints.flatMap((joint, k) => (joint.unit !== null && joint.along === null ? [k] : []));
    this.buildDrives(header);
    this.buildTable(header);
    this.choose(null);
  }

  /** True if there is anything to show. */
  static concern(header: Header): boolean {
    return header.joints.some((joint) => joint.unit !== null) || header.drives.length > 0;
  }

  private buildDrives(header: Header): void {
    $("drives-title").hidden = header.drives.length === 0;
    header.drives.forEach((drive, k) => {
      const row = document.createElement("div");
      row.className = "drive";
      const label = document.createElement("label");
      const input = document.createElement("input");
      const output = document.createElement("output");
      const unit = drive.joint === null ? null : (header.joints[drive.joint]?.unit ?? null);
      label.textContent = drive.name;
      label.title = drive.kind === "motor" ? `velocity of the motor, ${unit}/s` : `control of the actuator on ${drive.joint === null ? "a joint" : header.joints[drive.joint]!.name}`;
      Object.assign(input, { type: "range", id: `drive-${k}`, min: String(drive.range[0]), max: String(drive.range[1]), step: "any", value: String(drive.value) });
      label.htmlFor = input.id;
      output.textContent = number(drive.value, 3);
      input.addEventListener("input", () => {
        output.textContent = number(Number(input.value), 3);
        this.source.control({ type: "drive", drive: k, value: Number(input.value) });
      });
      row.append(label, input, output);
      $("drives").append(row);
      this.inputs.push(input);
      this.outputs.push(output);
    });
  }

  /** Sliders go back to where they were, with the run. */
  restart(): void {
    this.source.header.drives.forEach((drive, k) => {
      this.inputs[k]!.value = String(drive.value);
      this.outputs[k]!.textContent = number(drive.value, 3);
    });
  }

  private buildTable(header: Header): void {
    const rows = this.axes.map((k) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = header.joints[k]!.name;
      button.title = `${header.joints[k]!.kind}: plot it alone`;
      button.addEventListener("click", () => this.choose(this.chosen === k ? null : k));
      name.append(button);
      const cells = [0, 1, 2].map(() => document.createElement("td"));
      row.append(name, ...cells);
      this.cells.set(k, cells);
      return row;
    });
    $("joints-table").querySelector("tbody")!.replaceChildren(...rows);
  }

  /** Plots one joint with its velocity and force, or the positions of the first joints together. */
  choose(joint: number | null): void {
    this.chosen = joint;
    const { header } = this.source;
    const shown = joint === null ? this.axes.slice(0, TOGETHER) : [joint];
    const series = (column: 0 | 1 | 2) =>
      shown.map((k, i) => ({ name: joint === null ? header.joints[k]!.name : "", color: COLORS[i % COLORS.length]!, at: (row: number) => this.source.cached(row)?.axis(k, column) ?? NaN, turns: column === 0 && header.joints[k]!.unit === "rad" }));
    const units = new Set(shown.map((k) => header.joints[k]!.unit));
    const unit = units.size === 1 ? [...units][0]! : "rad or m";
    const specs: PlotSpec[] = shown.length === 0 ? [] : [{ title: joint === null ? "Positions" : `${header.joints[joint]!.name}, position`, unit, series: series(0) }];
    if (joint !== null) specs.push({ title: "Velocity", unit: `${unit}/s`, series: series(1) });
    if (joint !== null) specs.push({ title: "Force along the axis", unit: unit === "m" ? "N" : "N·m", series: series(2) });
    this.plots = specs.map((spec) => new Plot(spec, this.seek));
    $("joint-plots").replaceChildren(...this.plots.map((plot) => plot.element));
    for (const [k, cells] of this.cells) cells[0]!.parentElement!.toggleAttribute("data-chosen", k === joint);
    this.changed();
  }

  update(frame: Frame | undefined, rows: number[], now: number, row: number, end: number): void {
    const { figures, header } = this.source;
    for (const [k, cells] of this.cells) {
      const values = ([0, 1, 2] as const).map((column) => frame?.axis(k, column) ?? NaN);
      const unit = header.joints[k]!.unit;
      const texts = values.map((value) => number(value, 3));
      cells[0]!.title = `${unit}`;
      cells.forEach((cell, i) => (cell.textContent = Number.isFinite(values[i]!) ? texts[i]! : "–"));
    }
    for (const plot of this.plots) plot.draw(rows, (r) => figures.time(r), now, row, end);
  }
}
