// The page: ties source, player, stage, layers and panes together.

import { BodyPane } from "./body";
import { THEMES } from "./colors";
import { number } from "./format";
import { Framing } from "./framing";
import { Joints } from "./joints";
import { bindKeys, type Key } from "./keys";
import { placeLabels } from "./labels";
import { Layers, LAYERS } from "./layers";
import type { Frame } from "./model";
import { Overlays } from "./overlays";
import { Pictures } from "./pictures";
import { Player } from "./player";
import { Plot, spread } from "./plots";
import { Pointer } from "./pointer";
import type { Source } from "./source";
import { Stage } from "./stage";
import { Transport } from "./transport";
import { explain, fillCertificate, fillLedger, trustPlots, verdict, worstStep } from "./trust";

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const root = document.documentElement;
/** Points of a plot over time. */
const PLOT_ROWS = 500;
/** The same where every point needs a frame. */
const FRAME_PLOT_ROWS = 240;
/** Frames that a trail goes through. */
const TRAIL_ROWS = 300;
/** Time between two updates of the panel, ms. */
const BETWEEN_PANELS = 120;
/** Windows narrower than this have the panel over the picture, px. */
const NARROW = 760;

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** A line across the top, for what went wrong. */
export function notice(message: string): void {
  $("notice").textContent = message;
}

export class Page {
  private readonly stage: Stage;
  private readonly player: Player;
  private readonly framing: Framing;
  private readonly overlays: Overlays;
  private readonly layers: Layers;
  private readonly pointer: Pointer;
  private readonly transport: Transport;
  private readonly plots: Plot[];
  private readonly body: BodyPane;
  private readonly joints: Joints | null;
  private readonly pictures: Pictures;
  private dirty = true;
  /** True if something came that is not what is shown: it changes panels, and the picture only where that shows the past. */
  private arrived = false;
  private lastPanel = 0;
  private frames = 0;

  constructor(private readonly source: Source) {
    const { header } = source;
    this.fillTitle();
    this.stage = new Stage($<HTMLCanvasElement>("view"), header);
    root.toggleAttribute("data-space", this.stage.inSpace);
    const seek = (time: number) => this.player.seek(time);
    this.player = new Player(source, this.stage);
    this.framing = new Framing(source, this.stage);
    this.pictures = new Pictures(this.stage, header.name, () => this.player.time, notice);
    this.overlays = new Overlays(this.stage, () => this.past());
    this.layers = new Layers(header, this.stage, this.overlays, () => this.player.shown, () => (this.dirty = true));
    this.layers.build($("toggles"));
    this.plots = trustPlots(source.figures).map((spec) => new Plot(spec, seek));
    $("plots").append(...this.plots.map((plot) => plot.element));
    this.body = new BodyPane(source, this.stage, seek);
    this.joints = Joints.concern(header) ? new Joints(source, seek, () => this.redraw()) : null;
    $("tab-joints").hidden = this.joints === null;
    this.transport = new Transport(source, this.player, () => this.reset());
    this.buildPanels();
    bindKeys(this.keys(), $("keys"), $<HTMLDialogElement>("help"));
    this.pointer = new Pointer(this.stage, source, this.overlays, {
      select: (body) => this.select(body),
      follow: (body) => this.lookFrom(body),
      moved: () => (this.framing.chosen = true),
      running: () => this.player.running,
      mayPull: () => this.mayPull(),
    });
    if (innerWidth < NARROW) this.openPanel(false);
    this.setTheme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
    source.onchange = () => (this.arrived = true);
    source.onnotice = notice;
    if (source.note) $("certificate-note").textContent = source.note;
    new ResizeObserver(() => this.resize()).observe($("stage"));
    this.resize();
    this.stage.draw();
  }

  /** Draws the start of the scene, and the run from when it is on the screen: nothing of it is missed. */
  async begin(): Promise<void> {
    await this.stage.drawn();
    root.dataset.picture = "plain";
    this.player.begin();
    void this.stage.addShadows().then(() => (root.dataset.picture = "full"));
    const loop = () => {
      this.tick();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  private fillTitle(): void {
    const { header } = this.source;
    document.title = `${header.name} – msd`;
    $("name").textContent = header.name;
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
  }

  private tick(): void {
    const moved = this.player.advance();
    if (moved || this.dirty || this.arrived) this.framing.whenKnown();
    if (moved || this.dirty || (this.arrived && this.layers.showPast)) this.layers.update();
    this.pointer.update();
    this.stage.renderIfChanged();
    this.frames++;
    placeLabels($("labels"), this.stage, this.layers.shown.labels);
    $("scale").textContent = this.overlays.scaleText(this.layers.shown);
    this.transport.update();
    const now = performance.now();
    if ((this.dirty || this.arrived || moved) && now - this.lastPanel > BETWEEN_PANELS) {
      this.lastPanel = now;
      this.dirty = this.arrived = false;
      this.updatePanel();
    }
    root.dataset.frames = String(this.frames);
    root.dataset.instances = String(this.stage.instances);
    root.dataset.time = String(this.player.time);
    root.dataset.row = String(this.player.shownRow);
    root.dataset.rows = String(this.source.figures.rows);
    root.dataset.run = this.source.status.ended ?? (this.source.status.playing ? "runs" : "paused");
  }

  /** Frames before the one shown, at most as many as a line needs; those that are missing are asked for. */
  private past(): Frame[] {
    const rows = spread(this.player.shownRow, TRAIL_ROWS);
    if (!this.player.playing) rows.filter((row) => !this.source.cached(row)).slice(0, 48).forEach((row) => this.source.frame(row));
    return rows.map((row) => this.source.cached(row)).filter((frame) => frame !== undefined);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = $("stage");
    if (clientWidth === 0) return;
    // The view is centred in what the panel leaves free.
    this.stage.resize(clientWidth, clientHeight);
    const open = root.dataset.panel !== "closed" && clientWidth > NARROW;
    this.stage.freeWidth = open ? (clientWidth - 360) / clientWidth : 1;
    if (open) this.stage.camera.setViewOffset(clientWidth, clientHeight, 172, 34, clientWidth, clientHeight);
    // In a narrow window the panel covers the lower part.
    else if (root.dataset.panel !== "closed") this.stage.camera.setViewOffset(clientWidth, clientHeight, 0, 0.26 * clientHeight, clientWidth, clientHeight);
    else this.stage.camera.setViewOffset(clientWidth, clientHeight, 0, 34, clientWidth, clientHeight);
    this.framing.refresh();
    this.dirty = true;
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

  private mayPull(): boolean {
    if (this.player.running) return true;
    notice("Only a live run can be pulled at: `msd view SCENE`.");
    setTimeout(() => notice(""), 4000);
    return false;
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
      this.framing.chosen = true;
      this.dirty = true;
    };
    frame.addEventListener("change", change);
    turns.addEventListener("change", change);
    frame.value = String(this.stage.frameOfView);
    $("panel-open").addEventListener("click", () => this.openPanel(root.dataset.panel === "closed"));
    $("theme").addEventListener("click", () => this.setTheme(this.stage.theme.name === "dark" ? "light" : "dark"));
    $("home").addEventListener("click", () => this.home());
    $("shot").addEventListener("click", () => this.pictures.screenshot());
    $("film").addEventListener("click", () => this.pictures.film());
    $("help-open").addEventListener("click", () => this.showHelp());
  }

  private setTheme(name: "light" | "dark"): void {
    root.dataset.theme = name;
    this.stage.setTheme(THEMES[name]);
    this.redraw();
  }

  private showHelp(): void {
    const help = $<HTMLDialogElement>("help");
    help.showModal();
    // The button at its end has the focus; in a low window the sheet would begin there.
    help.scrollTop = 0;
  }

  private home(): void {
    this.framing.home();
    $<HTMLSelectElement>("frame-choice").value = String(this.stage.frameOfView);
    $<HTMLInputElement>("frame-turns").checked = false;
    this.dirty = true;
  }

  private lookFrom(body: number | null, turns = false): void {
    const frame = $<HTMLSelectElement>("frame-choice");
    const value = body !== null && this.source.header.moving.includes(body) ? body : "world";
    this.stage.setFrameOfView(value, turns);
    frame.value = String(value);
    $<HTMLInputElement>("frame-turns").checked = this.stage.turnsWithBody;
    this.framing.chosen = true;
    this.dirty = true;
  }

  select(body: number | null, showTab = true): void {
    this.stage.selected = body;
    this.stage.recolor();
    this.stage.draw();
    $<HTMLSelectElement>("body-choice").value = body === null ? "" : String(body);
    root.dataset.selected = body === null ? "" : this.source.header.bodies[body]!.name;
    this.body.choose(body);
    if (body !== null && showTab) this.showTab("body");
    this.redraw();
  }

  /** Where the centre of a body is on the page, px. */
  placeOf(name: string): { x: number; y: number } | null {
    const body = this.source.header.bodies.findIndex((known) => known.name === name);
    const place = body < 0 ? null : this.stage.screen(this.stage.localCenter(body));
    return place && { x: place.x, y: place.y };
  }

  get distance(): number {
    return this.stage.camera.position.distanceTo(this.stage.controls.target);
  }

  selectByName(name: string): void {
    this.goTo([name], null);
  }

  /** Selects the first of the named bodies that there is, and goes to a time. */
  private goTo(names: string[], time: number | null): void {
    if (time !== null && names.length > 0) this.layers.set("contacts", true);
    const body = this.source.header.bodies.findIndex((known) => names.includes(known.name));
    if (time !== null) this.player.seek(time);
    if (body >= 0) this.select(body);
  }

  private goToWorst(): void {
    const worst = worstStep(this.source.figures, this.source.status);
    if (worst) this.goTo(worst.bodies, worst.time);
  }

  private updatePanel(): void {
    if (this.framing.keepInView()) {
      $<HTMLSelectElement>("frame-choice").value = "centre";
      this.layers.set("trails", true);
    }
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
    const end = player.running ? header.duration : player.end;
    if (!$("pane-trust").hidden) {
      const rows = spread(figures.rows, PLOT_ROWS);
      fillCertificate(document.querySelector("#certificate tbody")!, header, status, (names, time) => this.goTo(names, time));
      explain($("explanation"), status, figures, found, (names, time) => this.goTo(names, time));
      fillLedger($("ledger"), figures, player.shownRow);
      for (const plot of this.plots) plot.draw(rows, (row) => figures.time(row), player.time, player.shownRow, end);
    }
    if (!$("pane-body").hidden) this.body.update(player, this.knownRows(), end);
    if (this.joints && !$("pane-joints").hidden) this.joints.update(player.shown, this.knownRows(), player.time, player.shownRow, end);
  }

  /** Rows for plots whose frames are here; the others come in the background, while nothing else is asked for. */
  private knownRows(): number[] {
    const { source, player } = this;
    const rows = spread(source.figures.rows, FRAME_PLOT_ROWS);
    if (!player.playing) rows.filter((row) => !source.cached(row)).slice(0, 24).forEach((row) => source.frame(row));
    return rows.filter((row) => source.cached(row));
  }

  private keys(): Key[] {
    const { player, stage } = this;
    const followed = () => typeof stage.frameOfView === "number";
    const key = (name: string, shown: string, text: string, act: () => void): Key => ({ name, shown, text, act });
    const offered = this.layers.offered();
    return [
      key(" ", "space", "play, pause", () => player.toggle()),
      key("ArrowRight", "→", "one step", () => player.step(1)),
      key("ArrowLeft", "←", "one step back", () => player.step(-1)),
      key("Home", "Home", "to the start", () => player.seek(0)),
      key("End", "End", "to the end", () => player.seek(player.end)),
      key("+", "+", "faster", () => this.transport.changeSpeed(1)),
      key("-", "−", "slower", () => this.transport.changeSpeed(-1)),
      key("r", "R", "reset", () => this.reset()),
      key("a", "A", "show everything", () => this.home()),
      key("f", "F", "follow the selected body", () => this.lookFrom(followed() ? null : stage.selected)),
      key("b", "B", "turn with the selected body", () => this.lookFrom(stage.turnsWithBody ? null : stage.selected, true)),
      ...LAYERS.filter((layer) => offered.includes(layer)).map(([layer, text, letter]) => key(letter.toLowerCase(), letter, text, () => this.layers.set(layer))),
      key("w", "W", "to the worst value", () => this.goToWorst()),
      key("d", "D", "dark or light", () => this.setTheme(stage.theme.name === "dark" ? "light" : "dark")),
      key("p", "P", "panel", () => this.openPanel(root.dataset.panel === "closed")),
      key("s", "S", "save a picture", () => this.pictures.screenshot()),
      key("Escape", "Esc", "select nothing", () => this.select(null, false)),
      key("?", "?", "this sheet", () => this.showHelp()),
    ];
  }
}
