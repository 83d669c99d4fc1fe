// Geometry of bodies for three.js. Round bodies have two tones, so that one sees them turn.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Geometry } from "./model";

/** Boxes of more sizes than this share one geometry with sharp edges, so that they are drawn at once. */
const MAX_ROUNDED_SIZES = 48;
/** How dark the second tone of a round body is. */
const SECOND_TONE = 0.72;
/** Faces of a mesh that meet at a smaller angle are smooth there, rad. */
const SMOOTH = 0.6;

export interface Drawable {
  /** Equal keys are drawn together. */
  key: string;
  make: () => THREE.BufferGeometry;
  /** Scale of the instance. */
  scale: THREE.Vector3;
  /** Radius of a ball about the origin of the shape that holds it. */
  radius: number;
}

/** Corners of the outline of a round shape, where there are few and where there are many. */
const SEGMENTS = { most: 48, least: 8 };
/** Boxes have rounded edges as long as round shapes have this many. */
const ROUNDED_FROM = 24;
/** Corners of all shapes together, for a graphics processor and for a software renderer. */
const CORNERS = { fast: 2e6, slow: 3e5 };

/** How finely each of `shapes` is drawn: a ball of n segments has 4 n² corners. */
export function segmentsOf(shapes: number, bySoftware: boolean): number {
  const fitting = Math.sqrt((bySoftware ? CORNERS.slow : CORNERS.fast) / (4 * Math.max(1, shapes)));
  return Math.round(Math.min(SEGMENTS.most, Math.max(SEGMENTS.least, fitting)));
}

/** How a geometry is drawn; null for a plane, which is the ground. */
export function drawable(geometry: Geometry, all: Geometry[], segments = SEGMENTS.most): Drawable | null {
  const one = new THREE.Vector3(1, 1, 1);
  switch (geometry.kind) {
    case "plane":
      return null;
    case "sphere": {
      const r = geometry.radius;
      return { key: "sphere", make: () => sphere(segments), scale: new THREE.Vector3(r, r, r), radius: r };
    }
    case "ellipsoid": {
      const [x, y, z] = geometry.radii;
      return { key: "sphere", make: () => sphere(segments), scale: new THREE.Vector3(x, y, z), radius: Math.max(x, y, z) };
    }
    case "box": {
      const [x, y, z] = geometry.size;
      const radius = 0.5 * Math.hypot(x, y, z);
      const sharp = { key: "box", make: () => new THREE.BoxGeometry(1, 1, 1), scale: new THREE.Vector3(x, y, z), radius };
      if (segments < ROUNDED_FROM) return sharp;
      const sizes = new Set(all.filter((g) => g.kind === "box").map((g) => JSON.stringify((g as { size: unknown }).size)));
      if (sizes.size > MAX_ROUNDED_SIZES) return sharp;
      const bevel = 0.035 * Math.min(x, y, z);
      return { key: `box ${x} ${y} ${z}`, make: () => new RoundedBoxGeometry(x, y, z, 3, bevel), scale: one, radius };
    }
    case "cylinder": {
      const { radius: r, length: l } = geometry;
      return { key: "cylinder", make: () => striped(new THREE.CylinderGeometry(1, 1, 1, segments, 1).rotateX(Math.PI / 2)), scale: new THREE.Vector3(r, r, l), radius: Math.hypot(r, l / 2) };
    }
    case "cone": {
      const { radius: r, length: l } = geometry;
      return { key: "cone", make: () => striped(new THREE.ConeGeometry(1, 1, segments, 1).rotateX(Math.PI / 2)), scale: new THREE.Vector3(r, r, l), radius: Math.hypot(r, l / 2) };
    }
    case "capsule": {
      const { radius: r, length: l } = geometry;
      const make = () => striped(new THREE.CapsuleGeometry(r, l, Math.max(2, Math.round(segments / 4)), segments, 1).rotateX(Math.PI / 2));
      return { key: `capsule ${r} ${l}`, make, scale: one, radius: r + l / 2 };
    }
    case "mesh": {
      let radius = 0;
      for (let i = 0; i < geometry.vertices.length; i += 3) {
        radius = Math.max(radius, Math.hypot(geometry.vertices[i]!, geometry.vertices[i + 1]!, geometry.vertices[i + 2]!));
      }
      return { key: `mesh ${all.indexOf(geometry)}`, make: () => mesh(geometry), scale: one, radius };
    }
  }
}

function mesh(geometry: { vertices: number[]; triangles: number[]; flat: boolean }): THREE.BufferGeometry {
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.Float32BufferAttribute(geometry.vertices, 3));
  made.setIndex(geometry.triangles);
  if (!geometry.flat) return plain(toCreasedNormals(made, SMOOTH));
  const flat = made.toNonIndexed();
  flat.computeVertexNormals();
  return plain(flat);
}

/** White vertex colours, since all instanced materials use them. */
function plain(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const count = geometry.getAttribute("position").count;
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  return geometry;
}

/** Quarters in two tones, like a ball at the beach or the target of a crash test. */
function striped(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const split = geometry.index ? geometry.toNonIndexed() : geometry;
  const position = split.getAttribute("position");
  const color = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    let x = 0;
    let y = 0;
    for (let k = 0; k < 3; k++) {
      x += position.getX(i + k);
      y += position.getY(i + k);
    }
    color.fill(x * y > 0 ? SECOND_TONE : 1, 3 * i, 3 * i + 9);
  }
  split.setAttribute("color", new THREE.BufferAttribute(color, 3));
  return split;
}

function sphere(segments: number): THREE.BufferGeometry {
  const split = new THREE.SphereGeometry(1, segments, Math.round(segments / 1.5)).rotateX(Math.PI / 2).toNonIndexed();
  const position = split.getAttribute("position");
  const color = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    const mean = (get: (k: number) => number) => get(i) + get(i + 1) + get(i + 2);
    const sign = mean((k) => position.getX(k)) * mean((k) => position.getY(k)) * mean((k) => position.getZ(k));
    color.fill(sign > 0 ? SECOND_TONE : 1, 3 * i, 3 * i + 9);
  }
  split.setAttribute("color", new THREE.BufferAttribute(color, 3));
  return split;
}

/** Vertex colours for geometries that have none. */
export function withColors(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.getAttribute("color") ? geometry : plain(geometry);
}
