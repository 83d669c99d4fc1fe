//! Helpers for tests of imported robots.

use msd_scene::Scene;
use msd_scene::model::Body;

pub(crate) fn body<'s>(scene: &'s Scene, name: &str) -> &'s Body {
    scene.body.iter().find(|body| body.name == name).unwrap_or_else(|| panic!("no body `{name}`"))
}

pub(crate) fn assert_close(a: &[f64], b: &[f64], tolerance: f64) {
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(a.len() == b.len() && off < tolerance, "{a:?} {b:?}");
}
