// Why a run can be trusted: certificate, ledger, and the verdict in one line.

import { number } from "./format";
import type { Certificate, Header, Status } from "./model";
import type { PlotSpec } from "./plots";
import type { Figures } from "./model";

type Row = Record<string, number>;

const LAWS: { row: string; name: string; title: string; worst: (row: Row) => number }[] = [
  { row: "contact", name: "Contact", title: "Signorini's and Coulomb's laws: residual and approach velocity, m/s", worst: (r) => Math.max(r.residual!, r.approach_velocity!) },
  { row: "impact", name: "Impact", title: "Restitution asked for and obtained, relative", worst: (r) => r.restitution_error! },
  { row: "geometry", name: "Geometry", title: "Overlap made by a step, relative to the smaller body; bodies that crossed", worst: (r) => r.overlap_made! },
  { row: "displacement", name: "Displacement", title: "Displacement that velocities do not explain, relative to the body", worst: (r) => Math.max(r.distance!, r.angle!) },
  { row: "joints", name: "Joints", title: "Joint error at the end of a step, m or rad", worst: (r) => Math.max(r.position!, r.velocity!) },
  { row: "energy", name: "Energy", title: "Energy that nothing explains, relative", worst: (r) => r.relative! },
];

/** Share of the energy that may be unaccounted for before a result is called into doubt, as `msd run` has it. */
const DOUBTFUL = 1e-2;

/** The largest energy that a run dealt with, J. */
function energyScale(energy: Record<string, number>): number {
  return Math.max(...["initial", "kinetic", "potential", "work_in", "dissipated", "correction"].map((key) => Math.abs(energy[key] ?? 0)));
}

export interface Verdict {
  mark: "✓" | "✗" | "…" | "?";
  text: string;
  /** Where the trouble is. */
  bodies: string[];
  time: number | null;
}

/** The verdict of a run, or of its steps so far. */
export function verdict(header: Header, status: Status, figures: Figures): Verdict {
  const certificate = status.certificate;
  if (status.ended === "failed") {
    const bodies = header.bodies.map((body) => body.name).filter((name) => (status.message ?? "").includes(`\`${name}\``) || (status.message ?? "").includes(`'${name}'`));
    return { mark: "✗", text: `failed at t = ${number(status.time)} s: ${status.message ?? ""}`, bodies, time: status.time };
  }
  if (!certificate) return { mark: "?", text: "this recording holds no certificate", bodies: [], time: null };
  const energy = status.energy;
  const scale = energy ? energyScale(energy) : 0;
  const share = energy && scale > 0 ? (energy.max_error ?? 0) / scale : 0;
  const parts = [`energy accounted for to ${number(share, 2)}`];
  let [overlap, residual, contacts] = [0, 0, 0];
  const [c, p, r] = ["contacts", "penetration", "residual"].map((name) => figures.columns.indexOf(name)) as [number, number, number];
  for (let row = 0; row < figures.rows; row++) {
    contacts = Math.max(contacts, figures.get(row, c));
    overlap = Math.max(overlap, figures.get(row, p));
    residual = Math.max(residual, figures.get(row, r));
  }
  if (contacts > 0) parts.push(`overlap at most ${number(overlap, 2)} m`, `contact residual ${number(residual, 2)}`);
  const first = certificate.first_failure;
  if (first) {
    return { mark: "✗", text: `NOT certified in ${certificate.failed_steps} of ${certificate.steps} steps; first: ${first.message}`, bodies: first.bodies, time: first.time };
  }
  if (share > DOUBTFUL) return { mark: "✗", text: `NOT trustworthy: ${parts.join(" · ")}; reduce dt or use another integrator`, bodies: [], time: null };
  const steps = certificate.steps === 1 ? "1 step" : `${certificate.steps} steps`;
  if (certificate.steps === 0) return { mark: "…", text: "not begun", bodies: [], time: null };
  const done = status.ended ? `${status.ended === "done" ? "done" : status.ended}, every` : "every";
  return { mark: "✓", text: `${done} step certified (${steps}) · ${parts.join(" · ")}`, bodies: [], time: null };
}

/** Fills the table of laws. `go` selects bodies. */
export function fillCertificate(body: HTMLElement, header: Header, status: Status, go: (names: string[], time: number | null) => void): void {
  const certificate = status.certificate as Certificate | null;
  const rows = LAWS.map((law) => {
    const tr = document.createElement("tr");
    tr.title = law.title;
    const figures = certificate?.[law.row] as Row | undefined;
    const worst = figures ? law.worst(figures) : NaN;
    const failed = figures?.failed_steps ?? 0;
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = law.name;
    const value = document.createElement("td");
    const culprits = status.worst_bodies?.[law.row] ?? [];
    if (culprits.length > 0) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = number(worst, 3);
      button.title = `Worst: ${culprits.join(" and ")}. Click to select.`;
      button.addEventListener("click", () => go(culprits, null));
      value.append(button);
    } else {
      value.textContent = number(worst, 3);
    }
    const limit = document.createElement("td");
    limit.textContent = number(header.limits[law.row], 2);
    const state = document.createElement("td");
    state.textContent = !figures ? "–" : failed === 0 ? "✓ all" : `✗ ${failed}`;
    state.className = !figures ? "" : failed === 0 ? "good" : "bad";
    tr.append(name, value, limit, state);
    return tr;
  });
  body.replaceChildren(...rows);
}

/** Fills the ledger with the figures of one row. */
export function fillLedger(list: HTMLElement, figures: Figures, row: number): void {
  const value = (name: string) => figures.get(row, figures.columns.indexOf(name));
  const entries: [string, number][] = [
    ["Kinetic", value("kinetic")],
    ["Potential", value("potential")],
    ["Total", value("kinetic") + value("potential")],
    ["Work put in", value("work_in")],
    ["Dissipated", value("dissipated")],
    ["Position correction", value("correction")],
    ["Error of the ledger", value("error")],
  ];
  list.replaceChildren(
    ...entries.flatMap(([name, joules]) => {
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = name;
      dd.textContent = `${number(joules, 6)} J`;
      return [dt, dd];
    }),
  );
}

/** The plots of every run. */
export function trustPlots(figures: Figures): PlotSpec[] {
  const column = (name: string) => {
    const index = figures.columns.indexOf(name);
    return (row: number) => figures.get(row, index);
  };
  const [kinetic, potential] = [column("kinetic"), column("potential")];
  const error = column("error");
  return [
    {
      title: "Energy",
      unit: "J",
      series: [
        { name: "kinetic", color: "#3f9be8", at: kinetic },
        { name: "potential", color: "#ee8434", at: potential },
        { name: "total", color: "#8fa3b8", at: (row) => kinetic(row) + potential(row) },
      ],
    },
    { title: "Error of the ledger", unit: "J", series: [{ name: "", color: "#d5527a", at: error }] },
    { title: "Certificate, share of its limit", unit: "", log: true, limit: 1, series: [{ name: "", color: "#8b6ad6", at: column("certificate") }] },
    { title: "Overlap", unit: "m", log: true, series: [{ name: "", color: "#2fa37c", at: column("penetration") }] },
    { title: "Contact residual", unit: "m/s", log: true, limit: 1e-8, series: [{ name: "", color: "#35a3c2", at: column("residual") }] },
    { title: "Contacts", unit: "", series: [{ name: "", color: "#d6a21e", at: column("contacts") }] },
  ];
}
