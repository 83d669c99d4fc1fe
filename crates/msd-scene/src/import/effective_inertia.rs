//! Inertia that a force along joints feels: `1/(gᵀ M⁻¹ g)` with the mass matrix M of the whole mechanism, all joints at zero, and g the
//! length of the transmission over the positions of the joints. MuJoCo sets dampers by `dampratio` with it.

use msd::math::{ReferenceFrame, Vec3};

use super::mechanism::{Freedom, LinkMotion, Mechanism};

/// One degree of freedom of a link: the motion of its points at unit speed.
struct Dof<'m> {
    link: usize,
    /// Of the point `anchor`.
    linear: Vec3,
    angular: Vec3,
    anchor: Vec3,
    armature: f64,
    name: &'m str,
}

impl Mechanism {
    /// kg·m², or kg; `None` if there is no such joint, or nothing resists.
    pub(super) fn effective_inertia(&self, transmission: &[(&str, f64)]) -> Option<f64> {
        let frames = self.frames_at_zero();
        let dofs = self.dofs(&frames);
        let mut mass = self.mass_matrix(&frames, &dofs);
        let mut forces = vec![0.0; dofs.len()];
        for (name, gear) in transmission {
            let dof = dofs.iter().position(|dof| dof.name == *name)?;
            forces[dof] += gear;
        }
        let given = forces.clone();
        solve(&mut mass, &mut forces)?;
        let response: f64 = forces.iter().zip(&given).map(|(rate, gear)| rate * gear).sum();
        (response > 0.0).then(|| 1.0 / response)
    }

    /// Sets springs and dampers that are given by their time constant T and damping ratio ζ: with the inertia I that the joint feels,
    /// `d = 2 I/T` and `k = I/(T ζ)²`.
    pub(super) fn set_timed_springs(&mut self) {
        let mut set = Vec::new();
        for (link, own) in self.links.iter().enumerate() {
            let LinkMotion::Joints(joints) = &own.motion else { continue };
            for (nth, joint) in joints.iter().enumerate() {
                let Some([time, ratio]) = joint.timed_spring else { continue };
                let inertia = self.effective_inertia(&[(&joint.name, 1.0)]).unwrap_or(0.0);
                let reach = time * ratio;
                set.push((link, nth, [inertia / (reach * reach), 2.0 * inertia / time]));
            }
        }
        for (link, nth, [stiffness, damping]) in set {
            if let LinkMotion::Joints(joints) = &mut self.links[link].motion {
                (joints[nth].spring.stiffness, joints[nth].spring.damping) = (stiffness, damping);
            }
        }
    }

    fn frames_at_zero(&self) -> Vec<ReferenceFrame> {
        let mut frames: Vec<ReferenceFrame> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let base = link.parent.map_or(ReferenceFrame::IDENTITY, |parent| frames[parent]);
            frames.push(base.compose(&link.frame));
        }
        frames
    }

    fn dofs(&self, frames: &[ReferenceFrame]) -> Vec<Dof<'_>> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let mut dofs = Vec::new();
        for (link, own) in self.links.iter().enumerate() {
            let free = |linear: Vec3, angular: Vec3, anchor: Vec3| Dof {
                link,
                linear,
                angular,
                anchor,
                armature: 0.0,
                name: "",
            };
            match &own.motion {
                LinkMotion::Fixed => {}
                LinkMotion::Free => {
                    dofs.extend(axes.map(|axis| free(axis, Vec3::ZERO, frames[link].position)));
                    dofs.extend(axes.map(|axis| free(Vec3::ZERO, axis, frames[link].position)));
                }
                LinkMotion::Joints(joints) => {
                    for joint in joints {
                        let anchor = frames[link].point_to_parent(joint.anchor);
                        let axis = frames[link].direction_to_parent(joint.axis).normalize_or_zero();
                        let (armature, name) = (joint.armature, joint.name.as_str());
                        match joint.freedom {
                            Freedom::Hinge => {
                                dofs.push(Dof { armature, name, ..free(Vec3::ZERO, axis, anchor) });
                            }
                            Freedom::Slider => {
                                dofs.push(Dof { armature, name, ..free(axis, Vec3::ZERO, anchor) });
                            }
                            Freedom::Ball => {
                                dofs.extend(axes.map(|axis| free(Vec3::ZERO, axis, anchor)));
                            }
                        }
                    }
                }
            }
        }
        dofs
    }

    /// `Σ m Jᵥᵀ Jᵥ + J_ωᵀ I J_ω` over the links, and the armatures.
    fn mass_matrix(&self, frames: &[ReferenceFrame], dofs: &[Dof<'_>]) -> Vec<Vec<f64>> {
        let mut mass = vec![vec![0.0; dofs.len()]; dofs.len()];
        dofs.iter().enumerate().for_each(|(i, dof)| mass[i][i] = dof.armature);
        for (link, own) in self.links.iter().enumerate() {
            let mut above = vec![false; self.links.len()];
            let mut at = Some(link);
            while let Some(ancestor) = at {
                above[ancestor] = true;
                at = self.links[ancestor].parent;
            }
            let moving: Vec<usize> = (0..dofs.len()).filter(|dof| above[dofs[*dof].link]).collect();
            for part in own.inertials.iter().map(|part| part.placed(&frames[link])) {
                let rate = |dof: &Dof<'_>| dof.linear + dof.angular.cross(part.center - dof.anchor);
                for &i in &moving {
                    for &j in moving.iter().take_while(|j| **j <= i) {
                        let (a, b) = (&dofs[i], &dofs[j]);
                        let turning = a.angular.dot(part.tensor * b.angular);
                        mass[i][j] += part.mass * rate(a).dot(rate(b)) + turning;
                    }
                }
            }
        }
        mass
    }
}

/// Solves with the Cholesky factor of a matrix whose lower half is given; `None` if it is not positive.
fn solve(matrix: &mut [Vec<f64>], x: &mut [f64]) -> Option<()> {
    let n = x.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            matrix[i][j] = if i == j { (rest > 0.0).then(|| rest.sqrt())? } else { rest / matrix[j][j] };
        }
        let sum: f64 = (0..i).map(|k| matrix[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / matrix[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / matrix[i][i];
    }
    Some(())
}
