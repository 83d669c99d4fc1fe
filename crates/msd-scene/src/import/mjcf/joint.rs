//! `<joint>` and `<freejoint>`.

use msd::math::Vec3;

use super::Model;
use super::defaults::Styled;
use crate::import::mechanism::{Freedom, LinkJoint, Spring};

/// Why parameters of MuJoCo's soft constraints are not used.
pub(super) const RIGID: &str = "limits, ties and contact are rigid";

/// Kind of a joint element.
pub(super) enum JointKind {
    Free,
    One(Box<LinkJoint>),
}

impl Model<'_, '_> {
    /// `name` is what the joint is called if it does not say.
    pub(super) fn joint(&self, styled: &Styled<'_>, name: &str) -> Option<JointKind> {
        let (element, problems) = (styled.element, self.context.problems);
        element.imported();
        element.skip(&["class", "group", "user", "actuatorgravcomp"]);
        element
            .without_counterpart(&["solreflimit", "solimplimit", "solreffriction", "solimpfriction"], RIGID);
        element.skip_where(&[("margin", "0")]);
        let given = element.text("name");
        if element.name == "freejoint" || styled.text("type") == Some("free") {
            element.skip(&["align", "pos", "axis"]);
            element.skip_where(&[("limited", "false"), ("limited", "auto")]);
            element.skip_where(&["stiffness", "springdamper"].map(|what| (what, "0")));
            let dressed = |what: &str| styled.number(what, problems).is_some_and(|given| given != 0.0);
            if element.name != "freejoint" && ["armature", "damping", "frictionloss"].into_iter().any(dressed)
            {
                element.approximated("armature, damping and friction of a free joint are not simulated");
            }
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
        let axis = styled.vector("axis", problems).unwrap_or(Vec3::Z);
        if axis == Vec3::ZERO {
            problems.add(&element.place, format!("{}: its axis has no direction", element.subject()), "");
        }
        let friction = styled.number("frictionloss", problems).unwrap_or(0.0);
        let spring = self.spring(styled, unit, reference);
        if freedom == Freedom::Ball && (friction > 0.0 || spring.acts()) {
            element.approximated("friction, damping and stiffness of a ball joint are not simulated");
        }
        let given_by_time = styled.array::<2>("springdamper", problems);
        let timed_spring = given_by_time.filter(|given| *given > [0.0; 2] && given[1] > 0.0);
        if freedom == Freedom::Ball && timed_spring.is_some() {
            element.approximated("`springdamper` of a ball joint is not simulated");
        }
        let armature = styled.number("armature", problems).unwrap_or(0.0);
        if armature < 0.0 {
            let message = format!("{}: its armature is {armature}", element.subject());
            problems.add(&element.place, message, "expected at least 0");
        }
        if freedom == Freedom::Ball && armature > 0.0 {
            element.approximated("the armature of a ball joint is not simulated");
        }
        let start = self.start(styled, given, limits, reference);
        Some(JointKind::One(Box::new(LinkJoint {
            name: self.context.named(given.unwrap_or(name)),
            freedom,
            anchor: styled.vector("pos", problems).unwrap_or_default(),
            axis,
            limits: limits.map(|limits| limits.map(|limit| limit - reference)),
            friction,
            spring,
            armature,
            timed_spring,
            position: start - reference,
            reference,
            named: given.is_some_and(|name| self.named_joints.contains(name)),
            actuator_range: self.actuator_range(styled),
            place: element.place.clone(),
        })))
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

    /// What all actuators of the joint together may exert.
    fn actuator_range(&self, styled: &Styled<'_>) -> Option<[f64; 2]> {
        let range = styled.array("actuatorfrcrange", self.context.problems);
        match styled.text("actuatorfrclimited") {
            Some("true") => range,
            Some("false") => None,
            _ => range.filter(|_| self.compiler.autolimits),
        }
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
        styled.element.note(format!("starts at its limit {nearest}, since {wanted} is outside"));
        nearest
    }
}
