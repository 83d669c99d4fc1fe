//! `<equality><joint>`, `<equality><tendon>` and `<tendon><fixed>`: sums over joint positions.
//!
//! `joint`: `y - y₀ = a₀ + a₁ (x - x₀) + … + a₄ (x - x₀)⁴` with y the position of `joint1`, x that of `joint2` (zero without one) and y₀, x₀
//! those that the file calls their reference. `fixed`: `Σ coef q`, with limits, spring, damper and dry friction; actuators refer to it.

use super::Model;
use super::defaults::Styled;
use super::joint::RIGID;
use crate::import::mechanism::{Assembled, LinkJoint, LinkMotion, Mechanism};
use crate::import::xml::Element;
use crate::model::Coupling;

pub(super) fn add(root: &Element, model: &Model<'_, '_>, mechanism: &Mechanism, assembled: &mut Assembled) {
    for section in root.named("tendon") {
        section.imported();
        for (i, element) in section.children().enumerate() {
            if element.name == "fixed" {
                let styled = model.defaults.styled(element, None, model.context.problems);
                tendon(&styled, i, model, mechanism, assembled);
            } else {
                element.ignored("only fixed tendons are simulated");
            }
        }
    }
    for section in root.named("equality") {
        for (i, element) in section.children().enumerate() {
            let kinds = ["equality"];
            let styled = || model.defaults.styled_as(&kinds, element, None, model.context.problems);
            match element.name.as_str() {
                "joint" => equality(&styled(), i, model, mechanism, assembled),
                "tendon" => equal_tendons(&styled(), i, model, mechanism, assembled),
                _ => {}
            }
        }
    }
}

/// `L₁ - L₁₀ = a₀ + a₁ (L₂ - L₂₀)` with the lengths of two fixed tendons, and those at the references of their joints.
fn equal_tendons(
    styled: &Styled<'_>,
    number: usize,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    assembled: &mut Assembled,
) {
    let (element, problems) = (styled.element, model.context.problems);
    element.imported();
    element.skip(&["class"]);
    element.without_counterpart(&["solref", "solimp"], RIGID);
    let named: Vec<_> = ["tendon1", "tendon2"].into_iter().filter_map(|key| element.text(key)).collect();
    let a = styled.list("polycoef", problems).unwrap_or_else(|| vec![0.0, 1.0]);
    if styled.text("active") == Some("false") {
        return element.ignored("not active");
    }
    if named.len() == 2 && a.iter().skip(2).any(|a| *a != 0.0) {
        return element.ignored("between tendons only linear equalities are simulated");
    }
    let at = |power: usize| a.get(power).copied().unwrap_or(0.0);
    let name = element.text("name").map_or_else(|| format!("tendon {}", number + 1), str::to_owned);
    let name = unused(&model.context.named(&name), assembled);
    let mut coupling = Coupling { name, value: Some(at(0)), ..Coupling::default() };
    for (tendon, share) in named.into_iter().zip([1.0, -at(1)]) {
        let wanted = model.context.named(tendon);
        let Some(found) = assembled.couplings.iter().find(|other| other.name == wanted) else {
            return element.ignored(format!("the tendon `{tendon}` is not simulated"));
        };
        for (joint, factor) in found.joints.iter().zip(&found.factors) {
            let reference = link_joint(joint, mechanism).map_or(0.0, |given| given.reference);
            coupling.value = coupling.value.map(|value| value + share * factor * reference);
            match coupling.joints.iter().position(|known| known == joint) {
                Some(known) => coupling.factors[known] += share * factor,
                None => {
                    coupling.joints.push(joint.clone());
                    coupling.factors.push(share * factor);
                }
            }
        }
    }
    if coupling.joints.is_empty() {
        return element.missing("tendon1", "the name of a tendon", problems);
    }
    assembled.add_coupling(coupling, &element.place);
}

fn equality(
    styled: &Styled<'_>,
    number: usize,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    assembled: &mut Assembled,
) {
    let (element, problems) = (styled.element, model.context.problems);
    element.imported();
    element.skip(&["class"]);
    element.without_counterpart(&["solref", "solimp"], RIGID);
    let inner: Vec<_> = ["joint1", "joint2"].into_iter().filter_map(|key| element.text(key)).collect();
    let a = styled.list("polycoef", problems).unwrap_or_else(|| vec![0.0, 1.0]);
    if styled.text("active") == Some("false") {
        return element.ignored("not active");
    }
    let name = element.text("name").map_or_else(|| format!("joint {}", number + 1), str::to_owned);
    let mut coupling = Coupling {
        name: unused(&model.context.named(&name), assembled),
        value: Some(0.0),
        ..Coupling::default()
    };
    for (nth, joint) in inner.into_iter().enumerate() {
        let Some((joint, reference)) = found(joint, element, model, mechanism, assembled) else { return };
        if coupling.joints.contains(&joint) {
            return element.ignored("a joint with itself");
        }
        let polynomial = if nth == 0 {
            vec![-reference - a.first().copied().unwrap_or(0.0), 1.0]
        } else {
            // The constant is with the first joint.
            let powers = [0.0].into_iter().chain(a.iter().skip(1).copied());
            shifted(&powers.collect::<Vec<_>>(), reference).iter().map(|a| -a).collect()
        };
        coupling.joints.push(joint);
        coupling.polynomials.push(polynomial);
    }
    if coupling.joints.is_empty() {
        return element.missing("joint1", "the name of a joint", problems);
    }
    assembled.add_coupling(coupling, &element.place);
}

/// Coefficients in x of `Σ a_i (x - x₀)ⁱ`.
fn shifted(a: &[f64], x0: f64) -> Vec<f64> {
    let mut sum = vec![0.0; a.len().clamp(1, 5)];
    for a in a.iter().take(5).rev() {
        // sum ← sum (x - x₀) + a
        for power in (0..sum.len()).rev() {
            let before = if power > 0 { sum[power - 1] } else { 0.0 };
            sum[power] = before - x0 * sum[power];
        }
        sum[0] += a;
    }
    sum
}

fn tendon(
    styled: &Styled<'_>,
    number: usize,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    assembled: &mut Assembled,
) {
    let (element, problems) = (styled.element, model.context.problems);
    element.imported();
    element.skip(&["class", "group", "user", "width", "material", "rgba"]);
    let soft = ["solreflimit", "solimplimit", "solreffriction", "solimpfriction"];
    element.without_counterpart(&soft, RIGID);
    element.skip_where(&[("margin", "0")]);
    let name = element.text("name").map_or_else(|| format!("tendon {}", number + 1), str::to_owned);
    let mut coupling = Coupling { name: model.context.named(&name), ..Coupling::default() };
    let mut sprung = 0.0;
    for part in element.children() {
        part.imported();
        let Some(joint) = part.required_text("joint", problems) else { return };
        let factor = part.number("coef", problems).unwrap_or(1.0);
        if found(joint, part, model, mechanism, assembled).is_none() {
            return element.ignored("one of its joints is not simulated as one");
        }
        let joint = model.context.named(joint);
        if coupling.joints.contains(&joint) {
            return element.ignored(format!("`{joint}` is there twice"));
        }
        let unstressed =
            link_joint(&joint, mechanism).map_or(0.0, |given| given.spring.rest + given.reference);
        sprung += factor * unstressed;
        coupling.joints.push(joint);
        coupling.factors.push(factor);
    }
    let number = |what: &str| styled.number(what, problems).unwrap_or(0.0);
    let first = |what: &str| {
        let given = styled.list(what, problems).unwrap_or_default();
        if given.iter().skip(1).any(|coefficient| *coefficient != 0.0) {
            element.approximated(format!("of its {what} only the linear part is simulated"));
        }
        given.first().copied().unwrap_or(0.0)
    };
    coupling.limits = range(styled, model);
    (coupling.stiffness, coupling.damping) = (first("stiffness"), first("damping"));
    coupling.friction = number("frictionloss");
    coupling.rest = match styled.list("springlength", problems).unwrap_or_default()[..] {
        [] => sprung,
        [length] if length < 0.0 => sprung,
        [length] => length,
        [low, high, ..] => {
            if low != high && coupling.stiffness > 0.0 {
                element.approximated("its spring has no dead band, and is unstressed in the middle of it");
            }
            0.5 * (low + high)
        }
    };
    if number("armature") != 0.0 {
        element.approximated("the armature of a tendon is not simulated");
    }
    if styled.attribute("actuatorfrcrange").is_some() {
        element.approximated("`actuatorfrcrange` of a tendon is not held");
    }
    if coupling.stiffness < 0.0 || coupling.damping < 0.0 || coupling.friction < 0.0 {
        let message = format!("{}: stiffness, damping or friction below zero", element.subject());
        return problems.add(&element.place, message, "expected at least 0");
    }
    if coupling.joints.is_empty() {
        return element.ignored("it has no joints");
    }
    assembled.add_coupling(coupling, &element.place);
}

/// Lowest and highest length, if the tendon is limited.
fn range(styled: &Styled<'_>, model: &Model<'_, '_>) -> Option<[f64; 2]> {
    let given = styled.array::<2>("range", model.context.problems);
    match styled.text("limited") {
        Some("true") => given,
        Some("false") => None,
        _ => given.filter(|_| model.compiler.autolimits),
    }
}

/// Name in the scene and reference of a joint that the file names; `None`, with a note at the element, if it is not simulated as one.
fn found(
    joint: &str,
    element: &Element,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    assembled: &Assembled,
) -> Option<(String, f64)> {
    let name = model.context.named(joint);
    if assembled.axis_joint(&name).is_none() {
        element.ignored(format!("`{joint}` is no joint that turns or slides"));
        return None;
    }
    let reference = link_joint(&name, mechanism).map_or(0.0, |given| given.reference);
    Some((name, reference))
}

fn link_joint<'m>(name: &str, mechanism: &'m Mechanism) -> Option<&'m LinkJoint> {
    mechanism.links.iter().find_map(|link| match &link.motion {
        LinkMotion::Joints(joints) => joints.iter().find(|joint| joint.name == name),
        LinkMotion::Fixed | LinkMotion::Free => None,
    })
}

/// The name, or one with a number where a joint or a coupling has it.
fn unused(name: &str, assembled: &Assembled) -> String {
    let taken = |name: &str| {
        assembled.couplings.iter().any(|other| other.name == name)
            || assembled.joints.iter().any(|joint| joint.name() == name)
    };
    if !taken(name) {
        return name.to_owned();
    }
    (2..).map(|i| format!("{name} {i}")).find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::shifted;

    #[test]
    fn a_polynomial_about_a_reference_is_one_of_the_position() {
        let (a, x0) = ([0.3, -1.0, 0.5, 2.0, -0.7], 0.4);
        let coefficients = shifted(&a, x0);
        for x in [-1.0_f64, 0.0, 0.9] {
            let wanted: f64 = a.iter().enumerate().map(|(i, a)| a * (x - x0).powi(i as i32)).sum();
            let found: f64 = coefficients.iter().enumerate().map(|(i, a)| a * x.powi(i as i32)).sum();
            assert!((found - wanted).abs() < 1e-14);
        }
    }
}
