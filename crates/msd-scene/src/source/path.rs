//! Where a value is in a scene, such as `body[2].shape.sphere.radius`.

use std::fmt;

/// One step into a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Into a table.
    Key(String),
    /// Into a list, from 0.
    Index(usize),
}

/// The way from the top of a scene to one of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The scene itself.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// One key further.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned()))
    }

    /// One item further, from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    fn with(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }

    /// Its steps.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// True if it is that path, or leads through it.
    pub(crate) fn starts_with(&self, outer: &Path) -> bool {
        self.0.starts_with(&outer.0)
    }

    pub(crate) fn split_last(&self) -> Option<(&Segment, Path)> {
        let (last, parent) = self.0.split_last()?;
        Some((last, Path(parent.to_vec())))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if i == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
