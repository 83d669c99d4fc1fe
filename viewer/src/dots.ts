// Dots for bodies that are too small on the screen to be seen.

import * as THREE from "three";
import type { Vec } from "./model";

/** A body smaller than this on the screen is marked by a dot, px. */
const DOT_BELOW = 2.5;
/** Of few bodies, and of many, px. */
const DOT = { few: 9, many: 4 };
const MANY = 200;

export class Dots {
  readonly points: THREE.Points<THREE.BufferGeometry, THREE.ShaderMaterial>;

  constructor(
    private readonly moving: number[],
    radii: number[],
    color: (body: number) => THREE.Color,
    inSpace: boolean,
  ) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * moving.length), 3));
    geometry.setAttribute("radius", new THREE.BufferAttribute(new Float32Array(moving.map((i) => radii[i]! || 1e-3)), 1));
    const colors = new Float32Array(3 * moving.length);
    const white = new THREE.Color("#ffffff");
    moving.forEach((body, k) => color(body).clone().lerp(white, inSpace ? 0.35 : 0).toArray(colors, 3 * k));
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    const material = new THREE.ShaderMaterial({
      uniforms: { pixels: { value: 1 }, dot: { value: DOT.few } },
      transparent: true,
      depthWrite: false,
      vertexShader: `#include <common>
        #include <logdepthbuf_pars_vertex>
        attribute float radius; attribute vec3 color; uniform float pixels, dot; varying vec3 vColor;
        void main() {
          vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
          gl_Position = projectionMatrix * mvPosition;
          float size = pixels * radius / max(-mvPosition.z, 1e-9);
          gl_PointSize = size < ${DOT_BELOW.toFixed(1)} ? dot : 0.0;
          if (size >= ${DOT_BELOW.toFixed(1)}) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
          vColor = color;
          #include <logdepthbuf_vertex>
        }`,
      fragmentShader: `#include <common>
        #include <logdepthbuf_pars_fragment>
        varying vec3 vColor;
        void main() {
          #include <logdepthbuf_fragment>
          float r = length(gl_PointCoord - 0.5);
          if (r > 0.5) discard;
          gl_FragColor = vec4(vColor, smoothstep(0.5, 0.38, r));
          #include <colorspace_fragment>
        }`,
    });
    this.points = new THREE.Points(geometry, material);
    this.points.frustumCulled = false;
  }

  /** `center` of a body in the world, drawn relative to `origin`. */
  place(center: (body: number) => THREE.Vector3, origin: Vec): void {
    const dots = this.points.geometry.getAttribute("position") as THREE.BufferAttribute;
    this.moving.forEach((body, k) => {
      const { x, y, z } = center(body);
      dots.setXYZ(k, x - origin[0], y - origin[1], z - origin[2]);
    });
    dots.needsUpdate = true;
  }

  /** `pixels` that a length seen at its own distance has. */
  resize(pixels: number, pixelRatio: number): void {
    const { uniforms } = this.points.material;
    uniforms.pixels!.value = pixels;
    uniforms.dot!.value = (this.moving.length > MANY ? DOT.many : DOT.few) * pixelRatio;
  }
}
