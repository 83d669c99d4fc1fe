//! `<inertial>`: mass, centre and tensor of a body.

use msd::math::{Mat3, Vec3, orientation};

use super::Model;
use super::defaults::Styled;
use crate::import::inertial::Inertial;
use crate::import::xml::Element;

impl Model<'_, '_> {
    /// The tensor is about the centre of mass, along the axes of the inertial frame: principal moments, or six numbers
    /// xx, yy, zz, xy, xz, yz.
    pub(super) fn inertial(&self, element: &Element) -> Option<Inertial> {
        let problems = self.context.problems;
        element.imported();
        let frame = self.frame(&Styled::plain(element));
        let mass = element.required_number("mass", problems);
        let diagonal = element.vector("diaginertia", problems).map(Mat3::from_diagonal);
        let full = element.array("fullinertia", problems).map(|[xx, yy, zz, xy, xz, yz]| {
            Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz))
        });
        // A mass without a tensor is a point; impossible inertia is approximated and reported with the body.
        let tensor = full.or(diagonal).unwrap_or(Mat3::ZERO);
        let r = orientation::rotation_matrix(frame.orientation);
        let turned = r * tensor * r.transpose();
        let tensor = (turned + turned.transpose()) * 0.5;
        Some(Inertial { mass, center: frame.position, tensor, place: element.place.clone() })
    }
}
