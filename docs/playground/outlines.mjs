// Outlines of the shapes of a model: lists of lines, each a list of points in the frame of the shape.

const CIRCLE = 32;

function circle(radius, point) {
  return Array.from({ length: CIRCLE + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / CIRCLE;
    return point(radius * Math.cos(angle), radius * Math.sin(angle));
  });
}

function sphere({ radius }) {
  return [
    circle(radius, (u, v) => [u, v, 0]),
    circle(radius, (u, v) => [u, 0, v]),
    circle(radius, (u, v) => [0, u, v]),
  ];
}

function ellipsoid({ radii }) {
  const stretch = (point) => point.map((value, axis) => value * radii[axis]);
  return sphere({ radius: 1 }).map((line) => line.map(stretch));
}

function box({ size }) {
  const [x, y, z] = size.map((length) => 0.5 * length);
  const ring = (h) => [[-x, -y, h], [x, -y, h], [x, y, h], [-x, y, h], [-x, -y, h]];
  const posts = [[-x, -y], [x, -y], [x, y], [-x, y]].map(([a, b]) => [[a, b, -z], [a, b, z]]);
  return [ring(-z), ring(z), ...posts];
}

function tube(radius, half, top) {
  const sides = [0, 1, 2, 3].map((k) => {
    const [c, s] = [Math.cos((k * Math.PI) / 2), Math.sin((k * Math.PI) / 2)];
    return [[radius * c, radius * s, -half], [top * c, top * s, half]];
  });
  const rings = [circle(radius, (u, v) => [u, v, -half])];
  if (top > 0) rings.push(circle(top, (u, v) => [u, v, half]));
  return [...rings, ...sides];
}

function capsule({ radius, length }) {
  const half = 0.5 * length;
  const cap = (sign, axis) =>
    Array.from({ length: CIRCLE / 2 + 1 }, (_, k) => {
      const angle = (Math.PI * k) / (CIRCLE / 2);
      const [across, up] = [radius * Math.cos(angle), sign * (half + radius * Math.sin(angle))];
      return axis === 0 ? [across, 0, up] : [0, across, up];
    });
  return [...tube(radius, half, radius), cap(1, 0), cap(1, 1), cap(-1, 0), cap(-1, 1)];
}

/** Arcs of both balls up to where their common cone touches them, and four lines of that cone. */
function taperedCapsule({ bottom_radius: bottom, top_radius: top, length }) {
  const [half, slope] = [0.5 * length, Math.asin((bottom - top) / length)];
  const arc = (radius, z, from, to) =>
    Array.from({ length: CIRCLE / 2 + 1 }, (_, k) => {
      const angle = from + ((to - from) * k) / (CIRCLE / 2);
      return [radius * Math.cos(angle), z + radius * Math.sin(angle)];
    });
  const profile = [...arc(bottom, -half, -Math.PI / 2, slope), ...arc(top, half, slope, Math.PI / 2)];
  const sides = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([c, s]) => profile.map(([r, z]) => [c * r, s * r, z]));
  const ring = (radius, z) => circle(radius * Math.cos(slope), (u, v) => [u, v, z + radius * Math.sin(slope)]);
  return [ring(bottom, -half), ring(top, half), ...sides];
}

/** A grid on the plane, around the point of it nearest to the origin. */
function plane({ normal, offset }, reach) {
  const along = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((value) => value / Math.hypot(...a));
  const u = unit(cross(normal, along));
  const v = cross(normal, u);
  const at = (a, b) => normal.map((n, i) => offset * n + a * u[i] + b * v[i]);
  const lines = [];
  for (let k = -10; k <= 10; k += 1) {
    const s = (k / 10) * reach;
    lines.push([at(s, -reach), at(s, reach)], [at(-reach, s), at(reach, s)]);
  }
  return lines;
}

function mesh({ vertices, triangles }) {
  return triangles.map(([a, b, c]) => [vertices[a], vertices[b], vertices[c], vertices[a]]);
}

/** The faces of a rounded shape are those of its core, moved outwards by the radius; of a hull, the core alone is drawn. */
function rounded({ core, radius }, reach) {
  if (core.box) return box({ size: core.box.size.map((length) => length + 2 * radius) });
  if (core.cylinder) {
    const { radius: inner, length } = core.cylinder;
    return tube(inner + radius, 0.5 * length + radius, inner + radius);
  }
  return outline(core, reach);
}

/** The lines of a geometry of the model; planes are drawn `reach` metres wide. */
export function outline(geometry, reach) {
  if (geometry.sphere) return sphere(geometry.sphere);
  if (geometry.box) return box(geometry.box);
  if (geometry.capsule) return capsule(geometry.capsule);
  if (geometry.cylinder) return tube(geometry.cylinder.radius, 0.5 * geometry.cylinder.length, geometry.cylinder.radius);
  if (geometry.cone) return tube(geometry.cone.radius, 0.5 * geometry.cone.length, 0);
  if (geometry.tapered_capsule) return taperedCapsule(geometry.tapered_capsule);
  if (geometry.ellipsoid) return ellipsoid(geometry.ellipsoid);
  if (geometry.rounded) return rounded(geometry.rounded, reach);
  if (geometry.plane) return plane(geometry.plane, reach);
  if (geometry.mesh) return mesh(geometry.mesh);
  throw new Error(`no outline for ${Object.keys(geometry)}`);
}

/** A point turned by a quaternion (x, y, z, w) and moved. */
export function placed([x, y, z], [qx, qy, qz, qw], [px, py, pz]) {
  const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
  return [
    x + qw * tx + (qy * tz - qz * ty) + px,
    y + qw * ty + (qz * tx - qx * tz) + py,
    z + qw * tz + (qx * ty - qy * tx) + pz,
  ];
}
