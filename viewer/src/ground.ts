// The ground: a plane with a grid that fades into the sky, receiving shadows; and the sky of an orbit.

import * as THREE from "three";
import type { Theme } from "./colors";

/** A power of ten at or below a length. */
const decade = (x: number) => 10 ** Math.floor(Math.log10(x));

export class Ground {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = {
    spacing: { value: 1 },
    fade: { value: 10 },
    shift: { value: new THREE.Vector3() },
    minor: { value: new THREE.Color() },
    major: { value: new THREE.Color() },
    lines: { value: 1 },
    focus: { value: new THREE.Vector2() },
  };
  private readonly material: THREE.MeshStandardMaterial;

  /** `solid` is a body of the scene; otherwise only lines for orientation are drawn. */
  constructor(readonly solid: boolean) {
    this.material = new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0, transparent: true, depthWrite: solid });
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vGround;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGround = position.xy;");
      shader.fragmentShader = shader.fragmentShader
        .replace(
          "#include <common>",
          `#include <common>
          varying vec2 vGround;
          uniform float spacing, fade, lines;
          uniform vec3 shift, minor, major;
          uniform vec2 focus;
          float gridLines(vec2 at, float width) {
            vec2 grid = abs(fract(at - 0.5) - 0.5) / fwidth(at);
            float near = 1.0 - min(min(grid.x, grid.y) / width, 1.0);
            return near * smoothstep(0.5, 0.12, max(fwidth(at).x, fwidth(at).y));
          }`,
        )
        .replace(
          "#include <color_fragment>",
          `#include <color_fragment>
          vec2 at = (vGround + shift.xy) / spacing;
          float fine = gridLines(at, 1.1) * lines;
          float coarse = gridLines(at / 10.0, 1.5) * lines;
          diffuseColor.rgb = mix(diffuseColor.rgb, minor, fine);
          diffuseColor.rgb = mix(diffuseColor.rgb, major, coarse);
          float away = length(vGround - focus) / fade;
          float shown = 1.0 - smoothstep(0.12, 1.0, away);
          diffuseColor.a *= shown * ${solid ? "1.0" : "max(fine, coarse) * 0.8"};`,
        );
    };
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    this.mesh.receiveShadow = solid;
    this.mesh.renderOrder = solid ? -1 : 0;
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.ground);
    this.uniforms.minor.value.set(theme.gridMinor);
    this.uniforms.major.value.set(theme.gridMajor);
  }

  setLines(shown: boolean): void {
    this.uniforms.lines.value = shown ? 1 : 0;
    if (!this.solid) this.mesh.visible = shown;
  }

  /** `size` is the extent of what is looked at; `shift` the place of the plane's centre in the world, plane axes. */
  place(size: number, shift: THREE.Vector3, focus: THREE.Vector2): void {
    const half = 9 * size;
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.PlaneGeometry(2 * half, 2 * half);
    this.uniforms.spacing.value = decade(size / 2.5);
    this.uniforms.fade.value = half;
    this.uniforms.shift.value.copy(shift);
    this.uniforms.focus.value.copy(focus);
  }
}

/** Points all around, for scenes in space. */
export function stars(): THREE.Points {
  const count = 1800;
  const position = new Float32Array(3 * count);
  const color = new Float32Array(3 * count);
  // A small generator of its own: the sky is the same in every picture.
  let seed = 12345;
  const random = () => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff);
  for (let i = 0; i < count; i++) {
    const z = 2 * random() - 1;
    const angle = 2 * Math.PI * random();
    const r = Math.sqrt(1 - z * z);
    position.set([r * Math.cos(angle), r * Math.sin(angle), z], 3 * i);
    const bright = 0.25 + 0.75 * random() ** 4;
    color.set([bright, bright, bright * (0.9 + 0.2 * random())], 3 * i);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(color, 3));
  const material = new THREE.PointsMaterial({ size: 1.6, sizeAttenuation: false, vertexColors: true, depthWrite: false, depthTest: false });
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  points.renderOrder = -10;
  return points;
}

/** A planet: oceans, land and clouds by noise for the Earth, mottled rock for others, and air at its rim. */
export function planet(radius: number, color: string, earth: boolean): THREE.Group {
  const group = new THREE.Group();
  const material = new THREE.MeshStandardMaterial({ color, roughness: 0.9, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vPlanet;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlanet = normal;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${NOISE}`)
      .replace("#include <color_fragment>", earth ? EARTH : ROCK);
  };
  const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 256, 160).rotateX(Math.PI / 2), material);
  group.add(ball);
  if (earth) {
    const air = new THREE.MeshBasicMaterial({ transparent: true, depthWrite: false, side: THREE.BackSide, blending: THREE.AdditiveBlending });
    air.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vOut; varying vec3 vEye;")
        .replace("#include <project_vertex>", "#include <project_vertex>\nvOut = normalize(normalMatrix * normal); vEye = normalize(-mvPosition.xyz);");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vOut; varying vec3 vEye;")
        .replace("#include <color_fragment>", "float rim = clamp(-dot(normalize(vOut), normalize(vEye)) / 0.22, 0.0, 1.0); diffuseColor = vec4(vec3(0.30, 0.55, 1.0) * rim * rim * 0.9, 1.0);");
    };
    group.add(new THREE.Mesh(new THREE.SphereGeometry(radius * 1.025, 192, 96).rotateX(Math.PI / 2), air));
  }
  return group;
}

const NOISE = `varying vec3 vPlanet;
float hash(vec3 p) { p = fract(p * 0.3183099 + 0.1); p *= 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float noise(vec3 x) {
  vec3 i = floor(x); vec3 f = fract(x); f = f * f * (3.0 - 2.0 * f);
  return mix(mix(mix(hash(i), hash(i + vec3(1,0,0)), f.x), mix(hash(i + vec3(0,1,0)), hash(i + vec3(1,1,0)), f.x), f.y),
             mix(mix(hash(i + vec3(0,0,1)), hash(i + vec3(1,0,1)), f.x), mix(hash(i + vec3(0,1,1)), hash(i + vec3(1,1,1)), f.x), f.y), f.z);
}
float layers(vec3 x) { float sum = 0.0; float size = 0.5; for (int k = 0; k < 6; k++) { sum += size * noise(x); x = x * 2.03 + 1.7; size *= 0.5; } return sum; }`;

const EARTH = `vec3 p = normalize(vPlanet);
float high = layers(p * 2.2 + 4.0);
float land = smoothstep(0.50, 0.53, high);
vec3 soil = mix(vec3(0.10, 0.19, 0.07), vec3(0.34, 0.27, 0.15), smoothstep(0.5, 0.66, layers(p * 5.0)));
vec3 ground = mix(mix(vec3(0.012, 0.06, 0.17), vec3(0.03, 0.15, 0.28), smoothstep(0.40, 0.52, high)), soil, land);
ground = mix(ground, vec3(0.85), smoothstep(0.965, 0.995, abs(p.z) + 0.06 * (high - 0.5)));
ground *= 0.62 + 0.76 * layers(p * 55.0);
float cloud = smoothstep(0.50, 0.72, layers(p * vec3(3.2, 3.2, 5.0) + 11.0 + 0.6 * layers(p * 6.0)));
diffuseColor.rgb = mix(ground, vec3(0.92), cloud * 0.85);`;

const ROCK = `diffuseColor.rgb *= 0.6 + 0.7 * layers(normalize(vPlanet) * 4.0);`;
