// The pane of the selected body: mass, state, contacts, joints, and plots.

import { number } from "./format";
import type { Vec } from "./model";
import type { Player } from "./player";
import { Plot } from "./plots";
import type { Source } from "./source";
import type { Stage } from "./stage";

const $ = (id: string) => document.getElementById(id)!;

export class BodyPane {
  private plots: Plot[] = [];

  constructor(
    private readonly source: Source,
    private readonly stage: Stage,
    private readonly seek: (time: number) => void,
  ) {}

  /** Plots of a body; none for a body that stands. */
  choose(body: number | null): void {
    const slot = body === null ? -1 : this.source.header.moving.indexOf(body);
    if (body === null || slot < 0) {
      this.plots = [];
      $("body-plots").replaceChildren();
      return;
    }
    const get = (row: number, f: (poses: Float32Array, at: number, origin: Vec) => number) => {
      const frame = this.source.cached(row);
      return frame ? f(frame.poses, 13 * slot, frame.origin) : NaN;
    };
    const speedOf = (row: number) => {
      const frame = this.source.cached(row);
      if (!frame) return NaN;
      if (frame.hasVelocities) return Math.hypot(...frame.poses.subarray(13 * slot + 7, 13 * slot + 10));
      const [a, b] = [this.source.cached(Math.max(0, row - 1)), this.source.cached(row + 1) ?? frame];
      if (!a || !b || b.time === a.time) return NaN;
      return Math.hypot(...[0, 1, 2].map((k) => b.origin[k]! + b.poses[13 * slot + k]! - a.origin[k]! - a.poses[13 * slot + k]!)) / (b.time - a.time);
    };
    const planet = this.source.header.planets[0];
    const height = planet
      ? { title: `Altitude over ${planet.name}`, unit: "m", series: [{ name: "", color: "#3f9be8", at: (row: number) => get(row, (p, at, o) => Math.hypot(...[0, 1, 2].map((k) => o[k]! + p[at + k]! - planet.center[k]!)) - planet.radius) }] }
      : {
          title: "Position",
          unit: "m",
          series: ["x", "y", "z"].map((name, k) => ({ name, color: ["#e5484d", "#30a46c", "#3f9be8"][k]!, at: (row: number) => get(row, (p, at, o) => o[k]! + p[at + k]!) })),
        };
    const specs = [
      height,
      { title: "Speed", unit: "m/s", series: [{ name: "", color: "#ee8434", at: speedOf }] },
      { title: "Spin", unit: "rad/s", series: [{ name: "", color: "#8b6ad6", at: (row: number) => (this.source.cached(row)?.hasVelocities ? get(row, (p, at) => Math.hypot(p[at + 10]!, p[at + 11]!, p[at + 12]!)) : NaN) }] },
    ];
    this.plots = specs.map((spec) => new Plot(spec, this.seek));
    $("body-plots").replaceChildren(...this.plots.map((plot) => plot.element));
  }

  /** State, contacts and joints of the selected body at the frame shown, and its plots. */
  update(player: Player, rows: number[], end: number): void {
    const { source, stage } = this;
    const { figures, header } = source;
    const body = stage.selected;
    if (body === null) {
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = "Click a body, or choose one.";
      $("body-facts").replaceChildren(note);
      return;
    }
    const { name, kind, mass } = header.bodies[body]!;
    const slot = header.moving.indexOf(body);
    const frame = player.shown;
    const position = Array.from(stage.position.subarray(3 * body, 3 * body + 3));
    const facts: [string, string][] = [
      ["Kind", kind],
      ["Mass", mass === null ? "not movable" : `${number(mass)} kg`],
      ["Position", `${position.map((x) => number(x, 6)).join(", ")} m`],
    ];
    if (slot >= 0 && frame?.hasVelocities) {
      const v = Array.from(frame.poses.subarray(13 * slot + 7, 13 * slot + 10));
      const w = Array.from(frame.poses.subarray(13 * slot + 10, 13 * slot + 13));
      facts.push(["Velocity", `${v.map((x) => number(x)).join(", ")} m/s`], ["Spin", `${w.map((x) => number(x)).join(", ")} rad/s`]);
      if (mass !== null) facts.push(["Kinetic, linear", `${number(0.5 * mass * v.reduce((s, x) => s + x * x, 0))} J`]);
      if (frame.asleep) facts.push(["State", frame.asleep[slot] === 1 ? "asleep" : "awake"]);
    }
    const touching = (frame?.contacts() ?? []).filter((contact) => contact.a === body || contact.b === body);
    const partners = new Map<number, { count: number; force: number }>();
    for (const contact of touching) {
      const other = contact.a === body ? contact.b : contact.a;
      const known = partners.get(other) ?? { count: 0, force: 0 };
      partners.set(other, { count: known.count + 1, force: known.force + contact.normalForce });
    }
    facts.push(["Contacts", touching.length === 0 ? "none" : String(touching.length)]);
    for (const [other, { count, force }] of partners) facts.push([`· ${header.bodies[other]!.name}`, `${count} with ${number(force)} N`]);
    const loads = frame?.joints() ?? [];
    header.joints.forEach((joint, k) => {
      if (joint.a !== body && joint.b !== body) return;
      const load = loads[k];
      facts.push([`Joint ${joint.name}`, load ? `${joint.kind}, ${number(Math.hypot(...load.force))} N, ${number(Math.hypot(...load.torque))} N·m` : joint.kind]);
    });
    const list = document.createElement("dl");
    list.append(
      ...facts.flatMap(([key, value]) => {
        const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
        dt.textContent = key;
        dd.textContent = value;
        return [dt, dd];
      }),
    );
    const title = document.createElement("h2");
    title.textContent = name;
    $("body-facts").replaceChildren(title, list);
    for (const plot of this.plots) plot.draw(rows, (row) => figures.time(row), player.time, player.shownRow, end);
  }
}
