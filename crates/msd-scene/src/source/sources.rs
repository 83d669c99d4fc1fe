//! The texts that a scene was read from, as one line of bytes.
//!
//! A scene may take parts of its bodies from other files. Each file has a stretch of offsets of its own, one after the
//! other, so that a span says by itself which file it is in.

use super::Span;

/// The name and text of a file.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// All texts, the scene itself first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<(usize, SourceText)>,
}

impl Sources {
    #[cfg(test)]
    pub(crate) fn of(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut sources = Self::default();
        sources.add(SourceText { name: name.into(), text: text.into() });
        sources
    }

    /// Adds a text and returns the offset of its first byte.
    pub(crate) fn add(&mut self, source: SourceText) -> usize {
        let start = self.files.last().map_or(0, |(start, last)| start + last.text.len() + 1);
        self.files.push((start, source));
        start
    }

    /// The file a span is in, by its number and text, and where it is in that.
    pub(crate) fn locate(&self, span: &Span) -> (usize, &SourceText, Span) {
        let number = self.files.partition_point(|(start, _)| *start <= span.start).saturating_sub(1);
        let (start, source) = &self.files[number];
        let inside = |offset: usize| (offset - start).min(source.text.len());
        (number, source, inside(span.start)..inside(span.end.max(span.start)))
    }

    /// The scene itself.
    pub(crate) fn first(&self) -> &SourceText {
        &self.files[0].1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SourceText> {
        self.files.iter().map(|(_, source)| source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_says_which_file_it_is_in() {
        let mut sources = Sources::of("a", "12345");
        let start = sources.add(SourceText { name: "b".into(), text: "xyz".into() });
        assert_eq!(sources.locate(&(2..4)).2, 2..4);
        assert_eq!(sources.locate(&(5..5)).0, 0);
        let (number, source, span) = sources.locate(&(start + 1..start + 3));
        assert_eq!((number, source.name.as_str(), span), (1, "b", 1..3));
    }
}
