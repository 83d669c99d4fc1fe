//! A chart over time, or in a plane: panels one above the other, lines, ticks, labels with units, legends that wrap.

use std::fmt::Write;

use super::axis::Axis;

const WIDTH: f64 = 900.0;
const PANEL_HEIGHT: f64 = 260.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const GAP: f64 = 54.0;
const BOTTOM: f64 = 52.0;
/// Height of a panel in a plane.
const PLANE_HEIGHT: f64 = 620.0;
/// Height of a row of a legend.
const LEGEND_ROW: f64 = 18.0;
/// Longest name in a legend, characters.
const LEGEND_NAME: usize = 28;
/// Points of a line in a plane nearer than this to the one before are left out, px.
const NEAR: f64 = 0.4;
/// Lines of one colour differ by these.
const DASHES: [&str; 3] = ["", "7 4", "2 3"];
/// Lines to compare with differ by these, all in one grey.
const REFERENCE_DASHES: [&str; 3] = ["6 4", "2 3", "12 3 2 3"];
/// Colour-blind safe palette (Okabe and Ito, 2008).
pub(super) const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    /// Drawn in grey over the others, to compare them with.
    reference: bool,
}

impl Series {
    pub(super) fn new(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, reference: false }
    }

    /// The same to compare others with.
    pub(super) fn reference(self) -> Self {
        Self { reference: true, ..self }
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

/// Horizontal axis of a chart.
#[derive(Clone, Debug, PartialEq)]
enum Across {
    Time,
    /// Another quantity; with `equal` a metre is as long along both axes.
    Quantity {
        label: String,
        equal: bool,
    },
}

/// Panels that share a horizontal axis.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    title: String,
    panels: Vec<Panel>,
    across: Across,
}

/// Where panels are on the page.
struct Layout {
    /// Top of each panel.
    tops: Vec<f64>,
    panel_height: f64,
    height: f64,
}

impl Chart {
    pub(super) fn new(title: &str, panels: Vec<Panel>) -> Self {
        Self { title: title.to_owned(), panels, across: Across::Time }
    }

    /// The same against another quantity than time.
    pub(super) fn against(self, label: &str, equal: bool) -> Self {
        Self { across: Across::Quantity { label: label.to_owned(), equal }, ..self }
    }

    fn layout(&self) -> Layout {
        let panel_height = if self.across == Across::Time { PANEL_HEIGHT } else { PLANE_HEIGHT };
        let (mut tops, mut at) = (Vec::new(), TOP);
        for (i, panel) in self.panels.iter().enumerate() {
            let rows = legend_rows(panel).len().max(1) - 1;
            // The first row of a legend that wraps, or that reaches to the title, stays below the title.
            let width: f64 = panel.series.iter().map(legend_width).sum();
            let below = rows > 0 || width + 10.0 * self.title.chars().count() as f64 > WIDTH - LEFT - RIGHT;
            let above = if i > 0 { GAP } else { 14.0 * f64::from(u8::from(below)) };
            at += LEGEND_ROW * rows as f64 + above;
            tops.push(at);
            at += panel_height;
        }
        Layout { tops, panel_height, height: at + BOTTOM }
    }

    /// The document. Writing to a string cannot fail.
    pub(super) fn svg(&self) -> String {
        let layout = self.layout();
        let height = layout.height;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{0}</text>\n",
            escaped(&self.title)
        );
        let across = self.panels.iter().flat_map(Panel::points).map(|(x, _)| x);
        let horizontal = Axis::covering(across, 8.0, self.across == Across::Time);
        for (panel, top) in self.panels.iter().zip(&layout.tops) {
            self.draw_panel(&mut svg, panel, &horizontal, *top, layout.panel_height);
        }
        let (middle, below) = (LEFT + 0.5 * (WIDTH - LEFT - RIGHT), height - 12.0);
        let label = match &self.across {
            Across::Time => "time (s)".to_owned(),
            Across::Quantity { label, .. } => escaped(label),
        };
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>");
        svg + "</svg>\n"
    }

    fn draw_panel(&self, svg: &mut String, panel: &Panel, horizontal: &Axis, top: f64, panel_height: f64) {
        let width = WIDTH - LEFT - RIGHT;
        let mut horizontal = *horizontal;
        let mut values = Axis::covering(panel.points().map(|(_, value)| value), 5.0, false);
        if let Across::Quantity { equal: true, .. } = self.across {
            // As many metres a pixel along both axes.
            let scale = (horizontal.extent() / width).max(values.extent() / panel_height);
            horizontal.widen(scale * width);
            values.widen(scale * panel_height);
        }
        frame(svg, &panel.label, [&horizontal, &values], [top, panel_height]);
        let x = |t: f64| LEFT + width * horizontal.position(t);
        let y = |value: f64| top + panel_height - panel_height * values.position(value);
        for (number, series) in panel.series.iter().enumerate() {
            let points = match self.across {
                Across::Time => thinned(&series.points, &x),
                Across::Quantity { .. } => spaced(&series.points, &x, &y),
            };
            draw_line(svg, &points, &stroke(panel, number), &x, &y);
        }
        draw_legend(svg, panel, top);
    }
}

/// Attributes of the line of a series, by its number among those of its panel that are drawn alike.
fn stroke(panel: &Panel, number: usize) -> String {
    let Series { reference, .. } = panel.series[number];
    let number = panel.series[..number].iter().filter(|series| series.reference == reference).count();
    if reference {
        let dashes = REFERENCE_DASHES[number % REFERENCE_DASHES.len()];
        return format!("stroke=\"#555555\" stroke-dasharray=\"{dashes}\"");
    }
    let dashes = DASHES[number / COLORS.len() % DASHES.len()];
    let color = COLORS[number % COLORS.len()];
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!("stroke=\"{color}\"{dashes}")
}

/// Grid, frame, numbers and label of a panel.
fn frame(svg: &mut String, label: &str, [time, values]: [&Axis; 2], [top, panel_height]: [f64; 2]) {
    let (width, bottom) = (WIDTH - LEFT - RIGHT, top + panel_height);
    let x = |t: f64| LEFT + width * time.position(t);
    let y = |value: f64| bottom - panel_height * values.position(value);
    let _ = writeln!(svg, "<g stroke=\"#dddddd\" stroke-width=\"1\">");
    for (value, _) in values.ticks() {
        let _ = writeln!(svg, "<path d=\"M{LEFT} {0:.1}h{width}\"/>", y(value));
    }
    for (value, _) in time.ticks() {
        let _ = writeln!(svg, "<path d=\"M{0:.1} {top}v{panel_height}\"/>", x(value));
    }
    svg.push_str("</g>\n");
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" height=\"{panel_height}\" fill=\"none\" stroke=\"#555555\"/>"
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
        escaped(label)
    );
}

fn draw_line(
    svg: &mut String,
    points: &[(f64, f64)],
    stroke: &str,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let mut path = String::new();
    let mut pen_down = false;
    for (t, value) in points {
        if !(value.is_finite() && t.is_finite()) {
            pen_down = false;
            continue;
        }
        let _ = write!(path, "{}{:.1} {:.1}", if pen_down { "L" } else { "M" }, x(*t), y(*value));
        pen_down = true;
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" {stroke} stroke-width=\"1.6\" stroke-linejoin=\"round\"/>"
    );
}

/// Points at least [`NEAR`] apart, the last included.
fn spaced(points: &[(f64, f64)], x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (i, point) in points.iter().enumerate() {
        let near =
            kept.last().is_some_and(|last| (x(point.0) - x(last.0)).hypot(y(point.1) - y(last.1)) < NEAR);
        if !near || i + 1 == points.len() {
            kept.push(*point);
        }
    }
    kept
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

/// Width of an entry of a legend.
fn legend_width(series: &Series) -> f64 {
    34.0 + 7.5 * series.name.chars().count().min(LEGEND_NAME) as f64
}

/// Numbers of the series in each row of the legend, from the top.
fn legend_rows(panel: &Panel) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut left = 0.0;
    for (number, series) in panel.series.iter().enumerate() {
        let width = legend_width(series);
        if rows.is_empty() || width > left {
            rows.push(Vec::new());
            // The title stands to the left of a legend of one row.
            left = WIDTH - LEFT - RIGHT;
        }
        left -= width;
        if let Some(row) = rows.last_mut() {
            row.push(number);
        }
    }
    rows
}

fn draw_legend(svg: &mut String, panel: &Panel, top: f64) {
    let rows = legend_rows(panel);
    for (row, numbers) in rows.iter().enumerate() {
        let y = top - 8.0 - LEGEND_ROW * (rows.len() - 1 - row) as f64;
        let mut right = WIDTH - RIGHT;
        for number in numbers.iter().rev() {
            let series = &panel.series[*number];
            right -= legend_width(series);
            let line = right + 4.0;
            let name: String = series.name.chars().take(LEGEND_NAME).collect();
            let _ = writeln!(
                svg,
                "<path d=\"M{line:.1} {:.1}h18\" {} stroke-width=\"2.5\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                y - 4.5,
                stroke(panel, *number),
                line + 23.0,
                escaped(&name)
            );
        }
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
    fn a_legend_of_many_names_wraps_into_rows_that_fit() {
        let series: Vec<Series> =
            (0..30).map(|i| Series::new(&format!("joint number {i}"), vec![(0.0, 0.0)])).collect();
        let panel = Panel::new("position (rad)", series);
        let rows = legend_rows(&panel);
        assert!(rows.len() > 2);
        assert_eq!(rows.iter().flatten().copied().collect::<Vec<_>>(), (0..30).collect::<Vec<_>>());
        for row in &rows {
            let width: f64 = row.iter().map(|number| legend_width(&panel.series[*number])).sum();
            assert!(width <= WIDTH - LEFT - RIGHT, "{width}");
        }
        let strokes: std::collections::BTreeSet<String> =
            (0..21).map(|number| stroke(&panel, number)).collect();
        assert_eq!(strokes.len(), 21, "colour and dashes tell lines apart");
    }

    #[test]
    fn a_circle_in_a_plane_is_round() {
        let circle = (0..=360).map(|i| f64::from(i).to_radians()).map(|a| (3.0 * a.cos(), 3.0 * a.sin()));
        let panel = Panel::new("y (m)", vec![Series::new("ball", circle.collect())]);
        let svg = Chart::new("trajectory", vec![panel]).against("x (m)", true).svg();
        let path =
            svg.split("d=\"M").filter(|part| part.contains('L')).max_by_key(|part| part.len()).unwrap();
        let path = path.split('"').next().unwrap();
        let points: Vec<(f64, f64)> = path
            .split('L')
            .map(|point| point.split_once(' ').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        let extent = |value: fn(&(f64, f64)) -> f64| {
            let (low, high) =
                points.iter().map(value).fold((1e9_f64, -1e9_f64), |(l, h), v| (l.min(v), h.max(v)));
            high - low
        };
        let (width, height) = (extent(|p| p.0), extent(|p| p.1));
        assert!((width - height).abs() < 0.5 && width > 300.0, "{width} {height}");
    }

    #[test]
    fn names_cannot_break_the_document() {
        let series = Series::new("<a & \"b\">", vec![(0.0, f64::NAN), (1.0, 2.0), (2.0, 3.0)]);
        let svg = Chart::new("t", vec![Panel::new("x (m)", vec![series])]).svg();
        assert!(svg.contains("&lt;a &amp; &quot;b&quot;&gt;") && !svg.contains("NaN"), "{svg}");
    }
}
