// The bar below the picture: play, step, reset, timeline, clock and speed.

import { clock, number, speed as speedText } from "./format";
import type { Player } from "./player";
import type { Source } from "./source";

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

export class Transport {
  private readonly speeds = $<HTMLSelectElement>("speed");
  private readonly timeline = $<HTMLInputElement>("timeline");

  constructor(
    private readonly source: Source,
    private readonly player: Player,
    reset: () => void,
  ) {
    $("play").addEventListener("click", () => player.toggle());
    $("step").addEventListener("click", () => player.step(1));
    $("back").addEventListener("click", () => player.step(-1));
    $("reset").addEventListener("click", reset);
    this.timeline.addEventListener("input", () => player.seek(Number(this.timeline.value)));
    this.offerSpeeds();
    this.speeds.addEventListener("change", () => player.setSpeed(Number(this.speeds.value)));
    this.update();
  }

  /** 1/64 to 16 times real time, the initial speed, and more for long runs. */
  private offerSpeeds(): void {
    const { speed } = this.source.header;
    const offered = new Set<number>([speed]);
    for (let power = -6; power <= 4; power++) offered.add(2 ** power);
    for (let s = 32; s <= speed * 16; s *= 2) offered.add(s);
    for (const s of [...offered].sort((a, b) => a - b)) this.speeds.append(new Option(speedText(s), String(s)));
    this.speeds.value = String(this.player.speed);
  }

  changeSpeed(by: number): void {
    this.speeds.selectedIndex = Math.min(this.speeds.length - 1, Math.max(0, this.speeds.selectedIndex + by));
    this.player.setSpeed(Number(this.speeds.value));
  }

  update(): void {
    const { player, source, timeline } = this;
    const { duration } = source.header;
    const end = Math.max(player.horizon, 1e-12);
    if (Number(timeline.max) !== end) timeline.max = String(end);
    if (document.activeElement !== timeline || player.playing) timeline.value = String(player.time);
    timeline.setAttribute("aria-valuetext", clock(player.time, end));
    $("clock").textContent = clock(player.time, duration);
    const play = $("play");
    if (play.hasAttribute("data-playing") !== player.playing) {
      play.toggleAttribute("data-playing", player.playing);
      play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
    const live = player.running && player.following && player.playing;
    $("factor").textContent = live && source.status.factor > 0 ? `${number(source.status.factor, 2)} × real` : "";
  }
}
