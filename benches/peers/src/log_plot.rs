//! Curves in a picture with two logarithmic axes, as SVG.

use std::fmt::Write as _;

/// A named curve through points (x, y), all positive.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// The exponent p of `y ~ x^p` over the last `decades` decades of x: least squares of the logarithms.
    pub fn exponent(&self, decades: f64) -> f64 {
        let last = self.points.last().map_or(0.0, |point| point.0);
        let logs: Vec<(f64, f64)> = self
            .points
            .iter()
            .filter(|(x, _)| *x >= last / 10.0_f64.powf(decades) * 0.999)
            .map(|(x, y)| (x.ln(), y.ln()))
            .collect();
        let count = logs.len() as f64;
        let (mean_x, mean_y) =
            logs.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
        let over = |f: fn(f64, f64) -> f64| -> f64 { logs.iter().map(|p| f(p.0 - mean_x, p.1 - mean_y)).sum() };
        over(|x, y| x * y) / over(|x, _| x * x)
    }
}

const COLOURS: [&str; 6] = ["#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2", "#d98e04", "#555555"];
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;

/// The picture.
pub fn svg(title: &str, x_label: &str, y_label: &str, curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |r, v| (r.0.min(v.log10()), r.1.max(v.log10())));
        (low.floor(), high.ceil().max(low.floor() + 1.0))
    };
    let (x0, x1) = range(&mut all().map(|p| p.0));
    let (y0, y1) = range(&mut all().map(|p| p.1));
    let place_x = |log: f64| LEFT + (log - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    let place_y = |log: f64| HEIGHT - BOTTOM - (log - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n"
    );
    for decade in x0 as i32..=x1 as i32 {
        let x = place_x(decade.into());
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        _ = writeln!(out, "<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">1e{decade}</text>", bottom + 16.0);
    }
    for decade in y0 as i32..=y1 as i32 {
        let (y, right) = (place_y(decade.into()), WIDTH - RIGHT);
        _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{decade}</text>", LEFT - 6.0, y + 4.0);
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    _ = writeln!(out, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>", HEIGHT - 10.0);
    let half = (TOP + HEIGHT - BOTTOM) / 2.0;
    _ = writeln!(
        out,
        "<text transform=\"translate(16 {half}) rotate(-90)\" text-anchor=\"middle\">{y_label}</text>"
    );
    for (k, (curve, colour)) in curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let path: Vec<String> = curve
            .points
            .iter()
            .map(|(x, y)| format!("{:.1} {:.1}", place_x(x.log10()), place_y(y.log10())))
            .collect();
        _ = writeln!(
            out,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join("L")
        );
        let (x, y) = (WIDTH - RIGHT + 14.0, TOP + 16.0 + 18.0 * k as f64);
        _ = writeln!(out, "<path d=\"M{x} {}h16\" stroke=\"{colour}\" stroke-width=\"2\"/>", y - 4.0);
        _ = writeln!(out, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 22.0, curve.name);
    }
    out + "</svg>\n"
}
