// Names over bodies, as text of the page.

import type * as THREE from "three";
import type { Stage } from "./stage";

const MAX_LABELS = 80;

/** Puts names over all bodies, or over the selected one. */
export function placeLabels(layer: HTMLElement, stage: Stage, all: boolean): void {
  const wanted: { text: string; at: THREE.Vector3; above: number; most?: number }[] = [];
  if (all) {
    stage.header.moving.slice(0, MAX_LABELS).forEach((body) => wanted.push({ text: stage.bodies[body]!.name, at: stage.localCenter(body), above: stage.radii[body]! }));
    for (const planet of stage.header.planets) if (stage.frameOfView === "world") wanted.push({ text: planet.name, at: stage.local(planet.center), above: planet.radius, most: 1000 });
  } else if (stage.selected !== null) {
    wanted.push({ text: stage.bodies[stage.selected]!.name, at: stage.localCenter(stage.selected), above: stage.radii[stage.selected]! });
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
