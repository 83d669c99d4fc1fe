//! Mass properties of any shape with any mass or density: an error, there or where they become an [`Inertia`] (which is
//! where thin shapes are refused whose tensor round-off has spoilt), or a finite symmetric positive tensor whose
//! principal moments obey the triangle inequality, of a mass that is the one asked for.
//!
//! [`Inertia`]: msd::physics::rigid_body::Inertia

use msd::math::Mat3;
use msd::physics::rigid_body::MassProperties;
use msd::physics::rigid_body::shape::Geometry;

use crate::bytes::Bytes;
use crate::shapes;

pub fn check(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let range = bytes.range();
    let shape = shapes::any(bytes, range);
    let amount = match bytes.choice(3) {
        0 => bytes.any_number(),
        1 => bytes.length(range),
        _ => 1000.0,
    };
    let text = |of: &str, found: &MassProperties| format!("{of} {amount}: {found:?}\n{shape:?}");
    if let Ok(found) = MassProperties::from_shape_with_mass(&shape, amount) {
        assert_eq!(found.mass(), amount);
        sound(&found, &text("mass", &found));
    }
    if let Ok(found) = MassProperties::from_shape_with_density(&shape, amount) {
        let expected = amount * shape.volume();
        let error = (found.mass() - expected).abs();
        // The volume of a sheet is a difference of the volumes under its faces.
        let slack = 1e-9 * expected + 1e-13 * amount * shapes::reach(&shape).powi(3);
        assert!(
            error <= slack || !slack.is_finite(),
            "mass is {} not {expected}\n{}",
            found.mass(),
            text("density", &found)
        );
        sound(&found, &text("density", &found));
    }
}

fn sound(found: &MassProperties, text: &str) {
    let tensor = found.inertia();
    assert!(found.mass() > 0.0 && found.mass().is_finite(), "{text}");
    assert!(tensor.is_finite() && found.center_of_mass().is_finite(), "not finite: {text}");
    assert_eq!(tensor, Mat3::transpose(&tensor), "not symmetric: {text}");
    let Ok(inertia) = found.to_inertia() else { return };
    assert!(inertia.inverse_tensor_body().is_finite(), "no finite inverse: {text}");
    let moments = inertia.principal_moments();
    assert!(moments.min_element() > 0.0, "moments {moments:?} are not positive: {text}");
    let slack = 1e-12 * moments.max_element();
    assert!(moments.x + moments.y >= moments.z - slack, "moments {moments:?} of no rigid body: {text}");
}
