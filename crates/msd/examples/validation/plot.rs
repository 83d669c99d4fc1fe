//! Log-log plots of error against step size, as SVG.

use std::fmt::Write as _;

use super::cases::Series;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 460.0;
/// Left, right, top, bottom.
const MARGINS: [f64; 4] = [78.0, 190.0, 44.0, 56.0];
/// Okabe and Ito's colours, told apart by readers with any colour vision.
const COLORS: [&str; 5] = ["#D55E00", "#CC79A7", "#0072B2", "#009E73", "#000000"];

/// One axis: decades from `low` to `high`, drawn from `from` to `to` pixels.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for decade in values.filter(|value| *value > 0.0).map(libm_log10) {
            if decade < low {
                low = decade;
            }
            if decade > high {
                high = decade;
            }
        }
        Self { low: low.floor(), high: high.ceil(), from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * (libm_log10(value) - self.low) / (self.high - self.low)
    }

    fn decades(&self) -> impl Iterator<Item = i32> {
        self.low as i32..=self.high as i32
    }
}

fn libm_log10(value: f64) -> f64 {
    msd::math::scalar::ln(value) / std::f64::consts::LN_10
}

fn power_of_ten(decade: i32) -> f64 {
    msd::math::scalar::pow(10.0, f64::from(decade))
}

/// The plot of one case.
pub(crate) fn log_log(title: &str, unit: &str, results: &[Series]) -> String {
    let [left, right, top, bottom] = MARGINS;
    let points = || results.iter().flat_map(|series| &series.points);
    let x = Axis::around(points().map(|point| point.0), left, WIDTH - right);
    let y = Axis::around(points().map(|point| point.1), HEIGHT - bottom, top);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"16\">{title}</text>\n"
    );
    grid(&mut svg, &x, &y);
    labels(&mut svg, &x, &y, unit);
    for (index, series) in results.iter().enumerate() {
        curve(&mut svg, &x, &y, series, COLORS[index % COLORS.len()]);
        legend(&mut svg, index, series.method);
    }
    svg.push_str("</svg>\n");
    svg
}

fn grid(svg: &mut String, x: &Axis, y: &Axis) {
    for decade in x.decades() {
        let at = x.at(power_of_ten(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">10<tspan dy=\"-5\" font-size=\"10\">{decade}</tspan></text>",
            y.from,
            y.to,
            y.from + 20.0
        );
    }
    // At most eight labels on the error axis.
    let stride = ((y.high - y.low) / 8.0).ceil() as i32;
    for decade in y.decades().filter(|decade| stride < 2 || decade % stride == 0) {
        let at = y.at(power_of_ten(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"10\">{decade}</tspan></text>",
            x.from,
            x.to,
            x.from - 8.0,
            at + 5.0
        );
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#444\"/>",
        x.from,
        y.to,
        x.to - x.from,
        y.from - y.to
    );
}

fn labels(svg: &mut String, x: &Axis, y: &Axis, unit: &str) {
    let (middle_x, middle_y) = (0.5 * (x.from + x.to), 0.5 * (y.from + y.to));
    let _ = writeln!(
        svg,
        "<text x=\"{middle_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">step dt (s)</text>\n\
         <text transform=\"translate(20 {middle_y:.1}) rotate(-90)\" text-anchor=\"middle\">error at the end ({unit})</text>",
        HEIGHT - 14.0
    );
}

fn curve(svg: &mut String, x: &Axis, y: &Axis, series: &Series, color: &str) {
    let points: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter(|point| point.1 > 0.0)
        .map(|point| (x.at(point.0), y.at(point.1)))
        .collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\"/>",
        path.join(" ")
    );
    for (x, y) in points {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
    }
}

fn legend(svg: &mut String, index: usize, name: &str) {
    let (x, y) = (WIDTH - MARGINS[1] + 16.0, MARGINS[2] + 14.0 + 22.0 * index as f64);
    let color = COLORS[index % COLORS.len()];
    let _ = writeln!(
        svg,
        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"{color}\" stroke-width=\"1.8\"/>\n\
         <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>\n<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
        x + 24.0,
        x + 12.0,
        x + 30.0,
        y + 4.5
    );
}
