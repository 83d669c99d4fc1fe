//! Typed views of a glTF's bytes. Every element is known to be inside its view before the first is read.

use msd::math::Vec3;

use super::{
    super::ImportProblem,
    buffers::Buffers,
    document::{Accessor, Document},
    missing,
};

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// Positions: VEC3 of f32.
pub(super) struct Positions<'a>(Elements<'a>);

impl Positions<'_> {
    pub(super) fn len(&self) -> usize {
        self.0.count
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Vec3> + '_ {
        let float = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        (0..self.0.count).map(move |at| {
            let b = self.0.element(at);
            Vec3::new(float(&b[0..4]), float(&b[4..8]), float(&b[8..12]))
        })
    }
}

/// Indices: SCALAR of u8, u16 or u32.
pub(super) struct Indices<'a>(Elements<'a>);

impl Indices<'_> {
    pub(super) fn len(&self) -> usize {
        self.0.count
    }

    pub(super) fn get(&self, at: usize) -> u32 {
        match *self.0.element(at) {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => unreachable!("elements of indices have 1, 2 or 4 bytes"),
        }
    }
}

pub(super) fn read_positions<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    index: usize,
) -> Result<Positions<'a>, ImportProblem> {
    let accessor = find(document, index)?;
    if (accessor.component_type, accessor.kind.as_str()) != (FLOAT, "VEC3") {
        return Err(ImportProblem::Unsupported(format!(
            "positions of component type {} and type {:?}; VEC3 of f32 is read",
            accessor.component_type, accessor.kind
        )));
    }
    Ok(Positions(Elements::new(document, buffers, index, accessor, 12)?))
}

pub(super) fn read_indices<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    index: usize,
) -> Result<Indices<'a>, ImportProblem> {
    let accessor = find(document, index)?;
    let size = match (accessor.component_type, accessor.kind.as_str()) {
        (UNSIGNED_BYTE, "SCALAR") => 1,
        (UNSIGNED_SHORT, "SCALAR") => 2,
        (UNSIGNED_INT, "SCALAR") => 4,
        (component, kind) => {
            return Err(ImportProblem::malformed(format!(
                "indices of component type {component} and type {kind:?}; SCALAR of u8, u16 or u32 is legal"
            )));
        }
    };
    Ok(Indices(Elements::new(document, buffers, index, accessor, size)?))
}

fn find(document: &Document, index: usize) -> Result<&Accessor, ImportProblem> {
    document.accessors.get(index).ok_or_else(|| missing("accessor", index, document.accessors.len()))
}

struct Elements<'a> {
    bytes: &'a [u8],
    count: usize,
    stride: usize,
    size: usize,
}

impl<'a> Elements<'a> {
    fn new(
        document: &Document,
        buffers: &'a Buffers<'_>,
        index: usize,
        accessor: &Accessor,
        size: usize,
    ) -> Result<Self, ImportProblem> {
        if accessor.sparse.is_some() {
            return Err(ImportProblem::Unsupported(format!("accessor {index} is sparse")));
        }
        let Some(view_index) = accessor.buffer_view else {
            return Err(ImportProblem::Unsupported(format!(
                "accessor {index} has no buffer view (all zeros)"
            )));
        };
        let view = buffers.view(document, view_index)?;
        let stride = document.buffer_views[view_index].byte_stride.unwrap_or(size);
        if stride < size || stride > 252 {
            return Err(ImportProblem::malformed(format!(
                "buffer view {view_index}: stride {stride} is not legal"
            )));
        }
        let bytes = view.get(accessor.byte_offset..).unwrap_or_default();
        let needed = (accessor.count as u128).saturating_sub(1) * stride as u128 + size as u128;
        if accessor.count > 0 && needed > bytes.len() as u128 {
            return Err(ImportProblem::Missing {
                what: format!("accessor {index} of {} elements", accessor.count),
                declared: u64::try_from(needed).unwrap_or(u64::MAX),
                found: bytes.len() as u64,
            });
        }
        Ok(Self { bytes, count: accessor.count, stride, size })
    }

    fn element(&self, at: usize) -> &[u8] {
        &self.bytes[at * self.stride..][..self.size]
    }
}
