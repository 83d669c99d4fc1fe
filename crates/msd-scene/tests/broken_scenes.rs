//! Broken scenes: all errors of a file are reported together, with position and accepted values.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd_scene::Scene;
use msd_scene::source::Format;

fn problems(text: &str) -> String {
    Scene::parse_str("bad.toml", text, Format::Toml).unwrap_err().to_string()
}

fn json_problems(text: &str) -> String {
    Scene::parse_str("bad.json", text, Format::Json).unwrap_err().to_string()
}

#[test]
fn forty_mistakes_in_one_file_are_told_at_once() {
    let scene = r#"format = 1
[world]
dt = -0.1
integrator = "velocity-verlett"
gravity = [0, 0]
thraeds = 2
[material.rubber]
restitution = 1.5
[[body]]
name = "ball"
shape = { sphere = { radious = 0.1 } }
mas = 1
material = "rubbr"
orientation = [1, 0, 0, 0]
[[body]]
name = "ball"
shape = { cube = { size = [1,1,1] } }
mass = "heavy"
orientation = { w = 1, x = 0.1, y = 0, z = 0 }
[[body]]
name = "floor"
shape = { plane = { normal = [0,0,0] } }
mass = 1
density = 2
[[body]]
name = "d"
shape = { sphere = { radius = 1 }, box = { size = [1,1,1] } }
kind = "dynamc"
[[body]]
shape = { sphere = { radius = 1 } }
inertia = [[1,0,0],[0,1,0],[0,0,3]]
mass = 1
name = "e"
orientation = { yaw = 3 }
[[body]]
mass = 1
[[body]]
name = "f"
shape = { sphere = { radius = 1 } }
mass = 1
orientation = { w = 1, x = 0.1, y = 0, z = 0 }
inertia = [[1,0,0],[0,1,0],[0,0,3]]
position = 5
[[joint]]
name = "j"
type = "hinge"
a = "bal"
b = "wrold"
axis = [0,0,0]
limits = [1, -1]
[[joint]]
name = "k"
type = "hing"
[[field]]
type = "drag"
density = 1.2
radius = 3
[[agent]]
type = "constant-wrench"
body = "floor"
until = -1
[[agent]]
body = "x"
[output]
"#;
    let told = r#"bad.toml:3:6: world: `dt` is -0.1; expected a number above 0
bad.toml:4:14: world: `integrator` is the text "velocity-verlett"; did you mean `velocity-verlet`?
bad.toml:5:11: world: `gravity` is a list of 2 values; expected a list of 3 numbers
bad.toml:6:1: world: unknown key `thraeds`; did you mean `threads`?
bad.toml:8:15: material `rubber`: `restitution` is 1.5; expected a number from 0 to 1
bad.toml:11:22: body `ball`: unknown key `radious`; did you mean `radius`?
bad.toml:12:1: body `ball`: unknown key `mas`; did you mean `mass`?
bad.toml:13:12: body `ball`: there is no material named `rubbr`; did you mean `rubber`?
bad.toml:14:15: body `ball`: `orientation` is a list of 4 values; expected { axis, angle_deg } or { w, x, y, z } or { yaw_deg, pitch_deg, roll_deg }
bad.toml:16:8: body 2: the name `ball` is already used by body 1; expected another name
bad.toml:17:11: body `ball`: unknown key `cube`; expected `sphere`, `box`, `capsule`, `cylinder`, `cone`, `tapered_capsule`, `ellipsoid`, `rounded`, `plane`, `hull`, `mesh`, `heightfield`, `asset` or `compound`
bad.toml:18:8: body `ball`: `mass` is the text "heavy"; expected a number above 0
bad.toml:19:15: body `ball`: the quaternion (w, x, y, z) has length 1.004987562112089; expected length 1 to within 1e-6
bad.toml:22:11: body `floor`: a plane cannot move; expected kind = "static"
bad.toml:22:30: body `floor`: `normal` has no direction; expected a vector that is not zero
bad.toml:24:1: body `floor`: `mass` and `density` are both given; expected exactly one of them
bad.toml:27:9: body `d`: `shape` has more than one key; expected exactly one of `sphere`, `box`, `capsule`, `cylinder`, `cone`, `tapered_capsule`, `ellipsoid`, `rounded`, `plane`, `hull`, `mesh`, `heightfield`, `asset` or `compound`
bad.toml:28:8: body `d`: `kind` is the text "dynamc"; did you mean `dynamic`?
bad.toml:31:11: body `e`: inertia tensor breaks the triangle inequality: principal moments 1, 1, 3 kg·m², and no rigid body has one that exceeds the sum of the others; expected a symmetric, positive tensor, as rows, that obeys the triangle inequality
bad.toml:34:17: body `e`: unknown key `yaw`; did you mean `yaw_deg`?
bad.toml:35:1: body 6: the key `name` is missing; expected `name`: a text in quotes
bad.toml:35:1: body 6: it has no `shape`; expected `shape`
bad.toml:41:15: body `f`: the quaternion (w, x, y, z) has length 1.004987562112089; expected length 1 to within 1e-6
bad.toml:42:11: body `f`: inertia tensor breaks the triangle inequality: principal moments 1, 1, 3 kg·m², and no rigid body has one that exceeds the sum of the others; expected a symmetric, positive tensor, as rows, that obeys the triangle inequality
bad.toml:43:12: body `f`: `position` is 5; expected a list of 3 numbers
bad.toml:47:5: joint `j`: there is no body named `bal`; did you mean `ball`?
bad.toml:48:5: joint `j`: there is no body named `wrold`; did you mean `world`?
bad.toml:49:8: joint `j`: `axis` has no direction; expected a vector that is not zero
bad.toml:50:10: joint `j`: the lower limit 1 is above the upper limit -1; expected [lower, upper]
bad.toml:51:1: joint `k`: the key `a` is missing; expected `a`: a text in quotes
bad.toml:51:1: joint `k`: the key `b` is missing; expected `b`: a text in quotes
bad.toml:51:1: joint `k`: the key `axis` is missing; expected `axis`: a list of 3 numbers
bad.toml:53:8: joint `k`: `type` is the text "hing"; did you mean `hinge`?
bad.toml:57:1: field `drag`: air around a planet of a `radius` thins out; expected `scale_height` too
bad.toml:61:9: agent `constant-wrench`: it ends at -1 s, before it begins at 0 s; expected `until` after `from`
bad.toml:62:1: agent 2: the key `type` is missing; expected `type`: one of `constant-wrench`, `pd-attitude`, `velocity-command`, `docking` or `control-schedule`
bad.toml:63:8: agent 2: there is no body named `x`; expected `ball`, `floor`, `d`, `e` or `f`
bad.toml:64:2: scene: unknown key `output`; expected `format`, `world`, `material`, `import`, `body`, `joint`, `coupling`, `actuator`, `keyframe`, `field`, `agent` or `record`"#;
    assert_eq!(problems(scene), told);
}

#[test]
fn a_joint_of_an_unknown_type_does_not_hide_its_other_problems() {
    let scene = r#"format = 1
[[body]]
name = "a"
mass = 1
shape = { sphere = { radius = 1 } }
[[joint]]
name = "misspelt"
type = "hing"
a = "a"
b = "nobody"
anchor = [0, 0]
axis = [0, 0, 0]
[[joint]]
name = "unsaid"
a = "nowhere"
b = "a"
anchor = [0, 0, 0]
[[joint]]
name = "unheard"
type = "velcro"
a = "a"
b = "a"
strength = 3
"#;
    let told = r#"bad.toml:8:8: joint `misspelt`: `type` is the text "hing"; did you mean `hinge`?
bad.toml:10:5: joint `misspelt`: there is no body named `nobody`; expected `a` or `world`
bad.toml:11:10: joint `misspelt`: `anchor` is a list of 2 values; expected a list of 3 numbers
bad.toml:12:8: joint `misspelt`: `axis` has no direction; expected a vector that is not zero
bad.toml:13:1: joint `unsaid`: the key `type` is missing; expected `type`: one of `fixed`, `ball`, `hinge`, `slider`, `universal`, `distance`, `rope`, `spring` or `latch`
bad.toml:15:5: joint `unsaid`: there is no body named `nowhere`; expected `a` or `world`
bad.toml:20:8: joint `unheard`: `type` is the text "velcro"; expected one of `fixed`, `ball`, `hinge`, `slider`, `universal`, `distance`, `rope`, `spring` or `latch`"#;
    assert_eq!(problems(scene), told);
}

#[test]
fn a_table_in_place_of_a_list_and_a_foreign_version_are_named() {
    let told = r#"bad.toml:1:10: scene: `format` is 2; expected a whole number equal to 1
bad.toml:2:1: scene: `body` is a table; expected a list of tables"#;
    assert_eq!(problems("format = 2\n[body]\nname = 3\n"), told);
}

#[test]
fn what_is_not_toml_is_a_syntax_error_with_its_place() {
    let told = r#"bad.toml:2:6: syntax: string values must be quoted, expected literal string"#;
    assert_eq!(problems("[world]\ndt = 1 2\n"), told);
}

#[test]
fn bodies_that_cannot_be_are_refused_by_name() {
    let scene = r#"format = 1
[[body]]
name = "flat"
mass = 1
shape = { hull = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] } }
[[body]]
name = "outside"
mass = 1
shape = { mesh = { file = "../x.stl" } }
[[body]]
name = "far"
mass = 1
position = [1e10, 0, 0]
shape = { sphere = { radius = 1 } }
[[body]]
name = "light"
shape = { sphere = { radius = 1 } }
[[body]]
name = "still"
kind = "static"
velocity = [1, 0, 0]
shape = { box = { size = [1, 0, 1] } }
[[body]]
name = "world"
mass = 1
shape = { sphere = { radius = 1 } }
"#;
    let told = r#"bad.toml:5:9: body `flat`: the 4 points lie in one plane: their hull has no volume
bad.toml:9:27: body `outside`: `../x.stl` is not inside the folder of the scene; expected a file in the folder of the scene
bad.toml:13:12: body `far`: at 1e10 m from the origin neighbouring positions are 2.220446049250313e-6 m apart, coarser than the 1e-6 m this engine promises; move the origin closer
bad.toml:15:1: body `light`: a dynamic body needs a mass; expected `mass` or `density`
bad.toml:21:12: body `still`: a body that nothing moves has a `velocity`; expected zero, or kind = "dynamic" or "kinematic"
bad.toml:22:30: body `still`: `shape.box.size[1]` is 0; expected a number above 0
bad.toml:24:8: a body cannot be named `world`: joints use that name for what does not move; expected another name"#;
    assert_eq!(problems(scene), told);
}

#[test]
fn a_bad_required_key_does_not_hide_the_other_problems_of_its_part() {
    let scene = r#"format = 1
[[body]]
orientation = { w = 2, x = 0, y = 0, z = 0 }
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 3]]
ignores = ["nobody"]
[[body]]
name = "ghost"
mass = 1
[[body]]
name = "cloud"
mass = 1
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[joint]]
type = "hinge"
name = 3
a = "cloud"
b = "clud"
axis = "up"
limits = [1, -1]
"#;
    let told = r#"bad.toml:2:1: body 1: the key `name` is missing; expected `name`: a text in quotes
bad.toml:2:1: body 1: a dynamic body needs a mass; expected `mass` or `density`
bad.toml:2:1: body 1: it has no `shape`; expected `shape`
bad.toml:3:15: body 1: the quaternion (w, x, y, z) has length 2; expected length 1 to within 1e-6
bad.toml:4:11: body 1: inertia tensor breaks the triangle inequality: principal moments 1, 1, 3 kg·m², and no rigid body has one that exceeds the sum of the others; expected a symmetric, positive tensor, as rows, that obeys the triangle inequality
bad.toml:5:12: body 1: there is no body named `nobody`; expected `ghost` or `cloud`
bad.toml:6:1: body `ghost`: it has no `shape`; expected `shape`
bad.toml:15:8: joint 1: `name` is 3; expected a text in quotes
bad.toml:17:5: joint 1: there is no body named `clud`; did you mean `cloud`?
bad.toml:18:8: joint 1: `axis` is the text "up"; expected a list of 3 numbers
bad.toml:19:10: joint 1: the lower limit 1 is above the upper limit -1; expected [lower, upper]"#;
    assert_eq!(problems(scene), told);
}

#[test]
fn json_is_read_by_the_same_rules() {
    let told = r#"bad.json:2:18: world: `dt` is null; expected a number above 0
bad.json:2:24: world: unknown key `gravitty`; did you mean `gravity`?"#;
    assert_eq!(json_problems("{\"format\": 1,\n \"world\": {\"dt\": null, \"gravitty\": [0, 0, 0]}}"), told);
    assert_eq!(json_problems("[1]"), "bad.json:1:1: a scene is a table, not a list of 1 value; expected `{`");
}

#[test]
fn a_scene_made_by_a_program_is_checked_too() {
    let mut scene = Scene::parse_str("good.toml", "format = 1\n", Format::Toml).unwrap();
    let joint = "type = \"ball\"\nname = \"j\"\na = \"a\"\nb = \"world\"";
    scene.joint = vec![toml::from_str(joint).unwrap()];
    let told = r#"good.toml: joint[0].a: joint `j`: there is no body named `a`; expected `world`"#;
    assert_eq!(scene.build().unwrap_err().to_string(), told);
}

#[test]
fn a_heightfield_asks_for_numbers_and_not_for_tables() {
    let scene = r#"format = 1
[[body]]
name = "ground"
kind = "static"
shape = { heightfield = { columns = 2, spacing = [1, 1], heights = [0, 1] } }
"#;
    let told = "bad.toml:5:68: body `ground`: `shape.heightfield.heights` is a list of 2 values; expected a list of 4 or more numbers";
    assert_eq!(problems(scene), told);
}
