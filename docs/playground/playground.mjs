// The page: scene editor, engine in WebAssembly, drawing. No server computes anything: the page needs static files only.

import { Session, instantiate } from './module.mjs';
import { Camera } from './camera.mjs';
import { outline, placed } from './outlines.mjs';

const element = (id) => document.getElementById(id);
const COLORS = { dynamic: '#2f7ed8', static: '#888888', kinematic: '#c77d1e', graphical: '#7a5cc2' };
const FRAME_SECONDS = 1 / 60;

class Playground {
  constructor(abi) {
    this.abi = abi;
    this.camera = new Camera();
    this.canvas = element('view');
    this.context = this.canvas.getContext('2d');
    this.session = null;
    this.running = false;
  }

  /** Reads the scene of the editor; shows its problems if it has any. */
  load() {
    this.session?.free();
    this.session = new Session(this.abi);
    this.running = false;
    try {
      this.session.load('scene.toml', element('scene').value);
    } catch (problem) {
      this.session.free();
      this.session = null;
      this.say(problem.message, true);
      return false;
    }
    this.model = this.session.model();
    const box = this.bounds();
    this.reach = Math.max(...box[1].map((high, i) => high - box[0][i]), 1) * 2;
    this.camera.frame(box);
    for (const body of this.model.bodies) {
      for (const part of body.parts) part.lines = outline(part.geometry, this.reach);
    }
    this.say('', false);
    this.draw();
    return true;
  }

  /** A box around the bodies that have an extent. */
  bounds() {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const poses = this.session.poses(this.model.bodies.length);
    this.model.bodies.forEach((body, k) => {
      const [position, quaternion] = [poses.slice(7 * k, 7 * k + 3), poses.slice(7 * k + 3, 7 * k + 7)];
      for (const part of body.parts.filter((part) => !part.geometry.plane)) {
        for (const point of outline(part.geometry, 1).flat()) {
          const there = placed(placed(point, part.quaternion, part.position), quaternion, position);
          there.forEach((value, i) => {
            low[i] = Math.min(low[i], value);
            high[i] = Math.max(high[i], value);
          });
        }
      }
    });
    return Number.isFinite(low[0]) ? [low, high] : [[-1, -1, -1], [1, 1, 1]];
  }

  /** As many steps as a frame of the display takes, but at least one. */
  advance() {
    const steps = Math.max(1, Math.round(FRAME_SECONDS / this.model.dt));
    try {
      if (!this.session.step(steps)) this.running = false;
    } catch (problem) {
      this.running = false;
      this.say(problem.message, true);
    }
    this.follow();
    this.draw();
    this.report();
  }

  /** Frames the bodies again once all that move have left the view, as a cloud in orbit does within a step. */
  follow() {
    const { width, height } = this.canvas;
    const project = this.camera.projection(width, height);
    const poses = this.session.poses(this.model.bodies.length);
    const moving = this.model.bodies.flatMap((body, k) => (body.kind === 'static' ? [] : [poses.slice(7 * k, 7 * k + 3)]));
    const seen = (position) => {
      const at = project(position);
      return at && at[0] >= 0 && at[0] <= width && at[1] >= 0 && at[1] <= height;
    };
    if (moving.length > 0 && !moving.some(seen)) this.camera.frame(this.bounds());
  }

  report() {
    const { time, steps, kinetic, potential, max_error: error, contacts } = this.session.status();
    const total = (kinetic + potential).toPrecision(7);
    element('status').textContent = `${time.toFixed(3)} s, ${steps} steps, ${contacts} contacts, ${total} J`;
    if (!this.running) {
      this.say(`state hash ${this.session.hash()}\nlargest error of the energy ledger ${error.toExponential(1)} J`, false);
    }
  }

  say(text, problem) {
    element('output').textContent = text;
    element('output').classList.toggle('problem', problem);
    for (const id of ['pause', 'step']) element(id).disabled = !this.session;
    element('pause').textContent = this.running ? 'Pause' : 'Continue';
  }

  draw() {
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.clearRect(0, 0, width, height);
    if (!this.session) return;
    const project = this.camera.projection(width, height);
    const poses = this.session.poses(this.model.bodies.length);
    this.model.bodies.forEach((body, k) => {
      const [position, quaternion] = [poses.slice(7 * k, 7 * k + 3), poses.slice(7 * k + 3, 7 * k + 7)];
      context.strokeStyle = COLORS[body.kind];
      context.lineWidth = (body.kind === 'static' ? 0.6 : 1.4) * ratio;
      context.beginPath();
      for (const part of body.parts) {
        for (const line of part.lines) this.trace(line, part, quaternion, position, project);
      }
      context.stroke();
      // A dot for bodies too small to be seen.
      const at = body.kind === 'static' ? null : project(position);
      context.fillStyle = COLORS[body.kind];
      if (at) context.fillRect(at[0] - ratio, at[1] - ratio, 2 * ratio, 2 * ratio);
    });
  }

  trace(line, part, quaternion, position, project) {
    let open = false;
    for (const point of line) {
      const at = project(placed(placed(point, part.quaternion, part.position), quaternion, position));
      if (at) open ? this.context.lineTo(at[0], at[1]) : this.context.moveTo(at[0], at[1]);
      open = at !== null;
    }
  }

  start() {
    const tick = () => {
      if (this.running) this.advance();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    element('run').addEventListener('click', () => {
      if (!this.load()) return;
      this.running = true;
      this.say('', false);
    });
    element('pause').addEventListener('click', () => {
      this.running = !this.running;
      this.say('', false);
    });
    element('step').addEventListener('click', () => {
      this.running = false;
      this.advance();
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons !== 1) return;
      this.camera.drag(event.movementX, event.movementY);
      this.draw();
    });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.camera.zoom(event.deltaY);
      this.draw();
    }, { passive: false });
    window.addEventListener('resize', () => this.draw());
  }
}

const scenes = await (await fetch('./scenes.json')).json();
for (const name of Object.keys(scenes)) element('scenes').add(new Option(name));
const show = () => { element('scene').value = scenes[element('scenes').value]; };
element('scenes').addEventListener('change', show);
show();
const bytes = await (await fetch('./msd_wasm.wasm')).arrayBuffer();
const playground = new Playground(await instantiate(bytes));
playground.load();
playground.start();
element('status').textContent = 'ready';
