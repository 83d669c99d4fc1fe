//! The restitution phase: Gauss-Seidel sweeps over the bouncing points of all regions ([`super::restitution`]).

use super::bodies::SoftBodies;
use super::chunk::FrictionPoint;
use super::region::SoftRegion;
use super::restitution::{Bounce, LaidOut};
use crate::math::Vec3;

/// Gauss-Seidel sweeps over bouncing points. tuned.
const SWEEPS: usize = 10;

/// Applies restitution to all points that collided in a step of `dt` seconds.
pub(super) fn bounce(regions: &mut [SoftRegion], bodies: &mut SoftBodies, dt: f64) {
    for region in regions.iter_mut() {
        let SoftRegion { bounces, frictions, .. } = region;
        bounces.retain(|bounce| met(bounce, frictions) > 0.0);
    }
    let all = |regions: &mut [SoftRegion], each: &mut dyn FnMut(&mut Bounce, &LaidOut<'_>)| {
        for region in regions {
            let SoftRegion { bounces, chunks, normals, frictions, .. } = region;
            let laid = LaidOut { first: region.bodies.start, chunks, normals, frictions };
            bounces.iter_mut().for_each(|bounce| each(bounce, &laid));
        }
    };
    all(regions, &mut |bounce, laid| {
        let guess = Vec3::X * (bounce.restitution * met(bounce, laid.frictions));
        bounce.set_impulse(guess, laid, bodies);
    });
    for _ in 0..SWEEPS {
        all(regions, &mut |bounce, laid| bounce.relax(laid, bodies));
    }
    all(regions, &mut |bounce, laid| {
        let (u, place) = (bounce.velocity(laid, bodies), bounce.place);
        let gap = laid.normals[place.point as usize].gap[place.lane as usize];
        bounce.impact_error = bounce.impact_error(u.x, gap, dt);
    });
    for SoftRegion { bounces, normals, frictions, .. } in regions {
        for bounce in bounces.iter() {
            let (point, lane) = (bounce.place.point as usize, bounce.place.lane as usize);
            normals[point].offset[lane] = -bounce.target();
            let sums = &mut frictions[point].sum;
            sums.iter_mut().zip(bounce.impulse.to_array()).for_each(|(sum, own)| sum[lane] += own);
        }
    }
}

/// Normal impulse of a point, N·s.
fn met(bounce: &Bounce, frictions: &[FrictionPoint]) -> f64 {
    frictions[bounce.place.point as usize].sum[0][bounce.place.lane as usize]
}
