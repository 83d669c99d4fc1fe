//! A chart over time: panels one above the other, lines, ticks, labels with units, legends.

use std::fmt::Write;

use super::axis::Axis;

const WIDTH: f64 = 900.0;
const PANEL_HEIGHT: f64 = 260.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const GAP: f64 = 54.0;
const BOTTOM: f64 = 52.0;
/// Colour-blind safe palette (Okabe and Ito, 2008).
pub(super) const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Series {
    pub(super) fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points }
    }
}

/// Lines that share a vertical axis.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    label: String,
    series: Vec<Series>,
}

impl Panel {
    pub(super) fn new(label: &str, series: Vec<Series>) -> Self {
        Self { label: label.to_owned(), series }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }
}

/// Panels that share a time axis.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    title: String,
    panels: Vec<Panel>,
}

impl Chart {
    pub(super) fn new(title: &str, panels: Vec<Panel>) -> Self {
        Self { title: title.to_owned(), panels }
    }

    /// The document. Writing to a string cannot fail.
    pub(super) fn svg(&self) -> String {
        let count = self.panels.len() as f64;
        let height = TOP + count * PANEL_HEIGHT + (count - 1.0) * GAP + BOTTOM;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{0}</text>\n",
            escaped(&self.title)
        );
        let times = self.panels.iter().flat_map(Panel::points).map(|(t, _)| t);
        let time = Axis::covering(times, 8.0, true);
        for (i, panel) in self.panels.iter().enumerate() {
            let top = TOP + i as f64 * (PANEL_HEIGHT + GAP);
            draw_panel(&mut svg, panel, &time, top);
        }
        let (middle, below) = (LEFT + 0.5 * (WIDTH - LEFT - RIGHT), height - 12.0);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">time (s)</text>");
        svg + "</svg>\n"
    }
}

fn draw_panel(svg: &mut String, panel: &Panel, time: &Axis, top: f64) {
    let (width, bottom) = (WIDTH - LEFT - RIGHT, top + PANEL_HEIGHT);
    let values = Axis::covering(panel.points().map(|(_, value)| value), 5.0, false);
    let x = |t: f64| LEFT + width * time.position(t);
    let y = |value: f64| bottom - PANEL_HEIGHT * values.position(value);
    let _ = writeln!(svg, "<g stroke=\"#dddddd\" stroke-width=\"1\">");
    for (value, _) in values.ticks() {
        let _ = writeln!(svg, "<path d=\"M{LEFT} {0:.1}h{width}\"/>", y(value));
    }
    for (value, _) in time.ticks() {
        let _ = writeln!(svg, "<path d=\"M{0:.1} {top}v{PANEL_HEIGHT}\"/>", x(value));
    }
    svg.push_str("</g>\n");
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" height=\"{PANEL_HEIGHT}\" fill=\"none\" stroke=\"#555555\"/>"
    );
    for (value, label) in values.ticks() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 7.0,
            y(value) + 4.5
        );
    }
    for (value, label) in time.ticks() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            x(value),
            bottom + 18.0
        );
    }
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        0.5 * (top + bottom),
        escaped(&panel.label)
    );
    for (series, color) in panel.series.iter().zip(COLORS) {
        draw_line(svg, series, color, &x, &y);
    }
    draw_legend(svg, panel, top);
}

fn draw_line(svg: &mut String, series: &Series, color: &str, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let mut path = String::new();
    let mut pen_down = false;
    for (t, value) in thinned(&series.points, x) {
        if !value.is_finite() {
            pen_down = false;
            continue;
        }
        let _ = write!(path, "{}{:.1} {:.1}", if pen_down { "L" } else { "M" }, x(t), y(value));
        pen_down = true;
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>"
    );
}

/// For each pixel column the first, lowest, highest and last point: the picture stays the same, a spike of one frame
/// stays in it, and the file stays small.
fn thinned(points: &[(f64, f64)], x: &dyn Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < points.len() {
        let column = x(points[at].0).floor();
        let same = points[at..].iter().take_while(|(t, _)| x(*t).floor() == column).count().max(1);
        let part = &points[at..at + same];
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (low, high) = (part.iter().min_by(by_value), part.iter().max_by(by_value));
        let mut ends: Vec<(f64, f64)> =
            [part.first(), low, high, part.last()].into_iter().flatten().copied().collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.dedup();
        kept.extend(ends);
        at += same;
    }
    kept
}

fn draw_legend(svg: &mut String, panel: &Panel, top: f64) {
    let mut right = WIDTH - RIGHT;
    for (series, color) in panel.series.iter().zip(COLORS).rev() {
        let name: String = series.name.chars().take(24).collect();
        let width = 34.0 + 7.5 * name.chars().count() as f64;
        right -= width;
        let (line, y) = (right + 4.0, top - 8.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{line:.1} {:.1}h18\" stroke=\"{color}\" stroke-width=\"2.5\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 4.5,
            line + 23.0,
            escaped(&name)
        );
    }
}

/// Escapes markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_of_one_frame_is_not_thinned_away() {
        let points: Vec<(f64, f64)> =
            (0..100_000).map(|i| (f64::from(i), if i == 54_321 { 7.0 } else { 0.0 })).collect();
        let kept = thinned(&points, &|t| t / 125.0);
        assert!(kept.len() < 4 * 801 && kept.contains(&(54_321.0, 7.0)));
        assert_eq!((kept[0], *kept.last().unwrap()), (points[0], points[99_999]));
    }

    #[test]
    fn names_cannot_break_the_document() {
        let series = Series::new("<a & \"b\">", vec![(0.0, f64::NAN), (1.0, 2.0), (2.0, 3.0)]);
        let svg = Chart::new("t", vec![Panel::new("x (m)", vec![series])]).svg();
        assert!(svg.contains("&lt;a &amp; &quot;b&quot;&gt;") && !svg.contains("NaN"), "{svg}");
    }
}
