// A camera that looks at a point from a distance, z up, and projects points of the world to the canvas.

export class Camera {
  target = [0, 0, 0];
  distance = 10;
  turn = -0.9;
  rise = 0.35;

  /** Looks at a box from so far that all of it is seen. */
  frame([low, high]) {
    this.target = low.map((value, i) => 0.5 * (value + high[i]));
    this.distance = Math.max(1e-6, 1.6 * Math.hypot(...low.map((value, i) => high[i] - value)));
  }

  /** A function from points of the world to [x, y, depth] in pixels and metres; null behind the camera. */
  projection(width, height) {
    const [ct, st, cr, sr] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.rise), Math.sin(this.rise)];
    const scale = 0.9 * Math.min(width, height);
    return ([x, y, z]) => {
      const [dx, dy, dz] = [x - this.target[0], y - this.target[1], z - this.target[2]];
      const across = -st * dx + ct * dy;
      const towards = ct * dx + st * dy;
      const up = -sr * towards + cr * dz;
      const depth = this.distance - (cr * towards + sr * dz);
      if (depth < 1e-3 * this.distance) return null;
      return [0.5 * width + (scale * across) / depth, 0.5 * height - (scale * up) / depth, depth];
    };
  }

  drag(dx, dy) {
    this.turn -= 0.008 * dx;
    this.rise = Math.max(-1.5, Math.min(1.5, this.rise + 0.008 * dy));
  }

  zoom(amount) {
    this.distance *= Math.exp(0.001 * amount);
  }
}
