//! Bodies of an engine from a registry.

use std::path::Path;
use std::sync::Arc;

use msd::engine::{AssetSource, Engine};
use msd::environment::BodyDescription;
use msd::physics::rigid_body::shape::Shape;

use crate::{AssetError, AssetRegistry, MassTemplate};

impl AssetSource for AssetRegistry {
    /// A body with the asset's collision shape, material and mass. Planes and triangle meshes, which cannot move, stand.
    fn describe(&self, asset: &str, body: &str) -> Result<Option<BodyDescription>, String> {
        let Some(asset) = self.get(asset).map_err(|error| error.to_string())? else { return Ok(None) };
        let shape = asset.collision_shape().map_err(|error| error.to_string())?;
        let appearance = asset.appearance();
        if matches!(shape, Shape::HalfSpace(_) | Shape::Mesh(_)) {
            let described = BodyDescription::fixed(body, shape).material(asset.material);
            return Ok(Some(described.appearance(appearance)));
        }
        let described = BodyDescription::dynamic(body, shape).material(asset.material).appearance(appearance);
        match asset.mass {
            MassTemplate::Mass(mass) => Ok(Some(described.mass(mass))),
            MassTemplate::Density(density) => Ok(Some(described.density(density))),
            MassTemplate::Unspecified => Err(format!(
                "it has neither mass nor density: give it one, or add the body with a mass of your own from \
                 `AssetRegistry::get(\"{}\")`",
                asset.name
            )),
        }
    }
}

/// `Engine::open`: an engine whose bodies come from an asset database.
///
/// ```
/// use msd::engine::Engine;
/// use msd::math::{ReferenceFrame, Vec3};
/// use msd_assets::{AssetRegistry, MassTemplate, OpenEngine, generate::Solid};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("assets.db");
/// let mut registry = AssetRegistry::create(&path)?;
/// let mut cube = Solid::cube(0.5).asset("cube")?;
/// cube.mass = MassTemplate::Density(600.0);
/// registry.insert(&cube)?;
///
/// let mut engine = Engine::open(&path)?;
/// let body = engine.spawn("cube", "first", ReferenceFrame::from_position(Vec3::Z * 10.0))?;
/// engine.update(1.0)?;
/// let height = engine.world().body(body)?.state.center_of_mass.z;
/// assert!((height - (10.0 - 0.5 * 9.81)).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub trait OpenEngine: Sized {
    /// An empty world under standard gravity, with the assets of an existing database, opened for reading.
    ///
    /// # Errors
    /// As [`AssetRegistry::open_read_only`].
    fn open(database: impl AsRef<Path>) -> Result<Self, AssetError>;
}

impl OpenEngine for Engine {
    fn open(database: impl AsRef<Path>) -> Result<Self, AssetError> {
        Ok(Engine::default().with_assets(Arc::new(AssetRegistry::open_read_only(database)?)))
    }
}

#[cfg(test)]
mod tests {
    use msd::engine::EngineError;
    use msd::math::{ReferenceFrame, Vec3};
    use msd::physics::rigid_body::{BodyKind, Color, Visual, VisualGeometry};

    use super::*;
    use crate::generate::Solid;

    fn engine() -> Engine {
        let mut registry = AssetRegistry::in_memory().unwrap();
        let mut ball = Solid::Sphere { radius: 0.1 }.asset("ball").unwrap();
        (ball.mass, ball.material.restitution) = (MassTemplate::Mass(2.0), 0.7);
        ball.color = crate::Color::from_rgb(0x12ab34);
        let ground = Solid::Plane { size: 4.0 }.asset("ground").unwrap();
        let unsaid = Solid::cube(1.0).asset("unsaid").unwrap();
        registry.insert_all(&[ball, ground, unsaid]).unwrap();
        Engine::default().with_assets(Arc::new(registry))
    }

    #[test]
    fn what_is_spawned_is_what_was_stored() {
        let mut engine = engine();
        let at = ReferenceFrame::from_position(Vec3::new(1.0, 2.0, 3.0));
        let ball = engine.spawn("ball", "b", at).unwrap();
        let view = engine.world().body(ball).unwrap();
        assert_eq!((view.body.inertia.mass(), view.body.material.restitution), (2.0, 0.7));
        assert_eq!(view.state.center_of_mass, at.position);
        let looks = view.body.appearance.as_ref().unwrap();
        assert_eq!(looks.color, Some(Color::rgb(0x12, 0xab, 0x34)));
        let [Visual { geometry: VisualGeometry::Mesh(mesh), .. }] = looks.visuals.as_slice() else {
            panic!("one visual mesh: {looks:?}")
        };
        assert!(mesh.triangles().len() > 100, "the sphere's triangles");
        let ground = engine.spawn("ground", "g", ReferenceFrame::IDENTITY).unwrap();
        assert_eq!(engine.world().body(ground).unwrap().body.kind, BodyKind::Static);
    }

    #[test]
    fn what_cannot_be_spawned_is_named() {
        let mut engine = engine();
        let refusal = |engine: &mut Engine, asset: &str| {
            engine.spawn(asset, "x", ReferenceFrame::IDENTITY).unwrap_err()
        };
        assert_eq!(refusal(&mut engine, "nothing"), EngineError::UnknownAsset("nothing".into()));
        assert!(
            refusal(&mut engine, "unsaid")
                .to_string()
                .starts_with("asset `unsaid`: it has neither mass nor density")
        );
        assert_eq!(engine.world().all_bodies().len(), 0);
        assert!(Engine::open("no-such.db").unwrap_err().to_string().contains("no such file"));
    }
}
