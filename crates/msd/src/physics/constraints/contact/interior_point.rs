//! Primal-dual interior-point method in velocity space: a few digits in some fifteen factorisations from a cold
//! start, whatever the masses, the number of contacts and their modes.
//!
//! For given shifts `s` the problem is the convex one of [`proximal_step`](super::proximal_step): `λ ∈ K`,
//! `w = B y + u* + s e_n ∈ K*`, `λ·w = 0`, `y = Bᵀ λ`. In the scaled quantities `z = (μ λ_n, λ_t)` and `w = (w_n/μ, w_t)` both
//! cones are Lorentz's. With the scaling W of Nesterov and Todd (1997; `W z = W⁻¹ w`), a Newton step for
//! `z ∘ w = σ ν e` reduces to
//! ```text
//! dz = h - W⁻² B dy,     (1 + Bᵀ W⁻² B) dy = Bᵀ h - (y - Bᵀ λ)
//! ```
//! predictor and corrector (Mehrotra 1992) with one factor. The shift moves with the velocity inside the step,
//! `s = μ √(‖u_t‖² + δ²)` with the blur δ falling with the gap, so that what is approached is Coulomb's law and not its convex
//! relative: B is then `(1 + e_n ∂s/∂u_t) B` beside `W⁻²`, and the matrix is not symmetric. The corrector knows how the shift
//! bends along the predictor.
//!
//! Coulomb's problem is not convex, and the way to its solution may turn back: the matrix becomes singular and steps come to
//! nothing. Then `∂s/∂u_t` is left out of it for a few steps. These are the steps of the convex problem with the shifts as they
//! are, which always has a solution; they lead past the turn.
//!
//! Impulses with a residual r are near a solution if r is far below the velocities without impulses: the start is
//! then a few times r inside the cones, with velocities of its own (warm start).
//!
//! Contacts without friction and one-sided rows are half lines; rows without bounds have a stiff penalty; moments and
//! rows with two bounds are kept constant. The other solvers refine the result.

use super::constraint_rows::{ConstraintBlock, ConstraintRows};
use super::newton_matrix::VelocityMatrix;
use crate::math::{Mat3, Vec3, scalar};

/// Share of the distance to the boundary of the cones that a step covers. tuned: without the interior point
/// `contact_piles` takes 1.6 times as long.
const INTERIOR_STEP: f64 = 0.99;

/// Steps without progress after which the method stops, and the share of the least residual that counts as
/// progress. tuned: tipping stacks and tumbling piles.
const INTERIOR_PATIENCE: usize = 12;

/// See [`INTERIOR_PATIENCE`].
const INTERIOR_PROGRESS: f64 = 0.7;

/// Step length below which the iterate is jammed at the boundary, and the steps for which the De Saxcé shifts
/// are then frozen. tuned: tumbling piles.
const INTERIOR_JAMMED: f64 = 0.25;

/// See [`INTERIOR_JAMMED`].
const INTERIOR_HELD: usize = 2;

/// Distance from the boundary at a warm start, relative to its residual. tuned: tumbling piles.
const INTERIOR_NEAR: f64 = 3.0;

/// Square of the sliding speed that is smoothed, relative to the gap times `tr W/3`. tuned: tipping stacks.
const INTERIOR_BLUR: f64 = 1e-8;

/// Regularisation of rows without bounds, relative to `J M⁻¹ Jᵀ`. tuned: the Newton steps that follow remove
/// its error.
const INTERIOR_PENALTY: f64 = 1e-8;

/// Cone of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Lorentz cone with this μ.
    Cone(f64),
    /// Half line; the sign of the impulses on it.
    Ray(f64),
    /// No bounds.
    Free,
    /// Constant.
    Fixed,
}

/// State and scaling of one element. Half lines use the first component alone.
#[derive(Clone, Copy, Debug)]
struct Cone {
    kind: Kind,
    z: Vec3,
    w: Vec3,
    /// Scaled point `W z`.
    middle: Vec3,
    scaling: Scaling,
    /// `w - B y - u* - s e_n`.
    off: Vec3,
    /// `∂s/∂u_t`, or zero while shifts are held.
    slope: Vec3,
    /// u, its change in the last direction, and δ².
    u: Vec3,
    du: Vec3,
    blur: f64,
    h: Vec3,
    dz: Vec3,
    dw: Vec3,
}

/// `W = β (…)` by its unit hyperbolic vector.
#[derive(Clone, Copy, Debug)]
struct Scaling {
    beta: f64,
    v: Vec3,
}

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct InteriorPoint {
    cones: Vec<Cone>,
    impulses: Vec<f64>,
    y: Vec<f64>,
    response: Vec<f64>,
    u: Vec<f64>,
    dy: Vec<f64>,
    /// Steps for which shifts are still held.
    held: usize,
}

impl InteriorPoint {
    /// Replaces `impulses`, which have this residual (m/s), by better ones, if any; returns their residual and the
    /// number of factorisations.
    pub(super) fn run(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        impulses: &mut [f64],
        (residual, target): (f64, f64),
        most: usize,
    ) -> (f64, usize) {
        self.start(elements, impulses, residual);
        let (mut best, mut lowest, mut done, mut waited) = (residual, f64::INFINITY, 0, 0);
        while done < most && waited < INTERIOR_PATIENCE {
            self.refresh(elements);
            self.scale_and_factorise(elements, matrix);
            done += 1;
            let gap = self.gap();
            self.direction(elements, matrix, None);
            let affine = self.longest();
            self.bend(affine);
            let centring = (1.0 - affine) * (1.0 - affine) * (1.0 - affine);
            self.direction(elements, matrix, Some(centring * gap));
            let length = scalar::min(1.0, INTERIOR_STEP * self.longest());
            self.advance(length);
            let own = self.judge(elements);
            waited = if own < INTERIOR_PROGRESS * lowest { 0 } else { waited + 1 };
            self.held = if length < INTERIOR_JAMMED { INTERIOR_HELD } else { self.held.saturating_sub(1) };
            lowest = scalar::min(lowest, own);
            if own < best {
                best = own;
                impulses.copy_from_slice(&self.impulses);
            }
            if best <= target || !own.is_finite() {
                break;
            }
        }
        (best, done)
    }

    /// Inside the cones: the impulses given, moved inwards, with velocities of the size of those without impulses or, near a
    /// solution, with their own moved inwards.
    fn start(&mut self, elements: &ConstraintRows, impulses: &[f64], residual: f64) {
        self.held = 0;
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        elements.respond(impulses, &mut self.y);
        let mut size = 0.0;
        for element in elements.list.iter().filter(|element| element.weight > 0.0) {
            size = scalar::max(size, elements.free[element.first].abs());
        }
        let size = if size > 0.0 { size } else { 1.0 };
        let near = INTERIOR_NEAR * residual < size;
        let size = if near { INTERIOR_NEAR * residual } else { size };
        elements.velocities(&self.y, &mut self.u);
        self.cones.clear();
        for element in &elements.list {
            let kind = kind_of(element);
            let unit = size / element.weight;
            let z = match kind {
                Kind::Cone(mu) => {
                    let own = &impulses[element.first..];
                    Vec3::new(mu * own[0] + mu * unit, own[1], own[2])
                }
                Kind::Ray(sign) => Vec3::X * (sign * impulses[element.first] + unit),
                Kind::Free | Kind::Fixed => Vec3::ZERO,
            };
            let u = &self.u[element.first..];
            let w = match kind {
                Kind::Cone(mu) if near => {
                    let sliding = (u[1] * u[1] + u[2] * u[2]).sqrt();
                    Vec3::new(sliding + (scalar::max(u[0], 0.0) + size) / mu, u[1], u[2])
                }
                Kind::Ray(sign) if near => Vec3::X * (scalar::max(sign * u[0], 0.0) + size),
                Kind::Cone(mu) => Vec3::X * (size / mu),
                _ => Vec3::X * size,
            };
            let scaling = Scaling { beta: 1.0, v: Vec3::X };
            let zero = Vec3::ZERO;
            self.cones.push(Cone {
                kind,
                z,
                w,
                middle: zero,
                scaling,
                off: zero,
                slope: zero,
                u: zero,
                du: zero,
                blur: 0.0,
                h: zero,
                dz: zero,
                dw: zero,
            });
        }
    }

    /// Velocities of y and their distance from w; `y - Bᵀλ` into `response`.
    fn refresh(&mut self, elements: &ConstraintRows) {
        elements.velocities(&self.y, &mut self.u);
        let gap = self.gap();
        let follows = self.held == 0;
        for (cone, element) in self.cones.iter_mut().zip(&elements.list) {
            let u = &self.u[element.first..];
            cone.off = match cone.kind {
                Kind::Cone(mu) => {
                    let blur = gap * element.weight * INTERIOR_BLUR;
                    let sliding = (u[1] * u[1] + u[2] * u[2] + blur).sqrt();
                    let shift = mu * sliding;
                    let slope = Vec3::new(0.0, u[1], u[2]) * (mu / sliding);
                    cone.slope = if follows { slope } else { Vec3::ZERO };
                    (cone.u, cone.blur) = (Vec3::new(u[0], u[1], u[2]), blur);
                    cone.w - Vec3::new((u[0] + shift) / mu, u[1], u[2])
                }
                Kind::Ray(sign) => Vec3::X * (cone.w.x - sign * u[0]),
                Kind::Free => Vec3::X * -u[0],
                Kind::Fixed => Vec3::ZERO,
            };
        }
        self.load(elements);
        elements.respond(&self.impulses, &mut self.response);
        for (response, y) in self.response.iter_mut().zip(&self.y) {
            *response = y - *response;
        }
    }

    /// Impulses from the cones.
    fn load(&mut self, elements: &ConstraintRows) {
        for (cone, element) in self.cones.iter().zip(&elements.list) {
            let own = &mut self.impulses[element.first..];
            match cone.kind {
                Kind::Cone(mu) => own[..3].copy_from_slice(&[cone.z.x / mu, cone.z.y, cone.z.z]),
                Kind::Ray(sign) => own[0] = sign * cone.z.x,
                Kind::Free | Kind::Fixed => {}
            }
        }
    }

    fn scale_and_factorise(&mut self, elements: &ConstraintRows, matrix: &mut VelocityMatrix) {
        let frictionless = self.cones.iter().all(|cone| !matches!(cone.kind, Kind::Cone(_)));
        matrix.clear(frictionless || self.held > 0);
        for (cone, element) in self.cones.iter_mut().zip(&elements.list) {
            match cone.kind {
                Kind::Cone(mu) => {
                    cone.scaling = Scaling::between(cone.w, cone.z);
                    cone.middle = cone.scaling.apply(cone.z);
                    let d = cone.scaling.inverse_square();
                    let unscale = Vec3::new(1.0 / mu, 1.0, 1.0);
                    let mut rows = [[0.0; 6]; 6];
                    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                        rows[i][j] = unscale[i] * d.col(j)[i] * unscale[j];
                    }
                    for (i, j) in (0..6).map(|k| (k / 2, 1 + k % 2)) {
                        rows[i][j] += rows[i][0] * cone.slope[j];
                    }
                    add_leading(matrix, elements, element, &rows);
                }
                Kind::Ray(_) => {
                    let beta = (cone.w.x / cone.z.x).sqrt();
                    cone.scaling = Scaling { beta, v: Vec3::X };
                    cone.middle = Vec3::X * (beta * cone.z.x);
                    let mut rows = [[0.0; 6]; 6];
                    rows[0][0] = 1.0 / (beta * beta);
                    add_leading(matrix, elements, element, &rows);
                }
                Kind::Free => {
                    let stiff = 1.0 / (INTERIOR_PENALTY * element.weight);
                    matrix.add(elements, element, &[[stiff]]);
                }
                Kind::Fixed => {}
            }
        }
        matrix.factorise();
    }

    /// `z·w` a cone.
    fn gap(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for cone in self.cones.iter().filter(|cone| matches!(cone.kind, Kind::Cone(_) | Kind::Ray(_))) {
            sum += cone.z.dot(cone.w);
            count += 1.0;
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// The step towards `z ∘ w = centre e`, with the second order of the step before, or the plain one.
    fn direction(&mut self, elements: &ConstraintRows, matrix: &mut VelocityMatrix, centre: Option<f64>) {
        self.dy.clear();
        self.dy.extend(self.response.iter().map(|r| -r));
        for (cone, element) in self.cones.iter_mut().zip(&elements.list) {
            cone.h = cone.right_side(element, centre);
            let impulse = cone.unscaled(cone.h);
            match cone.kind {
                Kind::Cone(_) => elements.add_impulse3(element.first, element.ends, impulse, &mut self.dy),
                Kind::Ray(_) | Kind::Free => {
                    elements.add_impulse(element.first, element.ends, impulse.x, &mut self.dy);
                }
                Kind::Fixed => {}
            }
        }
        matrix.solve(&mut self.dy);
        for (cone, element) in self.cones.iter_mut().zip(&elements.list) {
            let change = match cone.kind {
                Kind::Cone(mu) => {
                    let u = elements.velocity3(element.first, element.ends, &self.dy);
                    cone.du = u;
                    Vec3::new((u.x + cone.slope.dot(u)) / mu, u.y, u.z)
                }
                Kind::Ray(sign) => {
                    Vec3::X * (sign * elements.velocity(element.first, element.ends, &self.dy))
                }
                Kind::Free => Vec3::X * elements.velocity(element.first, element.ends, &self.dy),
                Kind::Fixed => continue,
            };
            cone.dw = change - cone.off;
            cone.dz = match cone.kind {
                Kind::Free => cone.h - change / (INTERIOR_PENALTY * element.weight),
                _ => cone.h - cone.scaling.inverse_square() * change,
            };
        }
    }

    /// Adds the curvature of the shifts along the last direction, of which a step of this length is possible.
    fn bend(&mut self, length: f64) {
        if length <= 0.0 {
            return;
        }
        for cone in &mut self.cones {
            if let Kind::Cone(mu) = cone.kind {
                let sliding = |u: Vec3| (u.y * u.y + u.z * u.z + cone.blur).sqrt();
                let step = cone.du * length;
                let bent = mu * (sliding(cone.u + step) - sliding(cone.u)) - cone.slope.dot(step);
                cone.off.x -= bent / (mu * length);
            }
        }
    }

    /// The longest step that stays in all cones, at most one.
    fn longest(&self) -> f64 {
        let mut longest = 1.0;
        for cone in &self.cones {
            let own = match cone.kind {
                Kind::Cone(_) => scalar::min(reach(cone.z, cone.dz), reach(cone.w, cone.dw)),
                Kind::Ray(_) => scalar::min(ray_reach(cone.z.x, cone.dz.x), ray_reach(cone.w.x, cone.dw.x)),
                Kind::Free | Kind::Fixed => 1.0,
            };
            longest = scalar::min(longest, own);
        }
        longest
    }

    fn advance(&mut self, length: f64) {
        for (y, dy) in self.y.iter_mut().zip(&self.dy) {
            *y += length * dy;
        }
        for cone in &mut self.cones {
            cone.z += cone.dz * length;
            cone.w += cone.dw * length;
        }
    }

    /// The residual of the impulses by the law itself.
    fn judge(&mut self, elements: &ConstraintRows) -> f64 {
        for (cone, element) in self.cones.iter_mut().zip(&elements.list) {
            if cone.kind == Kind::Free {
                self.impulses[element.first] += cone.z.x;
                cone.z = Vec3::ZERO;
            }
        }
        self.load(elements);
        elements.respond(&self.impulses, &mut self.response);
        elements.velocities(&self.response, &mut self.u);
        elements.residual(&self.impulses, &self.u)
    }
}

impl Cone {
    /// h of `dz = h - W⁻² B dy`.
    fn right_side(&self, element: &ConstraintBlock, centre: Option<f64>) -> Vec3 {
        match self.kind {
            Kind::Fixed => return Vec3::ZERO,
            Kind::Free => return self.off / (INTERIOR_PENALTY * element.weight),
            Kind::Cone(_) | Kind::Ray(_) => {}
        }
        let mut c = -self.middle;
        if let Some(centre) = centre {
            let (a, b) = (self.scaling.unapply(self.dw), self.scaling.apply(self.dz));
            let wanted = Vec3::X * centre - self.product(a, b);
            c += self.quotient(wanted);
        }
        self.scaling.unapply(c) + self.scaling.inverse_square() * self.off
    }

    fn product(&self, a: Vec3, b: Vec3) -> Vec3 {
        let across = a.x * b + b.x * a;
        Vec3::new(a.dot(b), across.y, across.z)
    }

    /// x with `middle ∘ x = d`.
    fn quotient(&self, d: Vec3) -> Vec3 {
        let m = self.middle;
        if matches!(self.kind, Kind::Ray(_)) {
            return Vec3::X * (d.x / m.x);
        }
        let length = (m.y * m.y + m.z * m.z).sqrt();
        let rho = (m.x - length) * (m.x + length);
        let along = m.y * d.y + m.z * d.z;
        let x = (m.x * d.x - along) / rho;
        let part = |m_k: f64, d_k: f64| (d_k - x * m_k) / m.x;
        Vec3::new(x, part(m.y, d.y), part(m.z, d.z))
    }

    fn unscaled(&self, z: Vec3) -> Vec3 {
        match self.kind {
            Kind::Cone(mu) => Vec3::new(z.x / mu, z.y, z.z),
            Kind::Ray(sign) => z * sign,
            Kind::Free | Kind::Fixed => z,
        }
    }
}

impl Scaling {
    /// W with `W z = W⁻¹ w`.
    fn between(w: Vec3, z: Vec3) -> Self {
        let (size_w, size_z) = (hyperbolic(w), hyperbolic(z));
        let (w, z) = (w / size_w, z / size_z);
        let gamma = (0.5 * (1.0 + w.dot(z))).sqrt();
        let v = Vec3::new(w.x + z.x, w.y - z.y, w.z - z.z) / (2.0 * gamma);
        Self { beta: (size_w / size_z).sqrt(), v }
    }

    fn apply(&self, x: Vec3) -> Vec3 {
        boost(self.v, x) * self.beta
    }

    fn unapply(&self, x: Vec3) -> Vec3 {
        boost(Vec3::new(self.v.x, -self.v.y, -self.v.z), x) / self.beta
    }

    /// `W⁻²`.
    fn inverse_square(&self) -> Mat3 {
        let v = Vec3::new(self.v.x, -self.v.y, -self.v.z);
        let mut m = crate::math::outer_product(v, v) * 2.0;
        m.x_axis.x -= 1.0;
        m.y_axis.y += 1.0;
        m.z_axis.z += 1.0;
        m * (1.0 / (self.beta * self.beta))
    }
}

/// `(v₀ x₀ + v₁·x₁, x₁ + (x₀ + v₁·x₁/(1 + v₀)) v₁)`.
fn boost(v: Vec3, x: Vec3) -> Vec3 {
    let along = v.y * x.y + v.z * x.z;
    let factor = x.x + along / (1.0 + v.x);
    Vec3::new(v.x * x.x + along, x.y + factor * v.y, x.z + factor * v.z)
}

/// `√(x₀² - ‖x₁‖²)` of a point inside.
fn hyperbolic(x: Vec3) -> f64 {
    let length = (x.y * x.y + x.z * x.z).sqrt();
    ((x.x - length) * (x.x + length)).sqrt()
}

/// Distance along d from x to the boundary of the Lorentz cone; infinite if there is none.
fn reach(x: Vec3, d: Vec3) -> f64 {
    let (a, b, c) = (
        d.x * d.x - d.y * d.y - d.z * d.z,
        x.x * d.x - x.y * d.y - x.z * d.z,
        x.x * x.x - x.y * x.y - x.z * x.z,
    );
    let root = b * b - a * c;
    if a >= 0.0 && (b >= 0.0 || root < 0.0) && d.x >= 0.0 {
        return f64::INFINITY;
    }
    // The smallest positive root of c + 2 b t + a t².
    let root = scalar::max(root, 0.0).sqrt();
    if b >= 0.0 { (b + root) / -a } else { c / (root - b) }
}

fn ray_reach(x: f64, d: f64) -> f64 {
    if d < 0.0 { -x / d } else { f64::INFINITY }
}

fn kind_of(element: &ConstraintBlock) -> Kind {
    if element.weight <= 0.0 {
        return Kind::Fixed;
    }
    if element.size > 1 {
        return if element.friction > 0.0 { Kind::Cone(element.friction) } else { Kind::Ray(1.0) };
    }
    if element.regularisation > 0.0 {
        return Kind::Fixed;
    }
    let (lower, upper) = (element.lower, element.upper);
    match (lower.is_finite(), upper.is_finite()) {
        (false, false) => Kind::Free,
        (true, false) if lower == 0.0 => Kind::Ray(1.0),
        (false, true) if upper == 0.0 => Kind::Ray(-1.0),
        _ => Kind::Fixed,
    }
}

/// Adds the leading part of D that an element has rows for.
fn add_leading(
    matrix: &mut VelocityMatrix,
    elements: &ConstraintRows,
    element: &ConstraintBlock,
    d: &[[f64; 6]; 6],
) {
    match element.size {
        1 => matrix.add(elements, element, &[[d[0][0]]]),
        3 => {
            let d = [0, 1, 2].map(|i| [d[i][0], d[i][1], d[i][2]]);
            matrix.add(elements, element, &d);
        }
        _ => matrix.add(elements, element, d),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scaling_takes_both_points_to_the_same_middle() {
        let (w, z) = (Vec3::new(2.0, 0.3, -1.1), Vec3::new(0.7, -0.5, 0.2));
        let scaling = Scaling::between(w, z);
        assert!((scaling.apply(z) - scaling.unapply(w)).length() < 1e-14);
        assert!((scaling.unapply(scaling.apply(w)) - w).length() < 1e-14);
        let twice = scaling.unapply(scaling.unapply(w));
        assert!((scaling.inverse_square() * w - twice).length() < 1e-14);
    }

    #[test]
    fn the_reach_ends_on_the_wall_of_the_cone() {
        let x = Vec3::new(1.0, 0.2, 0.3);
        for d in [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.1, 1.0, -2.0), Vec3::new(-0.5, -0.4, 0.1)] {
            let end = x + d * reach(x, d);
            assert!((end.x - (end.y * end.y + end.z * end.z).sqrt()).abs() < 1e-14, "{d}: {end}");
        }
        assert_eq!(reach(x, Vec3::new(1.0, 0.5, 0.0)), f64::INFINITY);
    }
}
