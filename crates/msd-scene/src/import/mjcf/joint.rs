//! `<joint>` and `<freejoint>`.

use msd::math::Vec3;

use super::Model;
use super::defaults::Styled;
use crate::import::joints::countable;
use crate::import::mechanism::{Freedom, LinkJoint, Spring};

/// Kind of a joint element.
pub(super) enum JointKind {
    Free,
    One(LinkJoint),
}

impl Model<'_, '_> {
    /// `name` is what the joint is called if it does not say.
    pub(super) fn joint(&self, styled: &Styled<'_>, name: &str) -> Option<JointKind> {
        let (element, problems) = (styled.element, self.context.problems);
        element.imported();
        element.skip(&["class", "group", "user"]);
        let given = element.text("name");
        if element.name == "freejoint" || styled.text("type") == Some("free") {
            element.skip(&["align", "pos", "axis"]);
            return Some(JointKind::Free);
        }
        let freedom = match styled.text("type") {
            None | Some("hinge") => Freedom::Hinge,
            Some("slide") => Freedom::Slider,
            Some("ball") => Freedom::Ball,
            Some(other) => {
                let message = format!("{}: `{other}` is no type of joint", element.subject());
                problems.add(&element.place, message, "expected `hinge`, `slide`, `ball` or `free`");
                return None;
            }
        };
        let unit = if freedom == Freedom::Hinge { self.compiler.angle } else { 1.0 };
        let reference = styled.number("ref", problems).unwrap_or(0.0) * unit;
        let limits = self.limits(styled, freedom).map(|limits| limits.map(|limit| limit * unit));
        let limits = limits
            .and_then(|limits| countable(freedom, limits).map_err(|note| element.approximated(note)).ok());
        let axis = styled.vector("axis", problems).unwrap_or(Vec3::Z);
        if axis == Vec3::ZERO {
            problems.add(&element.place, format!("{}: its axis has no direction", element.subject()), "");
        }
        let friction = styled.number("frictionloss", problems).unwrap_or(0.0);
        let spring = self.spring(styled, unit, reference);
        if freedom == Freedom::Ball && (friction > 0.0 || spring.acts()) {
            element.approximated("friction, damping and stiffness of a ball joint are not simulated");
        }
        if styled.number("armature", problems).unwrap_or(0.0) != 0.0 {
            element.approximated(
                "its armature is not simulated: a rotor that turns with the joint and with nothing else is no rigid body",
            );
        }
        let start = self.start(styled, given, limits, reference);
        Some(JointKind::One(LinkJoint {
            name: self.context.named(given.unwrap_or(name)),
            freedom,
            anchor: styled.vector("pos", problems).unwrap_or_default(),
            axis,
            limits: limits.map(|limits| limits.map(|limit| limit - reference)),
            friction,
            spring,
            position: start - reference,
            place: element.place.clone(),
        }))
    }

    /// Lowest and highest position as the file writes them, if the joint is limited.
    fn limits(&self, styled: &Styled<'_>, freedom: Freedom) -> Option<[f64; 2]> {
        let range = styled.array("range", self.context.problems);
        let limited = match styled.text("limited") {
            Some("true") => true,
            Some("false") => false,
            _ => self.compiler.autolimits && range.is_some(),
        };
        if limited && freedom == Freedom::Ball {
            styled.element.approximated("the limit of a ball joint is not held");
            return None;
        }
        range.filter(|_| limited)
    }

    /// Spring and damper; positions as in the scene, zero where the model is placed.
    fn spring(&self, styled: &Styled<'_>, unit: f64, reference: f64) -> Spring {
        let problems = self.context.problems;
        let [stiffness, damping] = ["stiffness", "damping"].map(|what| {
            let given = styled.list(what, problems).unwrap_or_default();
            let (first, more) = given.split_first().map_or((0.0, &[][..]), |(first, more)| (*first, more));
            if more.iter().any(|coefficient| *coefficient != 0.0) {
                styled.element.approximated(format!("of its {what} only the linear part is simulated"));
            }
            if first < 0.0 {
                let message = format!("{}: its {what} is {first}", styled.element.subject());
                problems.add(&styled.element.place, message, "expected at least 0");
            }
            first
        });
        let rest = styled.number("springref", problems).unwrap_or(0.0) * unit - reference;
        Spring { stiffness, damping, rest }
    }

    /// The position it starts at: as the pose says, else as placed, or where its limits let it be nearest to that.
    fn start(
        &self,
        styled: &Styled<'_>,
        name: Option<&str>,
        limits: Option<[f64; 2]>,
        reference: f64,
    ) -> f64 {
        let [low, high] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let posed = name.and_then(|name| self.context.start(name));
        let wanted = posed.unwrap_or(reference);
        if wanted >= low && wanted <= high {
            return wanted;
        }
        if posed.is_some() || low > high {
            let message =
                format!("{}: it cannot start at {wanted}, outside its range", styled.element.subject());
            self.context.problems.add(
                &styled.element.place,
                message,
                format!("expected from {low} to {high}"),
            );
            return wanted;
        }
        let nearest = if wanted < low { low } else { high };
        styled.element.approximated(format!("starts at its limit {nearest}, since {wanted} is outside"));
        nearest
    }
}
