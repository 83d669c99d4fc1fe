//! The material of a pair of surfaces.
//!
//! Where both surfaces state a value, the pair has the combination of both by the rule of higher rank (ranks rise from the geometric mean to
//! a surface's own value, see [`CombineRule`]). Where one states it, the pair has that value. Where none does, it has the default.

use super::{CombineRule, Material, RigidBody};

/// One value of a pair.
fn paired([a, b]: [f64; 2], [states_a, states_b]: [bool; 2], rules: [CombineRule; 2]) -> f64 {
    let rule = rules[0].max(rules[1]);
    match (states_a, states_b) {
        (true, true) if rule == CombineRule::Own && rules[0] != rules[1] => {
            if rules[0] == rule {
                a
            } else {
                b
            }
        }
        (true, false) => a,
        (false, true) => b,
        // Both, or neither: defaults are the same number, of which each rule but the product makes that number.
        (true, true) => rule.combine(a, b),
        (false, false) => CombineRule::GeometricMean.combine(a, b),
    }
}

impl RigidBody {
    /// The material this body and another have where they touch, by the rules of this file.
    #[must_use]
    pub fn material_with(&self, other: &RigidBody) -> Material {
        let (a, b) = (&self.material, &other.material);
        let (s, t) = (&self.surface, &other.surface);
        let friction_rule = [s.friction_rule, t.friction_rule];
        let restitution_rule = [s.restitution_rule, t.restitution_rule];
        let rolling = [s.states_rolling, t.states_rolling];
        Material {
            friction: paired([a.friction, b.friction], [s.states_friction, t.states_friction], friction_rule),
            restitution: paired(
                [a.restitution, b.restitution],
                [s.states_restitution, t.states_restitution],
                restitution_rule,
            ),
            rolling_friction: paired([a.rolling_friction, b.rolling_friction], rolling, friction_rule),
            torsional_friction: paired([a.torsional_friction, b.torsional_friction], rolling, friction_rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::physics::rigid_body::{Inertia, SurfaceRules};

    fn body(material: Material, surface: SurfaceRules) -> RigidBody {
        let inertia = Inertia::new(1.0, Mat3::IDENTITY).expect("an inertia");
        RigidBody { material, surface, ..RigidBody::new("body", inertia) }
    }

    #[test]
    fn a_value_stated_on_one_side_holds_for_the_pair() {
        let rubber = Material { restitution: 0.8, friction: 0.9, ..Material::default() };
        let only = SurfaceRules { states_restitution: true, ..SurfaceRules::default() };
        let (ball, floor) = (body(rubber, only), body(Material::default(), SurfaceRules::default()));
        for pair in [ball.material_with(&floor), floor.material_with(&ball)] {
            assert_eq!(pair.restitution, 0.8);
        }
        assert_eq!(floor.material_with(&floor).friction, 0.5, "no side states it");
    }

    #[test]
    fn the_rule_of_higher_rank_holds() {
        let with = |rule, restitution| {
            let material = Material { restitution, ..Material::default() };
            body(material, SurfaceRules { restitution_rule: rule, ..SurfaceRules::STATED })
        };
        let plain = with(CombineRule::GeometricMean, 0.4);
        for (rule, expected) in [
            (CombineRule::GeometricMean, 0.6),
            (CombineRule::Mean, 0.65),
            (CombineRule::Min, 0.4),
            (CombineRule::Product, 0.36),
            (CombineRule::Max, 0.9),
        ] {
            let other = with(rule, 0.9);
            for pair in [plain.material_with(&other), other.material_with(&plain)] {
                assert!((pair.restitution - expected).abs() < 1e-15, "{rule:?}");
            }
        }
    }

    #[test]
    fn a_surface_that_names_its_own_value_has_it_against_any_other_and_the_larger_against_its_like() {
        let with = |rule, friction| {
            let material = Material { friction, ..Material::default() };
            body(material, SurfaceRules { friction_rule: rule, ..SurfaceRules::STATED })
        };
        let (own, like) = (with(CombineRule::Own, 0.2), with(CombineRule::Own, 0.3));
        for other in [with(CombineRule::Max, 0.9), with(CombineRule::GeometricMean, 0.1)] {
            assert_eq!((own.material_with(&other).friction, other.material_with(&own).friction), (0.2, 0.2));
        }
        assert_eq!((own.material_with(&like).friction, like.material_with(&own).friction), (0.3, 0.3));
    }
}
