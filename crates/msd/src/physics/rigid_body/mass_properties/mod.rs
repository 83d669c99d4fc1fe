//! Mass, centre of mass and inertia tensor of shapes filled evenly with matter.
//!
//! The tensor is about the centre of mass, in the axes of the shape's local frame, in the tensor (not the
//! product-of-inertia) sign convention: `I = ∫ (r² 1 - r rᵀ) dm`, so the off-diagonal entries are `-∫ xy dm`.
//! For the tetrahedron (0,0,0) (5,0,0) (0,4,0) (0,0,3) of density 1 about its centroid, ∫ xy dm = -2.5 and
//! the entry is **+2.5** kg·m².
//!
//! Geometry and matter are kept apart: a [`UniformSolid`] follows from the shape alone (volume, centroid,
//! inertia per unit of mass), and either a mass or a density turns it into [`MassProperties`].

mod closed_forms;
mod from_shape;
mod mirtich;
mod uniform_solid;

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::{Inertia, InertiaError};
use crate::math::{
    Coordinate, Mat3, Quat, ReferenceFrame, SymmetricEigen, Vec3, orientation, symmetric_eigen,
};
pub use uniform_solid::UniformSolid;

/// Mass, centre of mass and inertia tensor: see the module for frame and sign convention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct MassProperties {
    mass: f64,
    center_of_mass: Coordinate,
    inertia: Mat3,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    mass: f64,
    center_of_mass: Coordinate,
    inertia: Mat3,
}

impl TryFrom<Fields> for MassProperties {
    type Error = InertiaError;
    fn try_from(fields: Fields) -> Result<Self, InertiaError> {
        Self::new(fields.mass, fields.center_of_mass, fields.inertia)
    }
}

/// The tensor of a unit mass at `offset` about the origin: `r² 1 - r rᵀ`.
fn point_mass_tensor(offset: Vec3) -> Mat3 {
    let (x, y, z) = (offset.x, offset.y, offset.z);
    Mat3::from_cols(
        Vec3::new(y * y + z * z, -x * y, -x * z),
        Vec3::new(-x * y, x * x + z * z, -y * z),
        Vec3::new(-x * z, -y * z, x * x + y * y),
    )
}

/// `R I Rᵀ`, symmetric to the last bit.
fn rotated_tensor(tensor: &Mat3, rotation: Quat) -> Mat3 {
    let r = orientation::rotation_matrix(rotation);
    symmetrized(r * *tensor * r.transpose())
}

/// Removes the round-off asymmetry of a tensor.
fn symmetrized(tensor: Mat3) -> Mat3 {
    tensor * 0.5 + tensor.transpose() * 0.5
}

impl MassProperties {
    /// From measured values: mass (kg), centre of mass (m, local frame) and tensor about it (kg·m², local axes).
    ///
    /// # Errors
    /// If no rigid body has them; see [`Inertia::new`].
    pub fn new(mass: f64, center_of_mass: Coordinate, inertia: Mat3) -> Result<Self, InertiaError> {
        Inertia::new(mass, inertia)?;
        Self { mass, center_of_mass, inertia }.in_range()
    }

    /// From a shape and its total mass, kg.
    ///
    /// # Errors
    /// If the mass is not positive and finite, the shape has no volume (half-space, open mesh), or the result
    /// is outside the range of f64.
    pub fn from_shape_with_mass(shape: &Shape, mass: f64) -> Result<Self, InertiaError> {
        UniformSolid::from_shape(shape)?.with_mass(mass)
    }

    /// From a shape and its uniform density, kg/m³.
    ///
    /// # Errors
    /// If the density is not positive and finite, the shape has no volume (half-space, open mesh), or the
    /// result is outside the range of f64.
    pub fn from_shape_with_density(shape: &Shape, density: f64) -> Result<Self, InertiaError> {
        UniformSolid::from_shape(shape)?.with_density(density)
    }

    /// Neither mass nor moments so large or so small that they or their inverses leave f64.
    fn in_range(self) -> Result<Self, InertiaError> {
        if !self.center_of_mass.is_finite() {
            return Err(InertiaError::CenterOfMass(self.center_of_mass));
        }
        let moments = Vec3::new(self.inertia.x_axis.x, self.inertia.y_axis.y, self.inertia.z_axis.z);
        let usable = |value: f64| value > 0.0 && value.is_finite() && (1.0 / value).is_finite();
        if usable(self.mass) && moments.to_array().into_iter().all(usable) && self.inertia.is_finite() {
            Ok(self)
        } else {
            Err(InertiaError::Overflow { mass: self.mass, moment: moments.max_element() })
        }
    }

    /// kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// m, local frame.
    #[must_use]
    pub fn center_of_mass(&self) -> Coordinate {
        self.center_of_mass
    }

    /// About the centre of mass, local axes, kg·m².
    #[must_use]
    pub fn inertia(&self) -> Mat3 {
        self.inertia
    }

    /// About another point of the local frame, same axes, kg·m² (Huygens and Steiner).
    #[must_use]
    pub fn inertia_about(&self, point: Coordinate) -> Mat3 {
        self.inertia + point_mass_tensor(self.center_of_mass - point) * self.mass
    }

    /// Both bodies welded together, each given in the same frame.
    ///
    /// Written with the reduced mass `m₁m₂/(m₁+m₂)` and the distance of the two centres, so that nothing cancels
    /// however far from the origin they are.
    ///
    /// # Errors
    /// If the sum is outside the range of f64.
    pub fn combine(&self, other: &Self) -> Result<Self, InertiaError> {
        let mass = self.mass + other.mass;
        let share = other.mass / mass;
        let apart = other.center_of_mass - self.center_of_mass;
        Self {
            mass,
            center_of_mass: self.center_of_mass + apart * share,
            inertia: self.inertia + other.inertia + point_mass_tensor(apart) * (self.mass * share),
        }
        .in_range()
    }

    /// The same body moved by `offset` in its local frame: only the centre of mass changes.
    #[must_use]
    pub fn translated(&self, offset: Vec3) -> Self {
        Self { center_of_mass: self.center_of_mass + offset, ..*self }
    }

    /// The same body rotated about the origin of its local frame.
    #[must_use]
    pub fn rotated(&self, rotation: Quat) -> Self {
        Self {
            mass: self.mass,
            center_of_mass: rotation * self.center_of_mass,
            inertia: rotated_tensor(&self.inertia, rotation),
        }
    }

    /// The same body, given in the local frame of a part, seen from the frame the part is placed in.
    #[must_use]
    pub fn placed(&self, frame: &ReferenceFrame) -> Self {
        self.rotated(frame.orientation).translated(frame.position)
    }

    /// Principal moments (kg·m², ascending) and axes (columns, local frame).
    #[must_use]
    pub fn principal(&self) -> SymmetricEigen {
        symmetric_eigen(&self.inertia)
    }

    /// The inertia for solver and integrators.
    ///
    /// # Errors
    /// If the tensor is that of no rigid body, which only round-off on an extremely thin shape could bring
    /// about.
    pub fn to_inertia(&self) -> Result<Inertia, InertiaError> {
        Inertia::new(self.mass, self.inertia)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::shape::{Cuboid, HalfSpace, Sphere};

    fn unit_cube() -> Shape {
        Cuboid::new(Vec3::ONE).unwrap().into()
    }

    #[test]
    fn mass_and_density_are_different_things() {
        let cube: Shape = Cuboid::new(Vec3::splat(2.0)).unwrap().into();
        let by_mass = MassProperties::from_shape_with_mass(&cube, 3.0).unwrap();
        let by_density = MassProperties::from_shape_with_density(&cube, 3.0).unwrap();
        assert_eq!((by_mass.mass(), by_density.mass()), (3.0, 24.0));
        assert_eq!(by_mass.inertia() * 8.0, by_density.inertia());
    }

    #[test]
    fn a_bad_mass_or_density_is_named() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mass = MassProperties::from_shape_with_mass(&unit_cube(), bad).unwrap_err();
            assert!(matches!(mass, InertiaError::Mass(_)), "{mass}");
            let density = MassProperties::from_shape_with_density(&unit_cube(), bad).unwrap_err();
            assert!(matches!(density, InertiaError::Density(_)), "{density}");
        }
        let message = MassProperties::from_shape_with_density(&unit_cube(), -2.0).unwrap_err().to_string();
        assert_eq!(message, "density must be positive and finite, got -2 kg/m³");
    }

    #[test]
    fn a_tensor_outside_the_range_of_f64_is_refused() {
        let large: Shape = Sphere::new(1e3).unwrap().into();
        let small: Shape = Sphere::new(1e-100).unwrap().into();
        let refused = |result: Result<MassProperties, InertiaError>| {
            matches!(result.unwrap_err(), InertiaError::Overflow { .. })
        };
        assert!(refused(MassProperties::from_shape_with_mass(&large, 1e305)));
        assert!(refused(MassProperties::from_shape_with_density(&large, 1e305)));
        assert!(refused(MassProperties::from_shape_with_density(&small, 1.0)));
        assert!(refused(MassProperties::from_shape_with_mass(&small, 1e-200)));
        let huge: Shape = Sphere::new(1e200).unwrap().into();
        assert!(refused(MassProperties::from_shape_with_density(&huge, 1.0)));
        let heavy = MassProperties::from_shape_with_mass(&unit_cube(), 1e308).unwrap();
        assert!(refused(heavy.combine(&heavy.translated(Vec3::X))));
    }

    #[test]
    fn a_half_space_has_no_mass() {
        let ground = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
        let error = MassProperties::from_shape_with_mass(&ground, 1.0).unwrap_err();
        assert_eq!(error, InertiaError::NoVolume("plane"));
        assert!(error.to_string().starts_with("a plane encloses no finite volume"));
    }

    #[test]
    fn impossible_measured_values_are_refused() {
        let flat = Mat3::from_diagonal(Vec3::new(1.0, 1.0, 2.1));
        assert!(matches!(
            MassProperties::new(1.0, Vec3::ZERO, flat),
            Err(InertiaError::TriangleInequality(..))
        ));
        assert!(matches!(
            MassProperties::new(1.0, Vec3::X * f64::NAN, Mat3::IDENTITY),
            Err(InertiaError::CenterOfMass(_))
        ));
    }

    #[test]
    fn the_tensor_about_another_point_adds_the_mass_times_the_square_of_the_distance() {
        let cube = MassProperties::from_shape_with_mass(&unit_cube(), 6.0).unwrap();
        let corner = cube.inertia_about(Vec3::splat(0.5));
        // A cube about its corner: 2/3 m a² on the diagonal, -m a²/4 off it.
        assert!((corner.x_axis - Vec3::new(4.0, -1.5, -1.5)).length() < 1e-15);
    }

    #[test]
    fn two_half_cubes_are_a_cube() {
        let half: Shape = Cuboid::new(Vec3::new(0.5, 1.0, 1.0)).unwrap().into();
        let half = MassProperties::from_shape_with_density(&half, 12.0).unwrap();
        let offset = Vec3::new(1e6, -3.0, 2.0);
        let (left, right) =
            (half.translated(offset - Vec3::X * 0.25), half.translated(offset + Vec3::X * 0.25));
        let whole = left.combine(&right).unwrap();
        assert_eq!(whole.center_of_mass(), offset);
        assert!((whole.inertia() - Mat3::IDENTITY * 2.0).to_cols_array().iter().all(|d| d.abs() < 1e-14));
    }

    #[test]
    fn principal_moments_do_not_depend_on_the_axes_they_are_given_in() {
        let plate: Shape = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into();
        let plate = MassProperties::from_shape_with_mass(&plate, 12.0).unwrap();
        let turned = plate.rotated(orientation::from_rotation_vector(Vec3::new(0.3, -1.0, 2.0)));
        assert!((turned.principal().values - Vec3::new(5.0, 10.0, 13.0)).length() < 1e-13);
        assert!(turned.to_inertia().is_ok());
    }

    #[test]
    fn reading_what_was_written_gives_the_same_bits_and_checks_it() {
        let turned = MassProperties::from_shape_with_mass(&unit_cube(), 0.1).unwrap();
        let text = serde_json::to_string(&turned).unwrap();
        assert_eq!(serde_json::from_str::<MassProperties>(&text).unwrap(), turned);
        let bad = text.replace("\"mass\":0.1", "\"mass\":-0.1");
        let error = serde_json::from_str::<MassProperties>(&bad).unwrap_err();
        assert!(error.to_string().contains("mass must be positive"), "{error}");
    }
}
