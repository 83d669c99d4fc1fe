//! Writes `scenes/debris-cloud.toml`: a thousand fragments on neighbouring orbits, one line each.
//!
//! `cargo run -p msd-scene --example debris_cloud > scenes/debris-cloud.toml`

use std::fmt::Write;

const HEAD: &str = "\
# A satellite has broken up: 1 000 fragments around a point 7 000 km from the Earth's centre, a minute long.
#
# Each follows its own Kepler orbit. Nothing from outside acts on the cloud but the pull towards the centre, so its
# energy and its angular momentum about the centre stay what they are, and none of the fragments meet.
#
# Written by `cargo run -p msd-scene --example debris_cloud`.
format = 1

[world]
gravity    = [0, 0, 0]
dt         = 1.0
duration   = 60.0
integrator = \"rk4\"

[[field]]
type = \"point-gravity\"
mu   = 3.986004418e14

";

/// Numbers that look random and are the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    /// A number in [-1, 1) with three decimals.
    fn throw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % 2000) as f64 / 1000.0 - 1.0
    }
}

/// The scene.
pub(crate) fn scene() -> String {
    let mut dice = Dice(1);
    let mut bodies =
        String::from("# Places in a box of 4 km, velocities within 1 m/s, spins within 1 rad/s.\nbody = [\n");
    for i in 0..1000 {
        let mut three = |scale: f64, middle: [f64; 3]| middle.map(|m| m + scale * dice.throw());
        let [x, y, z] = three(2000.0, [7.0e6, 0.0, 0.0]);
        let [u, v, w] = three(1.0, [0.0, 7546.053, 0.0]);
        let [p, q, r] = three(1.0, [0.0; 3]);
        let [a, b, c] = three(0.04, [0.05; 3]);
        // Writing to a string cannot fail.
        let _ = writeln!(
            bodies,
            "  {{ name = \"f{i:03}\", shape = {{ box = {{ size = [{a:.3}, {b:.3}, {c:.3}] }} }}, density = 2700, \
             position = [{x:.0}, {y:.0}, {z:.0}], velocity = [{u:.3}, {v:.3}, {w:.3}], \
             angular_velocity = [{p:.3}, {q:.3}, {r:.3}] }},"
        );
    }
    // Keys of the top level come before the first table.
    HEAD.replacen("[world]", &format!("{bodies}]\n\n[world]"), 1)
}

#[allow(dead_code, reason = "a test includes this file for `scene`")]
fn main() {
    print!("{}", scene());
}
