// Colours of bodies and of the page's two themes.

import * as THREE from "three";
import type { Body } from "./model";

/** Distinct, of similar lightness, readable on dark and on light. */
const PALETTE = ["#3f7fdc", "#ee8434", "#2fa37c", "#d5527a", "#8b6ad6", "#d6a21e", "#35a3c2", "#a9683f"];
/** For rows of equals: dominoes, links, stones. */
const RAMP = ["#2d6bd0", "#2b9fb5", "#4fb477", "#e2b33c", "#e57a36", "#cc4a73"];
/** Bodies with a common name and a number get a ramp if there are this many. */
const MIN_ROW = 4;

export interface Theme {
  name: "light" | "dark";
  ground: string;
  gridMinor: string;
  gridMajor: string;
  staticBody: string;
  sky: [string, string];
  ambient: number;
  sun: number;
  /** Light from behind. */
  back: number;
  shadow: number;
}

export const THEMES: Record<"light" | "dark", Theme> = {
  light: { name: "light", ground: "#d9dfe6", gridMinor: "#b4bfca", gridMajor: "#8493a3", staticBody: "#aab4c0", sky: ["#f7f9fb", "#d3dde8"], ambient: 1.9, sun: 2.7, back: 0.8, shadow: 0.85 },
  dark: { name: "dark", ground: "#29323f", gridMinor: "#2e3845", gridMajor: "#3f4b5b", staticBody: "#707b8a", sky: ["#1c2430", "#0d1117"], ambient: 1.6, sun: 2.7, back: 0.8, shadow: 0.9 },
};

const stem = (name: string) => name.replace(/[\s_-]*\d+$/, "");

/** The colour of `#rrggbb` or `#rrggbbaa` without its opacity. */
export const opaque = (text: string) => new THREE.Color(text.slice(0, 7));
/** The opacity of `#rrggbb` or `#rrggbbaa`. */
export const opacity = (text: string | undefined) => (text?.length === 9 ? parseInt(text.slice(7), 16) / 255 : 1);

/** A colour for the number of an island: neighbours in number differ. */
export function islandColor(island: number): THREE.Color {
  return new THREE.Color().setHSL((island * 0.381966) % 1, 0.6, 0.55);
}

/** A colour for every body that moves; null for those of the theme. */
export function bodyColors(bodies: Body[]): (THREE.Color | null)[] {
  const groups = new Map<string, number[]>();
  bodies.forEach((body, i) => {
    if (body.kind === "static" || body.color) return;
    const key = stem(body.name);
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  const colors: (THREE.Color | null)[] = bodies.map((body) => (body.color ? opaque(body.color) : null));
  let next = 0;
  for (const members of groups.values()) {
    if (members.length >= MIN_ROW) {
      members.forEach((body, k) => (colors[body] = ramp(k / (members.length - 1))));
    } else {
      for (const body of members) colors[body] = new THREE.Color(PALETTE[next++ % PALETTE.length]!);
    }
  }
  return colors;
}

function ramp(share: number): THREE.Color {
  const at = share * (RAMP.length - 1);
  const low = Math.min(Math.floor(at), RAMP.length - 2);
  return new THREE.Color(RAMP[low]!).lerp(new THREE.Color(RAMP[low + 1]!), at - low);
}
