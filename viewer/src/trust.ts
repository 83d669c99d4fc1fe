// Why a run can be trusted: certificate, ledger, and the verdict in one line.

import { number } from "./format";
import type { Certificate, Header, Status } from "./model";
import type { PlotSpec } from "./plots";
import type { Figures } from "./model";

type Row = Record<string, number>;

const LAWS: { row: string; name: string; title: string; worst: (row: Row) => number }[] = [
  { row: "contact", name: "Contact", title: "Signorini's and Coulomb's laws: residual and approach velocity, m/s", worst: (r) => Math.max(r.residual!, r.approach_velocity!, r.momentum_error ?? 0) },
  { row: "impact", name: "Impact", title: "Restitution wanted and obtained, and where bodies touched, relative", worst: (r) => Math.max(r.restitution_error!, r.geometry_error ?? 0) },
  { row: "geometry", name: "Geometry", title: "Overlap made by a step, relative to the smaller body; bodies that crossed", worst: (r) => Math.max(r.overlap_made!, r.force_apart ?? 0, r.tilted_normal ?? 0) },
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

/** What a row that broke its limit means, and what helps. */
const MEANING: Record<string, { means: string; helps: string }> = {
  contact: { means: "the velocities after the step obey the laws of contact and friction less exactly than the limit allows", helps: "a smaller dt, or solver = \"exact\"" },
  impact: { means: "bodies separated after an impact with another speed than their restitution asks for", helps: "a smaller dt" },
  geometry: { means: "bodies overlapped more, or came out of an overlap faster, than the step can explain, or one passed through another", helps: "a smaller dt, or thicker bodies" },
  displacement: { means: "a body moved or turned farther than its velocity explains, because overlap was removed from positions", helps: "a smaller dt, or a start without overlap" },
  joints: { means: "a joint was open at the end of a step by more than the limit", helps: "a smaller dt, or consistent anchors and velocities at the start" },
  energy: { means: "energy changed and neither work, nor friction, nor an impact explains it", helps: "a smaller dt, or another integrator" },
};

/** Says what a verdict against the run means, and leads to the place; empty for a run that is certified. */
export function explain(element: HTMLElement, status: Status, figures: Figures, found: Verdict, go: (names: string[], time: number | null) => void): void {
  const first = status.certificate?.first_failure;
  const key = first ? `${first.step} ${first.row} ${status.certificate?.failed_steps}` : found.mark === "✗" ? found.text : "";
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren();
  if (!first) {
    if (found.mark === "✗" && status.ended === "failed") element.append(paragraph(`The run stopped with an error: ${status.message ?? ""}`));
    return;
  }
  const { steps, failed_steps } = status.certificate!;
  const known = MEANING[first.row];
  element.append(
    paragraph(`${failed_steps} of ${steps} steps broke a limit. Do not rely on what happens from t = ${number(first.time, 4)} s on without checking it.`),
    paragraph(`First: ${first.message}.`),
  );
  if (known) element.append(paragraph(`This means that ${known.means}. It often helps to use ${known.helps}.`));
  const button = (text: string, act: () => void) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    element.append(made);
  };
  button(`Go to t = ${number(first.time, 4)} s`, () => go(first.bodies, first.time));
  const column = figures.columns.indexOf("certificate");
  const worst = worstRow(figures, column);
  if (worst !== null && figures.time(worst) !== first.time) button(`Go to the worst step, t = ${number(figures.time(worst), 4)} s`, () => go(status.worst_bodies?.[first.row] ?? [], figures.time(worst)));
}

/** The worst moment of a run and the bodies behind it: the first step that broke a limit, or the one nearest to it. */
export function worstStep(figures: Figures, status: Status): { time: number; bodies: string[] } | null {
  const first = status.certificate?.first_failure;
  if (first) return { time: first.time, bodies: first.bodies };
  const row = worstRow(figures, figures.columns.indexOf("certificate"));
  if (row === null) return null;
  return { time: figures.time(row), bodies: Object.values(status.worst_bodies ?? {}).find((found) => found.length > 0) ?? [] };
}

function worstRow(figures: Figures, column: number): number | null {
  let worst: number | null = null;
  for (let row = 0; row < figures.rows; row++) {
    const value = figures.get(row, column);
    if (Number.isFinite(value) && value > (worst === null ? 0 : figures.get(worst, column))) worst = row;
  }
  return worst;
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
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
