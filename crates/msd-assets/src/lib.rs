//! Geometry files and the asset registry.
