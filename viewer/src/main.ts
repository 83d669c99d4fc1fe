// The page: controls, panels, keys, labels; ties source, player and stage together.

import * as THREE from "three";
import { THEMES } from "./colors";
import { clock, number, speed as speedText } from "./format";
import type { Frame, Vec } from "./model";
import { Overlays, type Shown } from "./overlays";
import { Pictures } from "./pictures";
import { Player } from "./player";
import { Plot, spread } from "./plots";
import { islandsOf } from "./islands";
import { Joints } from "./joints";
import { FileSource, SocketSource, type Source } from "./source";
import { Stage } from "./stage";
import { explain, fillCertificate, fillLedger, trustPlots, verdict } from "./trust";

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const root = document.documentElement;
const MAX_LABELS = 80;
const PLOT_ROWS = 500;
/** Frames of a recording that the first view is made to hold. */
const BOUND_ROWS = 16;
/** Frames that a trail goes through. */
const TRAIL_ROWS = 300;

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** A line across the top, for what went wrong. */
function notice(message: string): void {
  $("notice").textContent = message;
}

async function open(): Promise<Source> {
  const [run, blob] = [document.getElementById("msd-run"), document.getElementById("msd-blob")];
  if (run && blob) return FileSource.open(run, blob);
  return SocketSource.open(location.hash.slice(1));
}

class Page {
  private readonly stage: Stage;
  private readonly player: Player;
  private readonly overlays: Overlays;
  private readonly plots: Plot[];
  private readonly joints: Joints | null;
  private readonly pictures: Pictures;
  private bodyPlots: { plot: Plot; body: number }[] = [];
  private readonly shown: Shown & { labels: boolean; grid: boolean; seeThrough: boolean; asleep: boolean; collision: boolean; islands: boolean };
  private dirty = true;
  private lastPanel = 0;
  private userMoved = false;
  private lastFraming = 0;
  private framedSize = 0;
  private framed = false;
  private dragging: { body: number; local: Vec; plane: THREE.Plane } | null = null;
  private frames = 0;

  constructor(private readonly source: Source) {
    const { header } = source;
    document.title = `${header.name} – msd`;
    $("name").textContent = header.name;
    const count = header.moving.length;
    const joints = header.joints.filter((joint) => joint.along === null).length;
    const actuators = header.drives.filter((drive) => drive.kind === "actuator").length;
    $("facts").textContent = [
      counted(header.bodies.length, "body", "bodies"),
      joints > 0 ? counted(joints, "joint", "joints") : "",
      actuators > 0 ? counted(actuators, "actuator", "actuators") : "",
      header.integrator,
      header.dt > 0 ? `steps of ${number(header.dt)} s` : "",
    ]
      .filter(Boolean)
      .join(" · ");
    this.stage = new Stage($<HTMLCanvasElement>("view"), header);
    root.toggleAttribute("data-space", this.stage.inSpace);
    this.player = new Player(source, this.stage);
    this.pictures = new Pictures(this.stage, header.name, () => this.player.time, notice);
    this.overlays = new Overlays(this.stage, () => this.past());
    const wide = this.stage.inSpace && count < 20 && this.stage.frameOfView === "world";
    this.shown = {
      contacts: false,
      joints: header.joints.length > 0,
      velocities: false,
      trails: wide || (count === 1 && header.joints.length > 0),
      centers: false,
      boxes: false,
      labels: wide || (this.stage.inSpace && count <= 8),
      grid: true,
      seeThrough: this.stage.encloses(),
      asleep: true,
      collision: false,
      islands: false,
    };
    this.plots = trustPlots(source.figures).map((spec) => new Plot(spec, (time) => this.player.seek(time)));
    $("plots").append(...this.plots.map((plot) => plot.element));
    this.joints = Joints.concern(header) ? new Joints(source, (time) => this.player.seek(time), () => this.redraw()) : null;
    $("tab-joints").hidden = this.joints === null;
    this.buildPanels();
    this.buildTransport();
    this.buildKeys();
    this.buildPointer();
    if (innerWidth < 760) this.openPanel(false);
    this.setTheme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    this.stage.setSeeThrough(this.shown.seeThrough);
    source.onchange = () => (this.dirty = true);
    source.onnotice = notice;
    if (source.note) $("certificate-note").textContent = source.note;
    new ResizeObserver(() => this.resize()).observe($("stage"));
    this.resize();
    this.frame(this.expectedBounds());
    this.stage.draw();
    const loop = () => {
      this.tick();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  /** Moves the camera so that a box fills the view. */
  private frame(box: THREE.Box3): void {
    this.framedSize = box.getSize(new THREE.Vector3()).length();
    this.stage.frameAll(box);
  }

  /** Bounds of the start, and of where bodies without joints fly to in the time that a look takes. */
  private expectedBounds(): THREE.Box3 {
    const { header } = this.source;
    const box = this.stage.bounds();
    if (this.stage.inSpace) return box;
    this.expandByHistory(box);
    const g = new THREE.Vector3(...header.gravity);
    const jointed = new Set(header.joints.flatMap((joint) => [joint.a, joint.b]));
    const first = this.source.cached(0) ?? this.source.frame(0);
    const size = box.getSize(new THREE.Vector3()).length();
    const floor = header.bodies.some((body) => body.shapes.some((shape) => header.geometries[shape.geometry]!.kind === "plane"));
    header.moving.forEach((body, k) => {
      const at = new THREE.Vector3().fromArray(this.stage.position, 3 * body);
      // Of a recording it is known where bodies go.
      if (jointed.has(body) || !header.live) return;
      const v = first?.hasVelocities ? new THREE.Vector3().fromArray(first.poses, 13 * k + 7) : new THREE.Vector3();
      for (let i = 1; i <= 8; i++) {
        const t = (header.duration * i) / 8;
        const p = at.clone().addScaledVector(v, t).addScaledVector(g, 0.5 * t * t);
        if (floor && p.z < 0) p.z = 0;
        if (p.distanceTo(at) < 6 * Math.max(size, 2 * this.stage.radii[body]!)) box.expandByPoint(p);
      }
      // What falls to a floor needs the floor in the picture.
      if (floor && g.length() > 0 && at.z < 6 * Math.max(size, 1e-9)) box.expandByPoint(new THREE.Vector3(at.x, at.y, Math.min(at.z, 0)));
    });
    // Pendulums swing about their anchors; of a recording it is known how far.
    first?.joints().forEach((joint, k) => {
      const { a, b } = header.joints[k] ?? { a: null, b: null };
      if (!joint.anchor.every(Number.isFinite)) return;
      const anchor = new THREE.Vector3(...joint.anchor);
      box.expandByPoint(anchor);
      const body = a === null ? b : b === null ? a : null;
      if (body === null || !header.live) return;
      const arm = new THREE.Vector3().fromArray(this.stage.position, 3 * body).distanceTo(anchor) + this.stage.radii[body]!;
      box.expandByPoint(anchor.clone().addScalar(0.7 * arm));
      box.expandByPoint(anchor.clone().subScalar(0.7 * arm));
    });
    return box;
  }

  /** Frames before the one shown, at most as many as a line needs; those that are missing are asked for. */
  private past(): Frame[] {
    const rows = spread(this.player.shownRow, TRAIL_ROWS);
    if (!this.player.playing) rows.filter((row) => !this.source.cached(row)).slice(0, 48).forEach((row) => this.source.frame(row));
    return rows.map((row) => this.source.cached(row)).filter((frame) => frame !== undefined);
  }

  /** Includes where bodies were in the frames that are here, unless they leave for good. */
  private expandByHistory(box: THREE.Box3): void {
    const { header, figures } = this.source;
    const reach = box.clone().expandByScalar(4 * box.getSize(new THREE.Vector3()).length());
    for (const row of spread(figures.rows, BOUND_ROWS)) {
      const frame = this.source.cached(row);
      if (!frame) continue;
      header.moving.forEach((body, k) => {
        const at = new THREE.Vector3().fromArray(frame.poses, 13 * k).add(new THREE.Vector3(...frame.origin));
        if (!reach.containsPoint(at)) return;
        const inner = 0.6 * this.stage.radii[body]!;
        box.expandByPoint(at.clone().addScalar(inner));
        box.expandByPoint(at.clone().subScalar(inner));
      });
    }
    // Half spaces are the ground: nothing is below that would have to be seen.
    if (header.bodies.some((body) => body.shapes.some((shape) => header.geometries[shape.geometry]!.kind === "plane")) && header.gravity[2] < 0) box.min.z = Math.max(box.min.z, Math.min(0, this.stage.bounds().min.z));
  }

  private tick(): void {
    const moved = this.player.advance();
    if (moved || this.dirty) {
      if (!this.source.header.live && !this.framed && this.source.figures.rows > 0) spread(this.source.figures.rows, BOUND_ROWS).forEach((row) => this.source.frame(row));
      const known = this.source.header.live ? this.source.cached(0) : spread(this.source.figures.rows, BOUND_ROWS).every((row) => this.source.cached(row));
      if (!this.framed && this.source.figures.rows > 0 && known) {
        // Velocities and joints are known with the first frame.
        this.framed = true;
        if (!this.userMoved) this.frame(this.expectedBounds());
      }
      this.overlays.update(this.shown, this.player.shown);
      if (this.shown.islands) this.showIslands();
      this.stage.changed = true;
    }
    this.updatePull();
    this.stage.renderIfChanged();
    this.frames++;
    this.updateLabels();
    this.updateTransport();
    const now = performance.now();
    if ((this.dirty || moved) && now - this.lastPanel > 120) {
      this.lastPanel = now;
      this.dirty = false;
      this.updatePanel();
    }
    root.dataset.frames = String(this.frames);
    root.dataset.instances = String(this.stage.instances);
    root.dataset.time = String(this.player.time);
    root.dataset.rows = String(this.source.figures.rows);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = $("stage");
    if (clientWidth === 0) return;
    // The view is centred in what the panel leaves free.
    this.stage.resize(clientWidth, clientHeight);
    const open = root.dataset.panel !== "closed" && clientWidth > 760;
    this.stage.freeWidth = open ? (clientWidth - 360) / clientWidth : 1;
    if (open) this.stage.camera.setViewOffset(clientWidth, clientHeight, 172, 34, clientWidth, clientHeight);
    // In a narrow window the panel covers the lower part.
    else if (root.dataset.panel !== "closed") this.stage.camera.setViewOffset(clientWidth, clientHeight, 0, 0.26 * clientHeight, clientWidth, clientHeight);
    else this.stage.camera.setViewOffset(clientWidth, clientHeight, 0, 34, clientWidth, clientHeight);
    if (!this.userMoved) this.frame(this.expectedBounds());
    this.dirty = true;
  }

  // Transport

  private buildTransport(): void {
    const { player } = this;
    $("play").addEventListener("click", () => player.toggle());
    $("step").addEventListener("click", () => player.step(1));
    $("back").addEventListener("click", () => player.step(-1));
    $("reset").addEventListener("click", () => this.reset());
    $<HTMLInputElement>("timeline").addEventListener("input", (event) => player.seek(Number((event.target as HTMLInputElement).value)));
    const choice = $<HTMLSelectElement>("speed");
    const speeds = new Set<number>();
    for (let power = -6; power <= 4; power++) speeds.add(2 ** power);
    for (let s = 32; s <= this.source.header.speed * 16; s *= 2) speeds.add(s);
    speeds.add(this.source.header.speed);
    for (const s of [...speeds].sort((a, b) => a - b)) choice.append(new Option(speedText(s), String(s)));
    choice.value = String(this.player.speed);
    choice.addEventListener("change", () => player.setSpeed(Number(choice.value)));
  }

  private changeSpeed(by: number): void {
    const choice = $<HTMLSelectElement>("speed");
    choice.selectedIndex = Math.min(choice.length - 1, Math.max(0, choice.selectedIndex + by));
    this.player.setSpeed(Number(choice.value));
  }

  private reset(): void {
    this.overlays.restart();
    if (this.source.header.live) this.joints?.restart();
    if (this.source.header.live && this.source.status.may_reset) {
      this.source.control({ type: "reset" });
      this.player.follow();
    } else {
      this.player.seek(this.source.figures.time(0));
    }
  }

  private updateTransport(): void {
    const { player, source } = this;
    const end = Math.max(player.running ? source.header.duration : player.end, 1e-12);
    const timeline = $<HTMLInputElement>("timeline");
    if (Number(timeline.max) !== end) timeline.max = String(end);
    if (document.activeElement !== timeline || player.playing) timeline.value = String(player.time);
    timeline.setAttribute("aria-valuetext", clock(player.time, end));
    $("clock").textContent = clock(player.time, source.header.duration);
    const play = $("play");
    if (play.hasAttribute("data-playing") !== player.playing) {
      play.toggleAttribute("data-playing", player.playing);
      play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
    const live = player.running && player.following && player.playing;
    $("factor").textContent = live && source.status.factor > 0 ? `${number(source.status.factor, 2)} × real` : "";
  }

  // Panels

  private openPanel(open: boolean): void {
    root.dataset.panel = open ? "open" : "closed";
    $("panel-open").setAttribute("aria-expanded", String(open));
    this.resize();
  }

  private showTab(name: string): void {
    for (const tab of ["trust", "body", "joints", "show"]) {
      const chosen = tab === name;
      $(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
      $(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
      $(`pane-${tab}`).hidden = !chosen;
    }
    this.redraw();
  }

  /** Draws the panel with the next frame. */
  private redraw(): void {
    this.dirty = true;
    this.lastPanel = 0;
  }

  private buildPanels(): void {
    const tabs = ["trust", "body", "joints", "show"].filter((tab) => !$(`tab-${tab}`).hidden);
    tabs.forEach((tab, i) => {
      $(`tab-${tab}`).addEventListener("click", () => this.showTab(tab));
      $(`tab-${tab}`).addEventListener("keydown", (event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by === 0) return;
        const next = tabs[(i + by + tabs.length) % tabs.length]!;
        this.showTab(next);
        $(`tab-${next}`).focus();
        event.stopPropagation();
      });
    });
    const { bodies, moving } = this.source.header;
    const choice = $<HTMLSelectElement>("body-choice");
    choice.append(new Option("none", ""), ...bodies.map((body, i) => new Option(body.name, String(i))));
    choice.addEventListener("change", () => this.select(choice.value === "" ? null : Number(choice.value), false));
    const frame = $<HTMLSelectElement>("frame-choice");
    frame.append(new Option("the world", "world"), new Option("the centre of all bodies", "centre"), ...moving.map((i) => new Option(bodies[i]!.name, String(i))));
    const turns = $<HTMLInputElement>("frame-turns");
    const change = () => {
      const value = frame.value === "world" || frame.value === "centre" ? frame.value : Number(frame.value);
      this.stage.setFrameOfView(value, turns.checked);
      this.userMoved = true;
      this.dirty = true;
    };
    frame.addEventListener("change", change);
    turns.addEventListener("change", change);
    frame.value = String(this.stage.frameOfView);
    const toggles: [keyof Page["shown"], string, string][] = [
      ["contacts", "contact points and forces", "C"],
      ["joints", "joint frames", "J"],
      ["velocities", "velocities", "V"],
      ["trails", "trails", "T"],
      ["centers", "centres of mass", "M"],
      ["boxes", "inertia boxes", "I"],
      ["labels", "names", "L"],
      ["grid", "grid", "G"],
      ["seeThrough", "see through static bodies", "X"],
      ["asleep", "grey out sleeping bodies", "Z"],
      ["islands", "islands in colours of their own", "N"],
    ];
    if (this.stage.hasVisuals) toggles.push(["collision", "collision shapes", "K"]);
    for (const [key, text, letter] of toggles) {
      const label = document.createElement("label");
      label.className = "check";
      const input = document.createElement("input");
      input.type = "checkbox";
      input.id = `show-${key}`;
      input.checked = this.shown[key];
      input.addEventListener("change", () => this.toggle(key, input.checked));
      const kbd = document.createElement("kbd");
      kbd.textContent = letter;
      label.append(input, text, kbd);
      $("toggles").append(label);
    }
    $("panel-open").addEventListener("click", () => this.openPanel(root.dataset.panel === "closed"));
    $("theme").addEventListener("click", () => this.setTheme(this.stage.theme.name === "dark" ? "light" : "dark"));
    $("home").addEventListener("click", () => this.home());
    $("shot").addEventListener("click", () => this.pictures.screenshot());
    $("film").addEventListener("click", () => this.pictures.film());
    $("help-open").addEventListener("click", () => $<HTMLDialogElement>("help").showModal());
  }

  private toggle(key: keyof Page["shown"], on = !this.shown[key]): void {
    this.shown[key] = on;
    const input = document.getElementById(`show-${key}`) as HTMLInputElement | null;
    if (input) input.checked = on;
    if (key === "grid") this.stage.setGrid(on);
    if (key === "seeThrough") this.stage.setSeeThrough(on);
    if (key === "collision") this.stage.setCollision(on);
    if (key === "islands") this.showIslands();
    if (key === "asleep") {
      this.stage.showAsleep = on;
      this.stage.recolor();
    }
    this.overlays.update(this.shown, this.player.shown);
    this.stage.changed = true;
    this.dirty = true;
  }

  /** Colours of islands at the frame shown, or the bodies' own. */
  private showIslands(): void {
    const frame = this.player.shown;
    this.stage.islands = this.shown.islands && frame ? islandsOf(this.source.header, frame) : null;
    this.stage.recolor();
  }

  private setTheme(name: "light" | "dark"): void {
    root.dataset.theme = name;
    this.stage.setTheme(THEMES[name]);
    this.dirty = true;
    this.lastPanel = 0;
  }

  private home(): void {
    this.userMoved = false;
    this.stage.frameOfView = "world";
    this.stage.turnsWithBody = false;
    this.frame(this.expectedBounds());
    $<HTMLSelectElement>("frame-choice").value = String(this.stage.frameOfView);
    $<HTMLInputElement>("frame-turns").checked = false;
    this.stage.draw();
    this.dirty = true;
  }

  select(body: number | null, showTab = true): void {
    this.stage.selected = body;
    this.stage.recolor();
    this.stage.draw();
    $<HTMLSelectElement>("body-choice").value = body === null ? "" : String(body);
    root.dataset.selected = body === null ? "" : this.source.header.bodies[body]!.name;
    this.buildBodyPlots(body);
    if (body !== null && showTab) this.showTab("body");
    this.dirty = true;
    this.lastPanel = 0;
  }

  /** Where the centre of a body is on the page, px. */
  placeOf(name: string): { x: number; y: number } | null {
    const body = this.source.header.bodies.findIndex((known) => known.name === name);
    const place = body < 0 ? null : this.stage.screen(this.stage.local(this.stage.position, 3 * body));
    return place && { x: place.x, y: place.y };
  }

  selectByName(name: string): void {
    this.goTo([name], null);
  }

  private goTo(names: string[], time: number | null): void {
    if (time !== null && names.length > 0) this.toggle("contacts", true);
    const body = this.source.header.bodies.findIndex((known) => names.includes(known.name));
    if (time !== null) this.player.seek(time);
    if (body >= 0) this.select(body);
  }

  private buildBodyPlots(body: number | null): void {
    const slot = body === null ? -1 : this.source.header.moving.indexOf(body);
    if (body === null || slot < 0) {
      this.bodyPlots = [];
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
    this.bodyPlots = specs.map((spec) => ({ plot: new Plot(spec, (time) => this.player.seek(time)), body }));
    $("body-plots").replaceChildren(...this.bodyPlots.map(({ plot }) => plot.element));
  }

  /** Follows bodies that have all left the picture, unless the viewer has chosen a view. */
  private keepInView(): void {
    const { stage } = this;
    if (this.userMoved || stage.frameOfView !== "world") return;
    const { clientWidth, clientHeight } = stage.renderer.domElement;
    const free = clientWidth * stage.freeWidth;
    const inView = (body: number) => {
      const at = stage.screen(stage.local(stage.position, 3 * body));
      if (at === null) return false;
      const reach = (0.7 * stage.radii[body]! * clientHeight) / (2 * at.depth * Math.tan((stage.camera.fov * Math.PI) / 360));
      return at.x > reach && at.x < free - reach && at.y > reach && at.y < clientHeight - 90 - reach;
    };
    const { moving } = stage.header;
    const seen = moving.filter(inView).length;
    if (seen === moving.length || moving.length === 0) return;
    if (seen > 0 && !stage.inSpace) {
      // The picture grows with a run, as long as its bodies stay together.
      const now = performance.now();
      if (now - this.lastFraming < 400) return;
      this.lastFraming = now;
      const box = this.expectedBounds();
      if (box.getSize(new THREE.Vector3()).length() > 1.02 * this.framedSize) this.frame(box);
      return;
    }
    if (seen > 0) return;
    stage.setFrameOfView("centre", false);
    $<HTMLSelectElement>("frame-choice").value = "centre";
    this.toggle("trails", true);
  }

  private updatePanel(): void {
    this.keepInView();
    const { source, player } = this;
    const { figures, header, status } = source;
    const found = verdict(header, status, figures);
    const mark = $("verdict-mark");
    mark.textContent = found.mark;
    mark.className = found.mark === "✓" ? "good" : found.mark === "✗" ? "bad" : "";
    const waiting = status.writer === false ? " · another page controls this run" : "";
    const text = found.text + waiting;
    if ($("verdict-text").textContent !== text) {
      $("verdict-text").textContent = text;
      $("verdict-text").title = status.state_hash ? `${text}\nstate hash ${status.state_hash}` : text;
    }
    if (found.mark === "✗" && status.ended === "failed" && found.bodies.length > 0 && this.stage.selected === null) this.goTo(found.bodies, null);
    $<HTMLButtonElement>("reset").disabled = header.live && !status.may_reset && player.running;
    if (root.dataset.panel === "closed") return;
    const rows = spread(figures.rows, PLOT_ROWS);
    const end = player.running ? header.duration : player.end;
    if (!$("pane-trust").hidden) {
      fillCertificate(document.querySelector("#certificate tbody")!, header, status, (names, time) => this.goTo(names, time));
      explain($("explanation"), status, figures, found, (names, time) => this.goTo(names, time));
      fillLedger($("ledger"), figures, player.shownRow);
      for (const plot of this.plots) plot.draw(rows, (row) => figures.time(row), player.time, player.shownRow, end);
    }
    if (!$("pane-body").hidden) this.updateBody(end);
    if (this.joints && !$("pane-joints").hidden) this.joints.update(player.shown, this.knownRows(), player.time, player.shownRow, end);
  }

  /** Rows for plots whose frames are here; the others come in the background, while nothing else is asked for. */
  private knownRows(): number[] {
    const { source, player } = this;
    const rows = spread(source.figures.rows, 240);
    if (!player.playing) rows.filter((row) => !source.cached(row)).slice(0, 24).forEach((row) => source.frame(row));
    return rows.filter((row) => source.cached(row));
  }

  /** Goes to the time of the worst certificate, and selects the bodies behind it. */
  private goToWorst(): void {
    const { figures, status, header } = this.source;
    const first = status.certificate?.first_failure;
    if (first) {
      this.goTo(first.bodies, first.time);
      return;
    }
    const column = figures.columns.indexOf("certificate");
    let worst = -1;
    for (let row = 0; row < figures.rows; row++) if (figures.get(row, column) > (worst < 0 ? 0 : figures.get(worst, column))) worst = row;
    const names = Object.values(status.worst_bodies ?? {}).find((found) => found.length > 0) ?? [];
    if (worst >= 0) this.goTo(names.filter((name) => header.bodies.some((body) => body.name === name)), figures.time(worst));
  }

  private updateBody(end: number): void {
    const { source, player, stage } = this;
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
    const known = this.knownRows();
    for (const { plot } of this.bodyPlots) plot.draw(known, (row) => figures.time(row), player.time, player.shownRow, end);
  }

  private updateLabels(): void {
    const layer = $("labels");
    const { stage } = this;
    const wanted: { text: string; at: THREE.Vector3; above: number; most?: number }[] = [];
    if (this.shown.labels) {
      stage.header.moving.slice(0, MAX_LABELS).forEach((body) => wanted.push({ text: stage.bodies[body]!.name, at: stage.local(stage.position, 3 * body), above: stage.radii[body]! }));
      for (const planet of stage.header.planets) if (stage.frameOfView === "world") wanted.push({ text: planet.name, at: stage.local(planet.center), above: planet.radius, most: 1000 });
    } else if (stage.selected !== null) {
      wanted.push({ text: stage.bodies[stage.selected]!.name, at: stage.local(stage.position, 3 * stage.selected), above: stage.radii[stage.selected]! });
    }
    while (layer.childElementCount > wanted.length) layer.lastElementChild!.remove();
    wanted.forEach(({ text, at, above, most = 64 }, i) => {
      const span = (layer.children[i] ?? layer.appendChild(document.createElement("span"))) as HTMLElement;
      if (span.textContent !== text) span.textContent = text;
      const place = stage.hidden(at) ? null : stage.screen(at);
      span.hidden = !place;
      if (!place) return;
      const { clientHeight } = stage.renderer.domElement;
      const lift = Math.min(most, (above / place.depth) * (clientHeight / (2 * Math.tan((stage.camera.fov * Math.PI) / 360)))) + 14;
      span.style.transform = `translate(${place.x.toFixed(1)}px, ${(place.y - lift).toFixed(1)}px) translate(-50%, -50%)`;
    });
  }

  // Mouse and touch

  private buildPointer(): void {
    const canvas = this.stage.renderer.domElement;
    let down: { x: number; y: number } | null = null;
    const place = (event: PointerEvent) => {
      const { left, top } = canvas.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    // Before the controls see it: a pulled body must not turn the view.
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        down = place(event);
        if (event.button === 0 && (event.ctrlKey || event.altKey || event.metaKey)) {
          if (this.beginPull(down)) {
            this.stage.controls.enabled = false;
            canvas.setPointerCapture(event.pointerId);
            event.preventDefault();
          }
        }
      },
      { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => this.dragging && this.movePull(place(event)));
    canvas.addEventListener("pointerup", (event) => {
      const up = place(event);
      if (this.dragging) {
        this.dragging = null;
        this.overlays.setPull(null);
        this.stage.controls.enabled = true;
        this.source.control({ type: "release" });
      } else if (down && Math.hypot(up.x - down.x, up.y - down.y) < 4 && event.button === 0) {
        this.select(this.stage.pick(up.x, up.y)?.body ?? null);
      }
      down = null;
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.stage.pick(event.offsetX, event.offsetY);
      if (hit) this.lookFrom(hit.body);
    });
    this.stage.controls.addEventListener("start", () => (this.userMoved = true));
  }

  private beginPull(at: { x: number; y: number }): boolean {
    const hit = this.stage.pick(at.x, at.y);
    if (!hit || this.source.header.bodies[hit.body]!.kind !== "dynamic") return false;
    if (!this.player.running) {
      notice("Only a live run can be pulled at: `msd view SCENE`.");
      setTimeout(() => notice(""), 4000);
      return false;
    }
    const towards = this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.dragging = { body: hit.body, local: hit.local, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(towards, hit.point) };
    this.select(hit.body);
    this.movePull(at);
    return true;
  }

  private movePull(at: { x: number; y: number }): void {
    if (!this.dragging) return;
    const { clientWidth: w, clientHeight: h } = this.stage.renderer.domElement;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * at.x) / w - 1, 1 - (2 * at.y) / h), this.stage.camera);
    const point = ray.ray.intersectPlane(this.dragging.plane, new THREE.Vector3());
    if (!point) return;
    point.applyQuaternion(this.stage.world.quaternion.clone().invert());
    const target = point.toArray().map((x, k) => x + this.stage.origin[k]!) as Vec;
    this.pullTarget = point;
    this.source.control({ type: "drag", body: this.dragging.body, point: this.dragging.local, target });
  }

  private pullTarget = new THREE.Vector3();

  private updatePull(): void {
    if (!this.dragging) return;
    const { body, local } = this.dragging;
    const q = new THREE.Quaternion().fromArray(this.stage.quat, 4 * body);
    const from = new THREE.Vector3(...local).applyQuaternion(q).add(this.stage.local(this.stage.position, 3 * body));
    this.overlays.setPull([from, this.pullTarget]);
  }

  private lookFrom(body: number | null, turns = false): void {
    const frame = $<HTMLSelectElement>("frame-choice");
    const value = body !== null && this.source.header.moving.includes(body) ? body : "world";
    this.stage.setFrameOfView(value, turns);
    frame.value = String(value);
    $<HTMLInputElement>("frame-turns").checked = this.stage.turnsWithBody;
    this.userMoved = true;
    this.dirty = true;
  }

  // Keys

  private buildKeys(): void {
    const { player } = this;
    const followed = () => typeof this.stage.frameOfView === "number";
    const keys: [string, string, string, () => void][] = [
      [" ", "space", "play, pause", () => player.toggle()],
      ["ArrowRight", "→", "one step", () => player.step(1)],
      ["ArrowLeft", "←", "one step back", () => player.step(-1)],
      ["Home", "Home", "to the start", () => player.seek(0)],
      ["End", "End", "to the end", () => player.seek(player.end)],
      ["+", "+", "faster", () => this.changeSpeed(1)],
      ["-", "−", "slower", () => this.changeSpeed(-1)],
      ["r", "R", "reset", () => this.reset()],
      ["a", "A", "show everything", () => this.home()],
      ["f", "F", "follow the selected body", () => this.lookFrom(followed() ? null : this.stage.selected)],
      ["b", "B", "turn with the selected body", () => this.lookFrom(this.stage.turnsWithBody ? null : this.stage.selected, true)],
      ["c", "C", "contacts and forces", () => this.toggle("contacts")],
      ["j", "J", "joint frames", () => this.toggle("joints")],
      ["v", "V", "velocities", () => this.toggle("velocities")],
      ["t", "T", "trails", () => this.toggle("trails")],
      ["m", "M", "centres of mass", () => this.toggle("centers")],
      ["i", "I", "inertia boxes", () => this.toggle("boxes")],
      ["l", "L", "names", () => this.toggle("labels")],
      ["g", "G", "grid", () => this.toggle("grid")],
      ["x", "X", "see through static bodies", () => this.toggle("seeThrough")],
      ["z", "Z", "grey out sleeping bodies", () => this.toggle("asleep")],
      ["n", "N", "islands in colours of their own", () => this.toggle("islands")],
      ["k", "K", "collision shapes over visuals", () => this.toggle("collision")],
      ["w", "W", "to the worst value", () => this.goToWorst()],
      ["d", "D", "dark or light", () => this.setTheme(this.stage.theme.name === "dark" ? "light" : "dark")],
      ["p", "P", "panel", () => this.openPanel(root.dataset.panel === "closed")],
      ["s", "S", "save a picture", () => this.pictures.screenshot()],
      ["Escape", "Esc", "select nothing", () => this.select(null, false)],
      ["?", "?", "this sheet", () => $<HTMLDialogElement>("help").showModal()],
    ];
    $("keys").append(
      ...keys.map(([, shown, text]) => {
        const row = document.createElement("div");
        const kbd = document.createElement("kbd");
        kbd.textContent = shown;
        row.append(text, kbd);
        return row;
      }),
    );
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || $<HTMLDialogElement>("help").open) return;
      const target = event.target as HTMLElement;
      const inControl = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
      if (inControl && (event.key.startsWith("Arrow") || event.key === " " || event.key === "Home" || event.key === "End" || target instanceof HTMLSelectElement)) return;
      if (target instanceof HTMLButtonElement && event.key === " ") return;
      const pressed = event.key === "=" ? "+" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const key = keys.find(([name]) => name === pressed);
      if (!key) return;
      event.preventDefault();
      key[3]();
    });
  }
}

open()
  .then((source) => {
    const page = new Page(source);
    // For scripts and tests: where a body is on the page, px.
    Object.assign(globalThis, { msd: { placeOf: (name: string) => page.placeOf(name), select: (name: string) => page.selectByName(name) } });
    root.dataset.ready = "yes";
  })
  .catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    notice(`Cannot show the run: ${why}.`);
    $("verdict-text").textContent = "not connected";
    root.dataset.ready = "failed";
  });
