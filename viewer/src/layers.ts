// What is drawn besides the bodies, as a person chooses it: the switches of the pane "Show".

import { islandsOf } from "./islands";
import type { Frame, Header } from "./model";
import type { Overlays, Shown } from "./overlays";
import type { Stage } from "./stage";

export type Layer = keyof Shown | "labels" | "grid" | "seeThrough" | "asleep" | "collision" | "islands";

/** Layers with their words and keys, in the order of the pane. */
export const LAYERS: [Layer, string, string][] = [
  ["contacts", "contact points and forces", "C"],
  ["joints", "joint frames", "J"],
  ["reactions", "joint reactions", "E"],
  ["velocities", "velocities", "V"],
  ["trails", "trails", "T"],
  ["centers", "centres of mass", "M"],
  ["boxes", "inertia boxes", "I"],
  ["bounds", "bounding boxes", "O"],
  ["labels", "names", "L"],
  ["grid", "grid", "G"],
  ["seeThrough", "see through static bodies", "X"],
  ["asleep", "grey out sleeping bodies", "Z"],
  ["islands", "islands in colours of their own", "N"],
  ["collision", "collision shapes over visuals", "K"],
];

/** The frames of more joints than these hide the bodies; they are shown on demand. */
const FEW_JOINTS = 3;

export class Layers {
  readonly shown: Record<Layer, boolean>;
  private readonly inputs = new Map<Layer, HTMLInputElement>();

  constructor(
    private readonly header: Header,
    private readonly stage: Stage,
    private readonly overlays: Overlays,
    private readonly frame: () => Frame | undefined,
    private readonly changed: () => void,
  ) {
    const count = header.moving.length;
    const wide = stage.inSpace && count < 20 && stage.frameOfView === "world";
    this.shown = {
      contacts: false,
      joints: header.joints.length > 0 && header.joints.length <= FEW_JOINTS,
      reactions: false,
      velocities: false,
      trails: wide || (count === 1 && header.joints.length > 0),
      centers: false,
      boxes: false,
      bounds: false,
      labels: wide || (stage.inSpace && count <= 8),
      grid: true,
      seeThrough: stage.encloses(),
      asleep: true,
      collision: false,
      islands: false,
    };
    stage.setSeeThrough(this.shown.seeThrough);
  }

  /** Adds the switches to the pane. */
  build(pane: HTMLElement): void {
    for (const [layer, text, letter] of this.offered()) {
      const label = document.createElement("label");
      label.className = "check";
      const input = document.createElement("input");
      input.type = "checkbox";
      input.id = `show-${layer}`;
      input.checked = this.shown[layer];
      input.addEventListener("change", () => this.set(layer, input.checked));
      const kbd = document.createElement("kbd");
      kbd.textContent = letter;
      label.append(input, text, kbd);
      pane.append(label);
      this.inputs.set(layer, input);
    }
  }

  /** Layers of which the scene can show something. */
  offered(): typeof LAYERS {
    const concerns: Partial<Record<Layer, boolean>> = {
      joints: this.header.joints.length > 0,
      reactions: this.header.joints.length > 0,
      collision: this.stage.hasVisuals,
    };
    return LAYERS.filter(([layer]) => concerns[layer] ?? true);
  }

  set(layer: Layer, on = !this.shown[layer]): void {
    this.shown[layer] = on;
    const input = this.inputs.get(layer);
    if (input) input.checked = on;
    if (layer === "grid") this.stage.setGrid(on);
    if (layer === "seeThrough") this.stage.setSeeThrough(on);
    if (layer === "collision") this.stage.setCollision(on);
    if (layer === "islands") this.colorIslands();
    if (layer === "asleep") {
      this.stage.showAsleep = on;
      this.stage.recolor();
    }
    this.update();
    this.changed();
  }

  /** Draws the layers for the frame shown. */
  /** True if what is drawn depends on other frames than the one shown. */
  get showPast(): boolean {
    return this.shown.trails;
  }

  update(): void {
    this.overlays.update(this.shown, this.frame());
    if (this.shown.islands) this.colorIslands();
    this.stage.changed = true;
  }

  /** Colours of islands at the frame shown, or the bodies' own. */
  private colorIslands(): void {
    const frame = this.frame();
    this.stage.islands = this.shown.islands && frame ? islandsOf(this.header, frame) : null;
    this.stage.recolor();
  }
}
