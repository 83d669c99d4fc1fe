//! Masses of links: put together, and made those of bodies that can exist.

use msd::math::{Mat3, ReferenceFrame, Vec3, orientation, symmetric_eigen};
use msd::physics::rigid_body::MassProperties;

use crate::source::Span;

/// Radius of the ball whose moments a mass without a tensor gets, m.
const POINT_RADIUS: f64 = 0.01;

/// Mass per volume above which there are no bodies, kg/m³: that of the core of a white dwarf. Moments that a body could have
/// only if it were denser are round-off of the program that wrote the file.
const DENSEST: f64 = 1e12;

/// Moments below this share of the largest are a slip of the file's, not its round-off.
const NEGATIVE: f64 = -1e-6;

/// Mass properties as given by a file; impossible ones are reported when the scene is checked.
#[derive(Clone, Debug)]
pub(super) struct Inertial {
    /// kg.
    pub(super) mass: f64,
    /// m, in the link's frame.
    pub(super) center: Vec3,
    /// About the centre of mass, along the link's axes, kg·m².
    pub(super) tensor: Mat3,
    pub(super) place: Span,
}

/// `I + m (|d|² 1 - d dᵀ)` summed about the common centre of mass (Huygens and Steiner). Nothing weighs nothing.
pub(super) fn combined(inertials: impl Iterator<Item = Inertial>) -> Inertial {
    let inertials: Vec<Inertial> = inertials.collect();
    let [first, others @ ..] = inertials.as_slice() else {
        return Inertial { mass: 0.0, ..Inertial::UNIT };
    };
    if others.is_empty() {
        return first.clone();
    }
    let mass: f64 = inertials.iter().map(|part| part.mass).sum();
    let center = inertials.iter().map(|part| part.center * part.mass).sum::<Vec3>() / mass;
    let about = |part: &Inertial| {
        let d = part.center - center;
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        part.tensor + (Mat3::IDENTITY * d.length_squared() - outer) * part.mass
    };
    let tensor = inertials.iter().fold(Mat3::ZERO, |sum, part| sum + about(part));
    Inertial { mass, center, tensor, place: first.place.clone() }
}

impl Inertial {
    /// 1 kg, 1 kg·m² about every axis.
    pub(super) const UNIT: Self = Self { mass: 1.0, center: Vec3::ZERO, tensor: Mat3::IDENTITY, place: 0..0 };

    /// The same seen from the frame that `frame` is given in.
    pub(super) fn placed(&self, frame: &ReferenceFrame) -> Self {
        let r = orientation::rotation_matrix(frame.orientation);
        let turned = r * self.tensor * r.transpose();
        Self {
            mass: self.mass,
            center: frame.point_to_parent(self.center),
            tensor: (turned + turned.transpose()) * 0.5,
            place: self.place.clone(),
        }
    }

    /// A share of the mass at the origin, its moments all that share of the largest.
    pub(super) fn share(&self, share: f64, place: &Span) -> Self {
        let t = self.tensor;
        let largest = [t.x_axis.x, t.y_axis.y, t.z_axis.z].into_iter().fold(0.0, f64::max);
        let floor = ball_moment(self.mass);
        Self {
            mass: share * self.mass,
            center: Vec3::ZERO,
            tensor: Mat3::IDENTITY * (share * largest.max(floor)),
            place: place.clone(),
        }
    }

    /// The nearest mass that a body can have, and what was changed. Files of real robots hold placeholders.
    ///
    /// With principal moments `a ≤ b ≤ c` the matter lies along the axes with second moments `(b + c - a)/2`,
    /// `(a + c - b)/2`, `(a + b - c)/2`. A negative last one is set to zero: the flat body with the same `c`, whose
    /// other two moments are larger by half of `c - a - b`. Moments of zero, and of round-off, become those of a ball of a
    /// centimetre.
    /// A mass or moment that is plainly negative stays, and is refused with the scene.
    pub(super) fn physical(self) -> (Self, Option<String>) {
        let sound = MassProperties::new(self.mass, self.center, self.tensor).is_ok();
        let eigen = symmetric_eigen(&self.tensor);
        let [a, b, c] = eigen.values.to_array();
        let floor = ball_moment(self.mass);
        let speck = is_speck(self.mass, c);
        if (sound && !speck) || self.mass <= 0.0 || a < NEGATIVE * c.max(floor) {
            return (self, None);
        }
        let missing = (0.5 * (c - a - b)).max(0.0);
        let least = |moment: f64| if moment > f64::EPSILON * c.max(floor) { moment } else { floor };
        let moments = if speck { [floor; 3] } else { [least(a + missing), least(b + missing), least(c)] };
        let v = eigen.vectors;
        let tensor = v * Mat3::from_diagonal(Vec3::from(moments)) * v.transpose();
        let words = |moments: [f64; 3]| moments.map(|moment| format!("{moment:.3e}")).join(", ");
        let note = format!(
            "no body has the principal moments {} kg·m²: simulated with {}",
            words([a, b, c]),
            words(moments)
        );
        (Self { tensor: (tensor + tensor.transpose()) * 0.5, ..self }, Some(note))
    }
}

/// Moment of inertia of a ball of that mass and [`POINT_RADIUS`], kg·m².
fn ball_moment(mass: f64) -> f64 {
    0.4 * mass * POINT_RADIUS * POINT_RADIUS
}

/// True if a ball of that mass and moment, `c = 2/5 m r²`, were denser than [`DENSEST`]: `r⁶ < (3 m / 4 π ρ)²`.
fn is_speck(mass: f64, moment: f64) -> bool {
    let square = moment / (0.4 * mass);
    let cube = 0.75 * mass / (std::f64::consts::PI * DENSEST);
    square * square * square < cube * cube
}
