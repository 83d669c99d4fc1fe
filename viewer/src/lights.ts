// Light: a sun that casts shadows, a sky, and a faint light from behind that shows the edges of what the sun leaves dark.
// No picture of surroundings is reflected: to blur one takes a software renderer several seconds, and matt bodies hardly show it.

import * as THREE from "three";
import type { Theme } from "./colors";

/** Points of the shadow's edge on each side, for a graphics processor and for a software renderer. */
const SHADOW_MAP = { fast: 2048, slow: 1024 };

export class Lights {
  /** Over the picture, wherever the camera is. */
  readonly sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1);
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.4);
  private readonly back = new THREE.DirectionalLight(0xdfe9ff, 0.6);

  constructor(
    private readonly inSpace: boolean,
    bySoftware: boolean,
  ) {
    const { shadow } = this.sun;
    shadow.mapSize.setScalar(bySoftware ? SHADOW_MAP.slow : SHADOW_MAP.fast);
    shadow.radius = bySoftware ? 2 : 3.5;
    shadow.bias = -0.0004;
  }

  get turningWithWorld(): THREE.Object3D[] {
    return [this.sun, this.sun.target, this.back, this.back.target];
  }

  setTheme(theme: Theme): void {
    this.sky.intensity = this.inSpace ? 1.0 : theme.ambient;
    this.sun.intensity = this.inSpace ? 3.2 : theme.sun;
    this.back.intensity = this.inSpace ? 0.9 : theme.back;
    this.sun.shadow.intensity = theme.shadow;
  }

  /** With or without shadows; each has programs of its own. */
  cast(shadows: boolean): void {
    this.sun.castShadow = shadows && !this.inSpace;
  }

  /** The sun stands at the upper left of the view, the light behind opposite; shadows reach over `size`, m. */
  place(camera: THREE.Camera, size: number): void {
    const toCamera = camera.position.clone().normalize();
    const { up } = camera;
    const side = new THREE.Vector3().crossVectors(up, toCamera).normalize();
    const reach = 1.6 * size;
    const away = this.inSpace ? 1e9 : 2 * reach;
    const from = toCamera.clone().multiplyScalar(0.35).addScaledVector(side, -0.65).addScaledVector(up, 1.0).normalize();
    this.sun.position.copy(from).multiplyScalar(away);
    this.back.position.copy(side).addScaledVector(up, 0.25).addScaledVector(toCamera, 0.3).normalize().multiplyScalar(away);
    this.sky.position.copy(up);
    const { shadow } = this.sun;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.2 * reach, far: 4 * reach });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = 0.004 * size;
  }
}
