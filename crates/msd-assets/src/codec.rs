//! Binary encoding of geometry, as stored in BLOBs of the registry.
//!
//! Everything is little-endian. A header of 24 bytes, then the scalars, then the indices, and nothing after:
//!
//! | offset | type     | what                                                            |
//! |-------:|----------|-----------------------------------------------------------------|
//! |      0 | 8 bytes  | magic `MSDGEOM` and 0x1a                                        |
//! |      8 | u16      | format version, 1                                               |
//! |     10 | u8       | kind: 1 mesh, 2 points, 3 sphere, 4 box, 5 capsule, 6 cylinder, 7 cone, 8 plane, 9 ellipsoid, 10 rounded, 11 tapered capsule, 12 parts |
//! |     11 | u8       | element type: 1 = f64 scalars and u32 indices                   |
//! |     12 | u32      | number of scalars (3 per vertex or point; the parameters of a primitive) |
//! |     16 | u32      | number of indices (3 per triangle of a mesh; the points of each of the parts; otherwise 0) |
//! |     20 | u32      | CRC-32 (IEEE 802.3) of bytes 0..20 and 24..end                  |
//!
//! The scalars of a rounded shape are its radius, the kind of the shape inside, and the scalars of that.
//!
//! Decoding compares the counts with the length before it allocates, so that a forged count costs nothing,
//! and checks the checksum before it reads a value. CRC-32 detects every change of up to 32 neighbouring
//! bits.

use msd::math::Vec3;
use thiserror::Error;

use crate::{Collision, Mesh, MeshError, Primitive};

const MAGIC: [u8; 8] = *b"MSDGEOM\x1a";
const VERSION: u16 = 1;
const ELEMENT_F64_U32: u8 = 1;
/// Bytes before the scalars.
pub const HEADER: usize = 24;
const CHECKSUM_AT: usize = 20;

const MESH: u8 = 1;
const POINTS: u8 = 2;
const SPHERE: u8 = 3;
const BOX: u8 = 4;
const CAPSULE: u8 = 5;
const CYLINDER: u8 = 6;
const CONE: u8 = 7;
const PLANE: u8 = 8;
const ELLIPSOID: u8 = 9;
const ROUNDED: u8 = 10;
const TAPERED_CAPSULE: u8 = 11;
const PARTS: u8 = 12;

/// Why bytes are not a geometry.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CodecError {
    /// Shorter than a header.
    #[error("{0} bytes are too few for a header of {HEADER}")]
    NoHeader(usize),
    /// Does not begin as it should.
    #[error("it does not begin with the mark of a geometry")]
    Magic,
    /// Another version.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Elements of another type.
    #[error("element type {0}, expected {ELEMENT_F64_U32} (f64 and u32)")]
    ElementType(u8),
    /// An unknown kind, or one that is not allowed here.
    #[error("kind {0} where {1} was expected")]
    Kind(u8, &'static str),
    /// The counts contradict the length.
    #[error("{scalars} scalars and {indices} indices take {expected} bytes, but there are {found}")]
    Length {
        /// Scalars by the header.
        scalars: u32,
        /// Indices by the header.
        indices: u32,
        /// Bytes these take, header included.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The counts do not fit the kind.
    #[error("kind {kind} cannot have {scalars} scalars and {indices} indices")]
    Counts {
        /// Kind by the header.
        kind: u8,
        /// Scalars by the header.
        scalars: u32,
        /// Indices by the header.
        indices: u32,
    },
    /// The checksum does not fit the bytes.
    #[error("checksum {found:#010x}, expected {expected:#010x}")]
    Checksum {
        /// In the header.
        found: u32,
        /// Checksum of the bytes.
        expected: u32,
    },
    /// The triangles do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A value is out of its range.
    #[error("{0}")]
    Value(String),
    /// More vertices or triangles than a header can count.
    #[error("{0} elements are more than a u32 can count")]
    TooMany(usize),
}

/// Header of an encoded geometry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeometryHead {
    /// `mesh`, `hull` (for points), or the name of the primitive.
    pub kind: &'static str,
    /// Vertices or points; 0 for a primitive.
    pub vertices: usize,
    /// 0 for anything but a mesh.
    pub triangles: usize,
}

/// Reads the header of a geometry of `length` bytes, of which `start` are the first [`HEADER`] or more. The
/// checksum is not verified.
///
/// # Errors
/// As [`decode_collision`], for errors visible in the header.
pub fn peek(start: &[u8], length: u64) -> Result<GeometryHead, CodecError> {
    let header = Header::read(start, length)?;
    let vertices = header.scalars as usize / 3;
    let (kind, vertices) = match header.kind {
        MESH => ("mesh", vertices),
        POINTS => ("hull", vertices),
        PARTS => ("parts", vertices),
        SPHERE => ("sphere", 0),
        BOX => ("box", 0),
        CAPSULE => ("capsule", 0),
        CYLINDER => ("cylinder", 0),
        CONE => ("cone", 0),
        ELLIPSOID => ("ellipsoid", 0),
        ROUNDED => ("rounded", 0),
        TAPERED_CAPSULE => ("tapered_capsule", 0),
        _ => ("plane", 0),
    };
    let triangles = if header.kind == MESH { header.indices as usize / 3 } else { 0 };
    Ok(GeometryHead { kind, vertices, triangles })
}

/// The bytes of a mesh.
///
/// # Errors
/// [`CodecError::TooMany`] beyond 1.4 thousand million vertices or triangles.
pub fn encode_mesh(mesh: &Mesh) -> Result<Vec<u8>, CodecError> {
    encode(MESH, mesh.vertices().iter().flat_map(|v| v.to_array()), mesh.triangles().as_flattened())
}

/// The bytes of a collision geometry.
///
/// # Errors
/// [`CodecError::TooMany`] as for [`encode_mesh`].
pub fn encode_collision(collision: &Collision) -> Result<Vec<u8>, CodecError> {
    match collision {
        Collision::Mesh(mesh) => encode_mesh(mesh),
        Collision::Points(points) => encode(POINTS, points.iter().flat_map(|p| p.to_array()), &[]),
        Collision::Parts(parts) => {
            let points = parts.iter().flatten().flat_map(|p| p.to_array());
            let counts: Result<Vec<u32>, _> = parts.iter().map(|part| u32::try_from(part.len())).collect();
            encode(PARTS, points, &counts.map_err(|_| CodecError::TooMany(usize::MAX))?)
        }
        Collision::Rounded { core, radius } => {
            let core = encode_collision(core)?;
            let inside = core[HEADER..].chunks_exact(8).map(|eight| scalar_at(eight, 0));
            encode(ROUNDED, [*radius, f64::from(core[10])].into_iter().chain(inside), &[])
        }
        Collision::Primitive(primitive) => {
            let (kind, scalars) = match *primitive {
                Primitive::Sphere { radius } => (SPHERE, vec![radius]),
                Primitive::Box { size } => (BOX, size.to_array().to_vec()),
                Primitive::Capsule { radius, length } => (CAPSULE, vec![radius, length]),
                Primitive::Cylinder { radius, length } => (CYLINDER, vec![radius, length]),
                Primitive::Cone { radius, length } => (CONE, vec![radius, length]),
                Primitive::Ellipsoid { radii } => (ELLIPSOID, radii.to_array().to_vec()),
                Primitive::TaperedCapsule { bottom_radius, top_radius, length } => {
                    (TAPERED_CAPSULE, vec![bottom_radius, top_radius, length])
                }
                Primitive::Plane { normal, offset } => (PLANE, vec![normal.x, normal.y, normal.z, offset]),
            };
            encode(kind, scalars.into_iter(), &[])
        }
    }
}

/// The mesh of these bytes.
///
/// # Errors
/// See [`CodecError`]. Nothing is allocated before the counts agree with the length.
pub fn decode_mesh(bytes: &[u8]) -> Result<Mesh, CodecError> {
    let raw = Raw::read(bytes)?;
    if raw.kind != MESH {
        return Err(CodecError::Kind(raw.kind, "a mesh"));
    }
    raw.mesh()
}

/// The collision geometry of these bytes.
///
/// # Errors
/// As [`decode_mesh`]; a primitive with a length that is not positive is refused too.
pub fn decode_collision(bytes: &[u8]) -> Result<Collision, CodecError> {
    let raw = Raw::read(bytes)?;
    let collision = match raw.kind {
        MESH => Collision::Mesh(raw.mesh()?),
        POINTS => Collision::Points(raw.points()),
        ROUNDED => raw.rounded()?,
        PARTS => raw.parts()?,
        _ => Collision::Primitive(raw.primitive()?),
    };
    collision.validate().map_err(|error| CodecError::Value(error.to_string()))?;
    Ok(collision)
}

fn encode(kind: u8, scalars: impl Iterator<Item = f64>, indices: &[u32]) -> Result<Vec<u8>, CodecError> {
    let count = |n: usize| u32::try_from(n).map_err(|_| CodecError::TooMany(n));
    let mut bytes = vec![0; HEADER];
    bytes.extend(scalars.flat_map(f64::to_le_bytes));
    let scalar_count = count((bytes.len() - HEADER) / 8)?;
    bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10] = kind;
    bytes[11] = ELEMENT_F64_U32;
    bytes[12..16].copy_from_slice(&scalar_count.to_le_bytes());
    bytes[16..20].copy_from_slice(&count(indices.len())?.to_le_bytes());
    let checksum = checksum(&bytes);
    bytes[CHECKSUM_AT..HEADER].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..CHECKSUM_AT]);
    crc.update(&bytes[HEADER..]);
    crc.finalize()
}

/// A header whose fields agree with each other and with the length.
struct Header {
    kind: u8,
    scalars: u32,
    indices: u32,
    checksum: u32,
}

impl Header {
    fn read(bytes: &[u8], length: u64) -> Result<Self, CodecError> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(CodecError::NoHeader(bytes.len()));
        };
        let u32_at =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if header[..8] != MAGIC {
            return Err(CodecError::Magic);
        }
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(CodecError::Version(version));
        }
        if header[11] != ELEMENT_F64_U32 {
            return Err(CodecError::ElementType(header[11]));
        }
        let (kind, scalars, indices) = (header[10], u32_at(12), u32_at(16));
        let expected = HEADER as u64 + 8 * u64::from(scalars) + 4 * u64::from(indices);
        if length != expected {
            return Err(CodecError::Length { scalars, indices, expected, found: length });
        }
        if !counts_fit(kind, scalars, indices)? {
            return Err(CodecError::Counts { kind, scalars, indices });
        }
        Ok(Self { kind, scalars, indices, checksum: u32_at(CHECKSUM_AT) })
    }
}

/// A BLOB whose header, length and checksum agree.
struct Raw<'a> {
    kind: u8,
    scalars: &'a [u8],
    indices: &'a [u8],
}

impl<'a> Raw<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, CodecError> {
        let header = Header::read(bytes, bytes.len() as u64)?;
        let (found, expected) = (header.checksum, checksum(bytes));
        if found != expected {
            return Err(CodecError::Checksum { found, expected });
        }
        let (scalars, indices) = bytes[HEADER..].split_at(8 * header.scalars as usize);
        Ok(Self { kind: header.kind, scalars, indices })
    }

    fn scalar(&self, at: usize) -> f64 {
        scalar_at(self.scalars, at)
    }

    fn rounded(&self) -> Result<Collision, CodecError> {
        let kinds = [(BOX, 3), (CYLINDER, 2)];
        let named = |kind: u8| self.scalar(1) == f64::from(kind);
        let scalars = &self.scalars[16..];
        let inside = |kind: u8| Raw { kind, scalars, indices: &[] };
        let core = if named(POINTS) && scalars.len().is_multiple_of(24) {
            Collision::Points(inside(POINTS).points())
        } else {
            let fits = |&(kind, count): &(u8, usize)| named(kind) && scalars.len() == 8 * count;
            let Some((kind, _)) = kinds.into_iter().find(fits) else {
                return Err(CodecError::Value("rounded: the shape inside is damaged".to_owned()));
            };
            Collision::Primitive(inside(kind).primitive()?)
        };
        Ok(Collision::Rounded { core: Box::new(core), radius: self.scalar(0) })
    }

    fn parts(&self) -> Result<Collision, CodecError> {
        let (points, mut from) = (self.points(), 0_usize);
        let mut parts = Vec::new();
        for four in self.indices.chunks_exact(4) {
            let count = u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize;
            let part = from.checked_add(count).and_then(|to| points.get(from..to));
            let Some(part) = part else {
                return Err(CodecError::Value("parts: the number of points is damaged".to_owned()));
            };
            parts.push(part.to_vec());
            from += count;
        }
        if from != points.len() {
            return Err(CodecError::Value("parts: the number of points is damaged".to_owned()));
        }
        Ok(Collision::Parts(parts))
    }

    fn points(&self) -> Vec<Vec3> {
        let count = self.scalars.len() / 24;
        (0..count)
            .map(|i| Vec3::new(self.scalar(3 * i), self.scalar(3 * i + 1), self.scalar(3 * i + 2)))
            .collect()
    }

    fn mesh(&self) -> Result<Mesh, CodecError> {
        let index = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let triangles = self
            .indices
            .chunks_exact(12)
            .map(|t| [index(&t[0..4]), index(&t[4..8]), index(&t[8..12])])
            .collect();
        Ok(Mesh::new(self.points(), triangles)?)
    }

    fn primitive(&self) -> Result<Primitive, CodecError> {
        let s = |at| self.scalar(at);
        Ok(match self.kind {
            SPHERE => Primitive::Sphere { radius: s(0) },
            BOX => Primitive::Box { size: Vec3::new(s(0), s(1), s(2)) },
            CAPSULE => Primitive::Capsule { radius: s(0), length: s(1) },
            CYLINDER => Primitive::Cylinder { radius: s(0), length: s(1) },
            CONE => Primitive::Cone { radius: s(0), length: s(1) },
            ELLIPSOID => Primitive::Ellipsoid { radii: Vec3::new(s(0), s(1), s(2)) },
            TAPERED_CAPSULE => {
                Primitive::TaperedCapsule { bottom_radius: s(0), top_radius: s(1), length: s(2) }
            }
            PLANE => Primitive::Plane { normal: Vec3::new(s(0), s(1), s(2)), offset: s(3) },
            other => return Err(CodecError::Kind(other, "a primitive")),
        })
    }
}

fn scalar_at(scalars: &[u8], at: usize) -> f64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&scalars[8 * at..8 * at + 8]);
    f64::from_le_bytes(eight)
}

/// Whether a kind can have that many numbers.
fn counts_fit(kind: u8, scalars: u32, indices: u32) -> Result<bool, CodecError> {
    Ok(match kind {
        MESH => scalars.is_multiple_of(3) && indices.is_multiple_of(3),
        POINTS => scalars.is_multiple_of(3) && indices == 0,
        SPHERE => (scalars, indices) == (1, 0),
        BOX | ELLIPSOID | TAPERED_CAPSULE => (scalars, indices) == (3, 0),
        CAPSULE | CYLINDER | CONE => (scalars, indices) == (2, 0),
        PLANE => (scalars, indices) == (4, 0),
        ROUNDED => scalars >= 4 && indices == 0,
        PARTS => scalars.is_multiple_of(3),
        other => return Err(CodecError::Kind(other, "a geometry")),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn coordinate() -> impl Strategy<Value = Vec3> {
        let component = prop_oneof![-1e3..1e3, proptest::num::f64::NORMAL | proptest::num::f64::ZERO];
        (component.clone(), component.clone(), component).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn mesh() -> impl Strategy<Value = Mesh> {
        proptest::collection::vec(coordinate(), 1..20).prop_flat_map(|vertices| {
            let corner = 0..vertices.len() as u32;
            let triangle = (corner.clone(), corner.clone(), corner).prop_map(|(a, b, c)| [a, b, c]);
            proptest::collection::vec(triangle, 1..20)
                .prop_map(move |triangles| Mesh::new(vertices.clone(), triangles).unwrap())
        })
    }

    fn collision() -> impl Strategy<Value = Collision> {
        let length = || 1e-6..1e6_f64;
        prop_oneof![
            mesh().prop_map(Collision::Mesh),
            proptest::collection::vec(coordinate(), 1..20).prop_map(Collision::Points),
            length().prop_map(|radius| Collision::Primitive(Primitive::Sphere { radius })),
            (length(), length(), length())
                .prop_map(|(x, y, z)| Collision::Primitive(Primitive::Box { size: Vec3::new(x, y, z) })),
            (length(), length())
                .prop_map(|(radius, length)| Collision::Primitive(Primitive::Capsule { radius, length })),
            (length(), length())
                .prop_map(|(radius, length)| Collision::Primitive(Primitive::Cylinder { radius, length })),
            (length(), length())
                .prop_map(|(radius, length)| Collision::Primitive(Primitive::Cone { radius, length })),
            (length(), length(), length()).prop_map(|(x, y, z)| Collision::Primitive(Primitive::Ellipsoid {
                radii: Vec3::new(x, y, z)
            })),
            (length(), length(), length()).prop_map(
                |(bottom_radius, top_radius, more)| Collision::Primitive(Primitive::TaperedCapsule {
                    bottom_radius,
                    top_radius,
                    length: (bottom_radius - top_radius).abs() + more
                })
            ),
            (length(), length(), length()).prop_map(|(radius, length, margin)| Collision::Rounded {
                core: Box::new(Collision::Primitive(Primitive::Cylinder { radius, length })),
                radius: margin,
            }),
            proptest::collection::vec(proptest::collection::vec(coordinate(), 1..9), 1..5)
                .prop_map(Collision::Parts),
            (proptest::collection::vec(coordinate(), 1..20), length()).prop_map(|(points, radius)| {
                Collision::Rounded { core: Box::new(Collision::Points(points)), radius }
            }),
            length().prop_map(|offset| Collision::Primitive(Primitive::Plane { normal: Vec3::Z, offset })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn what_is_encoded_decodes_to_the_same_bits(collision in collision()) {
            let bytes = encode_collision(&collision).unwrap();
            let back = decode_collision(&bytes).unwrap();
            prop_assert_eq!(encode_collision(&back).unwrap(), bytes);
            prop_assert_eq!(back, collision);
        }

        #[test]
        fn any_changed_byte_is_refused(collision in collision(), at in any::<prop::sample::Index>(), flip in 1..=255_u8) {
            let mut bytes = encode_collision(&collision).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert!(decode_collision(&bytes).is_err(), "byte {} flipped by {:#x}", at, flip);
        }

        #[test]
        fn any_truncation_or_addition_is_refused(collision in collision(), at in any::<prop::sample::Index>()) {
            let mut bytes = encode_collision(&collision).unwrap();
            prop_assert!(decode_collision(&bytes[..at.index(bytes.len())]).is_err());
            bytes.push(0);
            prop_assert!(decode_collision(&bytes).is_err());
        }

        #[test]
        fn noise_is_refused_without_a_panic(noise in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode_collision(&noise).is_err());
            let mut marked = MAGIC.to_vec();
            marked.extend([1, 0, MESH, ELEMENT_F64_U32]);
            marked.extend(noise);
            prop_assert!(decode_collision(&marked).is_err());
        }
    }

    fn forged(kind: u8, scalars: u32, indices: u32, payload: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([kind, ELEMENT_F64_U32]);
        bytes.extend(scalars.to_le_bytes());
        bytes.extend(indices.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(payload);
        let crc = checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    #[test]
    fn forged_counts_are_refused_by_length_before_anything_is_allocated() {
        let refused = decode_mesh(&forged(MESH, u32::MAX, u32::MAX, &[0; 36])).unwrap_err();
        assert!(
            matches!(refused, CodecError::Length { expected: 51_539_607_564, found: 60, .. }),
            "{refused:?}"
        );
    }

    #[test]
    fn every_field_is_checked_even_under_a_valid_checksum() {
        let nan = [f64::NAN; 1].map(f64::to_le_bytes).concat();
        assert!(matches!(decode_collision(&forged(SPHERE, 1, 0, &nan)), Err(CodecError::Value(_))));
        assert!(matches!(decode_collision(&forged(99, 1, 0, &nan)), Err(CodecError::Kind(99, _))));
        assert!(matches!(decode_collision(&forged(BOX, 1, 0, &nan)), Err(CodecError::Counts { .. })));
        assert!(matches!(decode_mesh(&forged(POINTS, 3, 0, &[0; 24])), Err(CodecError::Kind(POINTS, _))));
        let mut other = forged(SPHERE, 1, 0, &1.0_f64.to_le_bytes());
        other[8] = 2;
        assert_eq!(decode_collision(&other), Err(CodecError::Version(2)));
        let indices = [0_u32, 0, 7].map(u32::to_le_bytes).concat();
        let payload = [vec![0; 24], indices].concat();
        let refused = decode_mesh(&forged(MESH, 3, 3, &payload)).unwrap_err();
        assert_eq!(refused.to_string(), "triangle 0 names vertex 7, but there are only 1");
        assert_eq!(decode_mesh(&[]), Err(CodecError::NoHeader(0)));
        assert!(decode_collision(&forged(POINTS, 0, 0, &[])).is_err());
    }
}
