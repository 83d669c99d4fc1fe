// The scene: bodies as instances, lights, ground, camera. Everything is drawn relative to an f64 origin near the camera's
// target, so that a craft 7 000 km from the centre of the Earth does not jitter.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bounds } from "./bounds";
import { bodyColors, islandColor, opacity, opaque, THEMES, type Theme } from "./colors";
import { Dots } from "./dots";
import { Ground, planet, stars } from "./ground";
import { Halo } from "./halo";
import { Lights } from "./lights";
import type { Body, Header, Placed, Vec } from "./model";
import { drawable, segmentsOf, withColors } from "./shapes";

/** One shape of one body as an instance of a mesh. */
interface Part {
  mesh: THREE.InstancedMesh;
  slot: number;
  local: THREE.Matrix4;
  /** Of a visual with a colour of its own. */
  color: THREE.Color | null;
}

/** How instances of one mesh look. */
interface Look {
  fixed: boolean;
  ghost: boolean;
  /** 1 unless the colour says otherwise. */
  opacity: number;
  /** A collision shape that is drawn over visuals. */
  collision: boolean;
}


/** A picture is waited for no longer than this, ms. */
const LONGEST_COMPILATION = 60_000;

export type FrameOfView = "world" | "centre" | number;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  /** Holds everything of the world; turned if the camera turns with a body or with an orbit. */
  readonly world = new THREE.Group();
  readonly camera: THREE.PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly bodies: Body[];
  readonly colors: (THREE.Color | null)[];
  readonly radii: number[];
  /** World positions of body frames, m. */
  readonly position: Float64Array;
  /** x, y, z, w. */
  readonly quat: Float64Array;
  readonly inSpace: boolean;
  /** World place of the drawing's origin, m. */
  readonly origin: Vec = [0, 0, 0];
  theme: Theme = THEMES.dark;
  selected: number | null = null;
  asleep: Uint8Array | null = null;
  showAsleep = true;
  frameOfView: FrameOfView = "world";
  turnsWithBody = false;
  /** Extent of what is shown, m. */
  size = 1;
  /** Share of the width that the panel leaves free. */
  freeWidth = 1;
  /** True if the picture is not what is on the screen. */
  changed = true;
  /** How many pictures were drawn. */
  pictures = 0;
  private readonly parts: Part[][];
  private readonly meshes: THREE.InstancedMesh[] = [];
  private readonly instanceBody = new Map<THREE.InstancedMesh, number[]>();
  private readonly grounds: { ground: Ground; normal: THREE.Vector3; point: Vec }[] = [];
  /** Away from the first planet when the view was framed: the view about the centre of bodies in orbit keeps it upright. */
  private readonly outward = new THREE.Vector3(0, 0, 1);
  private readonly planets: { group: THREE.Group; center: Vec; radius: number }[] = [];
  private readonly bySoftware: boolean;
  private readonly lights: Lights;
  private readonly sky: THREE.Points | null;
  private readonly dots: Dots;
  private readonly halo = new Halo();
  private readonly extents: Bounds;
  private readonly movingSlot: Int32Array;
  private readonly staticMaterials: THREE.Material[] = [];
  private readonly collisionMeshes: THREE.InstancedMesh[] = [];
  /** Islands of the bodies that move, by their numbers in `moving`; null if they are not shown. */
  islands: Int32Array | null = null;

  constructor(canvas: HTMLCanvasElement, readonly header: Header) {
    this.bodies = header.bodies;
    this.colors = bodyColors(header.bodies);
    this.inSpace = header.planets.length > 0;
    const count = this.bodies.length;
    this.position = new Float64Array(3 * count);
    this.quat = new Float64Array(4 * count);
    this.movingSlot = new Int32Array(count).fill(-1);
    header.moving.forEach((body, slot) => (this.movingSlot[body] = slot));
    this.bodies.forEach((body, i) => {
      this.position.set(body.pose.slice(0, 3), 3 * i);
      this.quat.set(body.pose.slice(3), 4 * i);
    });
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: true,
      alpha: true,
      preserveDrawingBuffer: true,
      logarithmicDepthBuffer: this.inSpace,
      powerPreference: "high-performance",
    });
    this.bySoftware = drawnBySoftware(this.renderer);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.shadowMap.enabled = !this.inSpace;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    // Shadows stay as they are while only the camera moves.
    this.renderer.shadowMap.autoUpdate = false;
    this.scene.add(this.world);
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("end", () => this.rebase());
    this.controls.addEventListener("change", () => (this.changed = true));
    this.sky = this.inSpace ? stars() : null;
    if (this.sky) this.world.add(this.sky);
    this.lights = new Lights(this.inSpace, this.bySoftware);
    this.world.add(...this.lights.turningWithWorld);
    this.scene.add(this.lights.sky);
    for (const { center, radius, color, name } of header.planets) {
      const group = planet(radius, color, name === "Earth");
      this.planets.push({ group, center, radius });
      this.world.add(group);
    }
    this.radii = this.bodies.map(() => 0);
    this.parts = this.bodies.map(() => []);
    this.extents = new Bounds(header, this.position, this.quat, this.radii);
    this.build();
    this.radii.forEach((radius, i) => (this.radii[i] = Math.min(radius, this.ball(i).radius)));
    this.dots = new Dots(header.moving, this.radii, (body) => this.colors[body] ?? new THREE.Color("#ffffff"), this.inSpace);
    this.world.add(this.dots.points, this.halo.lines);
    this.frameAll();
  }

  private build(): void {
    const { geometries } = this.header;
    const segments = segmentsOf(this.bodies.reduce((sum, body) => sum + body.shapes.length + (body.visuals?.length ?? 0), 0), this.bySoftware);
    const groups = new Map<string, { make: () => THREE.BufferGeometry; at: { body: number; local: THREE.Matrix4; color: THREE.Color | null }[]; look: Look }>();
    const add = (body: number, shape: Placed, look: Look) => {
      const drawn = drawable(geometries[shape.geometry]!, geometries, segments);
      if (!drawn) return 0;
      const key = `${drawn.key} ${JSON.stringify(look)}`;
      const group = groups.get(key) ?? { make: drawn.make, at: [], look };
      groups.set(key, group);
      const local = new THREE.Matrix4().compose(new THREE.Vector3(...shape.position), new THREE.Quaternion(...shape.quat), drawn.scale);
      group.at.push({ body, local, color: shape.color ? opaque(shape.color) : null });
      return Math.hypot(...shape.position) + drawn.radius;
    };
    this.bodies.forEach((body, i) => {
      const fixed = body.kind === "static";
      const ghost = body.kind === "graphical";
      const visuals = body.visuals ?? [];
      for (const shape of body.shapes) {
        const geometry = geometries[shape.geometry]!;
        if (geometry.kind === "plane") {
          this.addGround(body, geometry.normal, geometry.offset, true);
          continue;
        }
        const look = visuals.length > 0 ? { fixed, ghost: true, opacity: 1, collision: true } : { fixed, ghost, opacity: opacity(body.color), collision: false };
        this.radii[i] = Math.max(this.radii[i]!, add(i, shape, look));
      }
      for (const shape of visuals) {
        this.radii[i] = Math.max(this.radii[i]!, add(i, shape, { fixed, ghost, opacity: opacity(shape.color ?? body.color), collision: false }));
      }
    });
    for (const { make, at, look } of groups.values()) {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.48, metalness: 0.02, vertexColors: true });
      // Open surfaces, such as sheets, have no inside.
      // Their shadows are those of their far sides, as of closed bodies: a lit face does not shade itself.
      if (!look.collision) Object.assign(material, { side: THREE.DoubleSide, shadowSide: THREE.BackSide });
      if (look.opacity < 1) Object.assign(material, { transparent: true, opacity: look.opacity, depthWrite: false });
      if (look.ghost) Object.assign(material, { transparent: true, opacity: 0.35, depthWrite: false });
      if (look.collision) Object.assign(material, { wireframe: true, opacity: 0.5 });
      if (look.fixed && !look.collision) this.staticMaterials.push(material);
      const mesh = new THREE.InstancedMesh(withColors(make()), material, at.length);
      mesh.castShadow = mesh.receiveShadow = !look.ghost && look.opacity === 1;
      mesh.frustumCulled = false;
      mesh.visible = !look.collision;
      if (look.collision) this.collisionMeshes.push(mesh);
      this.instanceBody.set(mesh, at.map(({ body }) => body));
      at.forEach(({ body, local, color }, slot) => this.parts[body]!.push({ mesh, slot, local, color }));
      this.meshes.push(mesh);
      this.world.add(mesh);
    }
    if (this.grounds.length === 0 && !this.inSpace) this.addHorizon();
  }

  /** True if some body is drawn by visuals, so that its collision shapes can be shown over them. */
  get hasVisuals(): boolean {
    return this.collisionMeshes.length > 0;
  }

  /** Collision shapes over the visuals of bodies that have any. */
  setCollision(shown: boolean): void {
    for (const mesh of this.collisionMeshes) mesh.visible = shown;
    this.changed = true;
  }

  /** Lines below everything where there is gravity but no floor. */
  private addHorizon(): void {
    const g = this.header.gravity;
    if (Math.hypot(...g) === 0) return;
    const up = new THREE.Vector3(...g).normalize().negate();
    const box = this.bounds();
    let lowest = Infinity;
    for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) lowest = Math.min(lowest, up.dot(new THREE.Vector3(x, y, z)));
    const size = box.getSize(new THREE.Vector3()).length() || 1;
    const offset = lowest - 0.08 * size;
    this.grounds.push({ ground: new Ground(false), normal: up, point: up.clone().multiplyScalar(offset).toArray() });
    this.world.add(this.grounds[0]!.ground.mesh);
  }

  private addGround(body: Body, normal: Vec, offset: number, solid: boolean): void {
    const turn = new THREE.Quaternion(...(body.pose.slice(3) as [number, number, number, number]));
    const n = new THREE.Vector3(...normal).applyQuaternion(turn);
    const point = n.clone().multiplyScalar(offset).add(new THREE.Vector3(...(body.pose.slice(0, 3) as Vec)));
    const ground = new Ground(solid);
    this.grounds.push({ ground, normal: n, point: point.toArray() });
    this.world.add(ground.mesh);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.lights.setTheme(theme);
    this.grounds.forEach(({ ground }) => ground.setTheme(theme));
    this.recolor();
  }

  /** See-through static bodies, for what would hide the rest. */
  setSeeThrough(on: boolean): void {
    for (const material of this.staticMaterials) {
      Object.assign(material, { transparent: on, opacity: on ? 0.2 : 1, depthWrite: !on });
      material.needsUpdate = true;
    }
    for (const mesh of this.meshes) {
      if (!this.staticMaterials.includes(mesh.material as THREE.Material)) continue;
      // Glass has neither shadows on it nor a hard shadow below it.
      mesh.castShadow = mesh.receiveShadow = !on;
    }
    this.renderer.shadowMap.needsUpdate = true;
  }

  /** True if static bodies stand around bodies that move. */
  encloses(): boolean {
    const walls = new THREE.Box3();
    this.bodies.forEach((body, i) => {
      if (body.kind === "static" && this.radii[i]! > 0) this.extents.expand(walls, i);
    });
    if (walls.isEmpty()) return false;
    const inside = this.header.moving.filter((i) => {
      const { x, y } = this.center(i);
      return x > walls.min.x && x < walls.max.x && y > walls.min.y && y < walls.max.y;
    });
    const lowWalls = this.bodies.filter((b, i) => b.kind === "static" && this.radii[i]! > 0).length;
    return lowWalls >= 3 && inside.length > 0;
  }

  recolor(): void {
    this.changed = true;
    const asleepTone = new THREE.Color(this.theme.name === "dark" ? "#4b5563" : "#9aa5b1");
    const marked = new THREE.Color("#ffb000");
    const color = new THREE.Color();
    const alone = new THREE.Color(this.theme.name === "dark" ? "#7d8794" : "#a9b3bd");
    const shade = (own: THREE.Color, island: number | null, slot: number, body: number) => {
      color.copy(island === null ? own : island < 0 ? alone : islandColor(island));
      if (this.showAsleep && slot >= 0 && this.asleep?.[slot] === 1) color.lerp(asleepTone, 0.65);
      if (body === this.selected) color.lerp(marked, 0.25);
      return color;
    };
    this.bodies.forEach((_, i) => {
      const slot = this.movingSlot[i]!;
      const own = this.colors[i] ?? new THREE.Color(this.theme.staticBody);
      const island = slot >= 0 && this.islands ? this.islands[slot]! : null;
      for (const part of this.parts[i]!) part.mesh.setColorAt(part.slot, shade(part.color ?? own, island, slot, i));
    });
    for (const mesh of this.meshes) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  setGrid(shown: boolean): void {
    this.grounds.forEach(({ ground }) => ground.setLines(shown));
  }

  /** Bounds of one body along the axes of the world, m; empty if it has no size. */
  boundsOf(body: number): THREE.Box3 {
    return this.extents.of(body);
  }

  /** A ball that holds a body, in the body's frame: of radius 0 for a body without size. */
  ball(body: number): THREE.Sphere {
    return this.extents.ball(body);
  }

  /** Bounds of all bodies where they are. */
  bounds(): THREE.Box3 {
    return this.extents.all();
  }

  /** Moves the camera so that `box` (world) fills the view from a pleasant side. */
  frameBox(box: THREE.Box3, direction?: THREE.Vector3): void {
    const center = box.getCenter(new THREE.Vector3());
    const extent = box.getSize(new THREE.Vector3());
    this.size = Math.max(extent.length(), 1e-6);
    [this.origin[0], this.origin[1], this.origin[2]] = center.toArray();
    const look = (direction ?? this.pleasantSide(extent)).normalize();
    this.camera.lookAt(0, 0, 0);
    // The distance at which every corner is inside the view.
    const right = new THREE.Vector3().crossVectors(this.camera.up, look).normalize();
    const up = new THREE.Vector3().crossVectors(look, right);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3((k & 1 ? 0.5 : -0.5) * extent.x, (k & 2 ? 0.5 : -0.5) * extent.y, (k & 4 ? 0.5 : -0.5) * extent.z);
      const [x, y, z] = [Math.abs(corner.dot(right)), Math.abs(corner.dot(up)), corner.dot(look)];
      distance = Math.max(distance, z + (1.1 * x) / (tan * Math.min(this.camera.aspect * this.freeWidth, 2.2)), z + (1.32 * y) / tan);
    }
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(look.multiplyScalar(distance));
    this.camera.near = this.inSpace ? 1e-3 * Math.max(this.size, 1e-3) : distance / 200;
    this.camera.far = this.inSpace ? 1e12 : distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = this.size * 0.02;
    this.controls.maxDistance = this.inSpace ? 1e11 : distance * 12;
    this.controls.update();
    this.lights.place(this.camera, this.size);
    this.renderer.shadowMap.needsUpdate = true;
    this.placeGrounds();
  }

  /** A flat scene is looked at from its broad side, a little from above. */
  private pleasantSide(extent: THREE.Vector3): THREE.Vector3 {
    if (extent.x > 2.2 * extent.y) return new THREE.Vector3(0.34, -1, 0.36);
    if (extent.y > 2.2 * extent.x) return new THREE.Vector3(1, -0.34, 0.36);
    return new THREE.Vector3(0.62, -1, 0.5);
  }

  /** The default view. */
  frameAll(box = this.bounds()): void {
    if (this.inSpace) return this.frameSpace(box);
    this.camera.up.set(0, 0, 1);
    this.frameBox(box);
  }

  private frameSpace(box: THREE.Box3): void {
    const { center, radius } = this.planets[0]!;
    const middle = box.getCenter(new THREE.Vector3());
    const out = middle.clone().sub(new THREE.Vector3(...center));
    const distance = out.length();
    out.normalize();
    const first = this.header.moving[0];
    const speed = Math.sqrt(this.header.planets[0]!.mu / distance);
    if (first !== undefined && this.header.moving.length < 20 && speed * this.header.duration > 5 * radius) {
      // The whole orbit is the subject.
      this.camera.up.set(0, 0, 1);
      this.camera.updateMatrixWorld();
      const reach = 0.72 * distance;
      const c = new THREE.Vector3(...center);
      this.frameBox(new THREE.Box3(c.clone().subScalar(reach), c.clone().addScalar(reach)), new THREE.Vector3(0.35, -0.75, 0.75));
      this.frameOfView = "world";
      return;
    }
    const side = Math.abs(out.z) < 0.9 ? new THREE.Vector3(0, 0, 1).cross(out).normalize() : new THREE.Vector3(1, 0, 0);
    const normal = new THREE.Vector3().crossVectors(out, side);
    this.camera.up.copy(out);
    this.outward.copy(out);
    const look = out.clone().multiplyScalar(0.42).addScaledVector(side, -0.72).addScaledVector(normal, 0.62);
    this.frameBox(box, look);
    this.frameOfView = "centre";
    // Bodies that are specks in a wide cloud are looked at from within it.
    this.track();
  }

  private placeGrounds(): void {
    for (const { ground, normal, point } of this.grounds) {
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
      const p = new THREE.Vector3(...point);
      const o = new THREE.Vector3(...this.origin);
      // The point of the plane below the origin of the drawing.
      const foot = o.clone().addScaledVector(normal, p.clone().sub(o).dot(normal));
      ground.mesh.position.copy(foot.clone().sub(o));
      ground.mesh.quaternion.copy(turn);
      const inPlane = foot.clone().applyQuaternion(turn.clone().invert());
      ground.place(this.size, inPlane, new THREE.Vector2());
    }
  }

  /** Puts the origin of the drawing where the camera looks: f32 is finest there. */
  private rebase(): void {
    if (this.frameOfView !== "world") return;
    const move = this.controls.target.clone();
    if (move.length() < 0.5 * this.size) return;
    for (let k = 0; k < 3; k++) this.origin[k] = this.origin[k]! + move.getComponent(k);
    this.camera.position.sub(move);
    this.controls.target.set(0, 0, 0);
    this.placeGrounds();
    this.draw();
  }

  /** The point that the view moves with, world; null for a view at rest. */
  private tracked(): Vec | null {
    if (this.frameOfView === "world") return null;
    if (typeof this.frameOfView === "number") {
      return this.center(this.frameOfView).toArray();
    }
    const sum: Vec = [0, 0, 0];
    for (const i of this.header.moving) {
      const center = this.center(i);
      for (let k = 0; k < 3; k++) sum[k] = sum[k]! + center.getComponent(k) / this.header.moving.length;
    }
    return sum;
  }

  /** Centre of mass of a body, world, m. The frame of a body may be far from it. */
  center(body: number): THREE.Vector3 {
    const [x, y, z] = this.bodies[body]!.center_of_mass;
    const arm = new THREE.Vector3(x, y, z);
    if (x !== 0 || y !== 0 || z !== 0) arm.applyQuaternion(new THREE.Quaternion().fromArray(this.quat, 4 * body));
    arm.x += this.position[3 * body]!;
    arm.y += this.position[3 * body + 1]!;
    arm.z += this.position[3 * body + 2]!;
    return arm;
  }

  /** The same relative to the origin of the drawing. */
  localCenter(body: number): THREE.Vector3 {
    return this.local(this.center(body).toArray());
  }

  setFrameOfView(frame: FrameOfView, turns: boolean): void {
    const target = this.controls.target.clone();
    const old = this.tracked();
    this.frameOfView = frame;
    this.turnsWithBody = turns && typeof frame === "number";
    const now = this.tracked();
    if (now) {
      // Looks at the body from where the camera was relative to its target.
      const arm = this.camera.position.clone().sub(target);
      this.controls.target.set(0, 0, 0);
      const near = typeof frame === "number" && this.radii[frame]! > 0 ? Math.min(arm.length(), 60 * this.radii[frame]!) : arm.length();
      this.camera.position.copy(arm.setLength(near));
      [this.origin[0], this.origin[1], this.origin[2]] = now;
    } else if (old) {
      this.turnsWithBody = false;
    }
    this.controls.update();
    this.draw();
  }

  private track(): void {
    const point = this.tracked();
    if (point) [this.origin[0], this.origin[1], this.origin[2]] = point;
    if (this.turnsWithBody && typeof this.frameOfView === "number") {
      this.world.quaternion.fromArray(this.quat, 4 * this.frameOfView).invert();
    } else if (this.frameOfView === "centre" && this.inSpace) {
      // The planet stays below, all around the orbit.
      const [x, y, z] = this.planets[0]!.center;
      const out = new THREE.Vector3(this.origin[0] - x, this.origin[1] - y, this.origin[2] - z).normalize();
      this.world.quaternion.setFromUnitVectors(out, this.outward);
    } else {
      this.world.quaternion.identity();
    }
  }

  /** A world point relative to the origin of the drawing. */
  local(p: ArrayLike<number>, at = 0): THREE.Vector3 {
    return new THREE.Vector3(p[at]! - this.origin[0], p[at + 1]! - this.origin[1], p[at + 2]! - this.origin[2]);
  }

  /** Puts all instances where the bodies are. */
  draw(): void {
    this.changed = true;
    this.track();
    const [ox, oy, oz] = this.origin;
    const pose = new THREE.Matrix4();
    const at = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    const placed = new THREE.Matrix4();
    for (let i = 0; i < this.bodies.length; i++) {
      const parts = this.parts[i]!;
      if (parts.length === 0) continue;
      at.set(this.position[3 * i]! - ox, this.position[3 * i + 1]! - oy, this.position[3 * i + 2]! - oz);
      pose.compose(at, turn.fromArray(this.quat, 4 * i), one);
      for (const part of parts) part.mesh.setMatrixAt(part.slot, placed.multiplyMatrices(pose, part.local));
    }
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
    this.dots.place((body) => this.center(body), this.origin);
    this.renderer.shadowMap.needsUpdate = true;
    for (const { group, center } of this.planets) group.position.copy(this.local(center));
    if (this.frameOfView !== "world") this.placeGroundsCheaply();
    this.placeHalo();
  }

  /** With a moving view the ground slides below; its size stays. */
  private placeGroundsCheaply(): void {
    for (const { ground, normal, point } of this.grounds) {
      const height = this.local(point).dot(normal);
      ground.mesh.position.copy(normal).multiplyScalar(height);
      const turn = ground.mesh.quaternion.clone().invert();
      ground.place(this.size, new THREE.Vector3(...this.origin).applyQuaternion(turn), new THREE.Vector2());
    }
  }

  /** Brackets around the selected body. */
  private placeHalo(): void {
    const body = this.selected;
    const box = body === null ? new THREE.Box3() : this.extents.own(body);
    if (body === null || box.isEmpty()) this.halo.hide();
    else this.halo.place(box, this.local(this.position, 3 * body), this.quat, 4 * body);
  }

  resize(width: number, height: number): void {
    this.changed = true;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dots.resize(height / Math.tan((this.camera.fov * Math.PI) / 360), this.renderer.getPixelRatio());
  }

  /** Draws the picture if anything in it changed: a page that stands still costs nothing. */
  renderIfChanged(): void {
    this.controls.update();
    if (!this.changed) return;
    this.changed = false;
    this.render();
  }

  /** Draws the first picture, without shadows, and waits until it is on the screen: its few programs are compiled first. */
  async drawn(): Promise<void> {
    this.render();
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const done = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!done) return;
    gl.flush();
    const began = performance.now();
    while (performance.now() - began < LONGEST_COMPILATION && gl.clientWaitSync(done, 0, 0) === gl.TIMEOUT_EXPIRED) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    gl.deleteSync(done);
  }

  /** Adds the shadows; where the browser can compile their programs in the background, pictures go on without them until then. */
  async addShadows(): Promise<void> {
    if (this.inSpace) return;
    if (this.renderer.extensions.has("KHR_parallel_shader_compile")) {
      this.lights.cast(true);
      const compiled = this.renderer.compileAsync(this.scene, this.camera);
      this.lights.cast(false);
      await compiled;
    }
    this.lights.cast(true);
    this.renderer.shadowMap.needsUpdate = true;
    this.changed = true;
  }

  render(): void {
    this.sky?.position.copy(this.camera.position).applyQuaternion(this.world.quaternion.clone().invert());
    if (this.sky) this.sky.scale.setScalar(this.camera.far * 0.5);
    this.renderer.render(this.scene, this.camera);
    this.pictures++;
  }

  /** The body under a place of the canvas (px), and where it is hit in its own frame. */
  pick(x: number, y: number): { body: number; point: THREE.Vector3; local: Vec } | null {
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / w - 1, 1 - (2 * y) / h), this.camera);
    for (const mesh of this.meshes) mesh.boundingSphere = null;
    const hit = ray.intersectObjects(this.meshes.filter((mesh) => mesh.visible), false).find((found) => found.instanceId !== undefined);
    if (hit) {
      const body = this.instanceBody.get(hit.object as THREE.InstancedMesh)![hit.instanceId!]!;
      const inWorld = hit.point.clone().applyQuaternion(this.world.quaternion.clone().invert());
      const q = new THREE.Quaternion().fromArray(this.quat, 4 * body).invert();
      const local = inWorld.clone().sub(this.local(this.position, 3 * body)).applyQuaternion(q);
      return { body, point: hit.point.clone(), local: local.toArray() };
    }
    // A dot within a few pixels.
    let best: { body: number; distance: number } | null = null;
    for (const body of this.header.moving) {
      const at = this.screen(this.localCenter(body));
      const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (distance < 10 && (!best || distance < best.distance)) best = { body, distance };
    }
    return best && { body: best.body, point: this.localCenter(best.body), local: this.bodies[best.body]!.center_of_mass };
  }

  /** Where a point of the drawing is on the canvas, px; null behind the camera. */
  screen(point: THREE.Vector3): { x: number; y: number; depth: number } | null {
    const p = point.clone().applyQuaternion(this.world.quaternion);
    const depth = p.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new THREE.Vector3()));
    if (depth <= 0) return null;
    p.project(this.camera);
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    return { x: ((p.x + 1) / 2) * w, y: ((1 - p.y) / 2) * h, depth };
  }

  /** True if a planet stands before a point of the drawing. */
  hidden(point: THREE.Vector3): boolean {
    const eye = this.camera.position.clone().applyQuaternion(this.world.quaternion.clone().invert());
    const along = point.clone().sub(eye);
    const length = along.length();
    along.divideScalar(length || 1);
    return this.planets.some(({ center, radius }) => {
      const to = this.local(center).sub(eye);
      const nearest = to.dot(along);
      const off = Math.sqrt(Math.max(0, to.lengthSq() - nearest * nearest));
      return off < radius && nearest - Math.sqrt(Math.max(0, radius * radius - off * off)) < length - 1e-3 * radius && nearest > 0 && to.length() > radius && point.distanceTo(this.local(center)) > 0.9 * radius;
    });
  }

  /** Instances drawn, for tests. */
  get instances(): number {
    return this.meshes.reduce((sum, mesh) => sum + (mesh.visible ? mesh.count : 0), 0);
  }
}

/** True if pictures are made by the processor: then every pixel of a shadow costs time that the simulation needs, too. */
function drawnBySoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return info !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}
