//! From text to scene: parse, check against the grammar, check the physics; all problems in one go.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path as FilePath;

use serde::de::DeserializeOwned;

use crate::check::{self, Context};
use crate::error::{Finding, SceneErrors, SourceText};
use crate::files::FileAccess;
use crate::grammar::{STAND_IN, Walk};
use crate::model::{BodyKind, Material, Record, Scene};
use crate::source::{self, Format, Node, Path, Value};

/// Largest scene file that is read, bytes.
pub const MAX_BYTES: u64 = 64 << 20;

impl Scene {
    /// Reads a scene file, JSON if its name ends in `.json`, else TOML. Files it names must be in its folder.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn load(path: impl AsRef<FilePath>) -> Result<Scene, SceneErrors> {
        Self::load_with(path, false)
    }

    /// As [`Scene::load`]; `files_outside` lets the scene name files anywhere.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn load_with(path: impl AsRef<FilePath>, files_outside: bool) -> Result<Scene, SceneErrors> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|problem| SceneErrors::unreadable(&shown, problem))?;
        let folder = path.parent().map(FilePath::to_owned).unwrap_or_default();
        let files = FileAccess { folder, outside: files_outside };
        let mut scene = parse(SourceText { name: shown.clone(), text }, Format::of_name(&shown), files)?;
        scene.name = path.file_name().map_or(shown, |name| name.to_string_lossy().into_owned());
        Ok(scene)
    }

    /// Reads a scene from a text; `name` stands for the file in messages, and files it names must be in the current
    /// folder.
    ///
    /// # Errors
    /// Every problem of the text.
    pub fn parse_str(name: &str, text: &str, format: Format) -> Result<Scene, SceneErrors> {
        let mut scene = parse(
            SourceText { name: name.to_owned(), text: text.to_owned() },
            format,
            FileAccess::default(),
        )?;
        scene.name = name.to_owned();
        Ok(scene)
    }
}

/// No more than [`MAX_BYTES`] of any kind of file, endless ones too.
fn read_text(path: &FilePath) -> Result<String, String> {
    let file = File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {} MiB, which no scene is", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("is not a text: byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}

fn parse(source: SourceText, format: Format, files: FileAccess) -> Result<Scene, SceneErrors> {
    let tree = source::parse(&source.text, format).map_err(|errors| {
        let found = errors
            .into_iter()
            .map(|error| (error.span, Finding::at(&Path::root(), format!("syntax: {}", error.message), "")));
        SceneErrors::in_text(&source, found.collect())
    })?;
    let mut reader = Reader::new(&tree, files);
    let scene = reader.scene();
    let mut findings = reader.walk.findings;
    if findings.is_empty() {
        match scene.assemble() {
            Ok(_) => return Ok(scene),
            Err(found) => findings = found,
        }
    }
    Err(SceneErrors::in_tree(&source, &tree, findings))
}

/// Reads the tree part by part, so that a broken part does not hide the problems of the others.
struct Reader<'t> {
    tree: &'t Node,
    walk: Walk<'t>,
    context: Context,
}

impl<'t> Reader<'t> {
    fn new(tree: &'t Node, files: FileAccess) -> Self {
        let items = |key: &str| tree.get(key).and_then(Node::as_list).unwrap_or_default();
        let name = |node: &Node| node.get("name").and_then(Node::as_text).map(str::to_owned);
        let bodies = items("body").iter().filter_map(|body| Some((name(body)?, kind(body)))).collect();
        let materials = match tree.get("material").map(|node| &node.value) {
            Some(Value::Table(entries)) => entries.iter().map(|entry| entry.key.clone()).collect(),
            _ => Vec::new(),
        };
        Self { tree, walk: Walk::new(tree), context: Context { bodies, materials, files, partial: false } }
    }

    fn scene(&mut self) -> Scene {
        let mut scene = Scene { files: self.context.files.clone(), ..Scene::default() };
        let Value::Table(entries) = &self.tree.value else {
            let message = format!("a scene is a table, not {}", self.tree.value);
            self.walk.findings.push(Finding::at(&Path::root(), message, "expected `{`"));
            return scene;
        };
        let keys = self.walk.root_keys();
        self.walk.root_required();
        for entry in entries {
            let at = Path::root().key(&entry.key);
            match entry.key.as_str() {
                "world" => scene.world = self.part(&entry.value, "world", &at).unwrap_or_default(),
                "record" => scene.record = self.part::<Record>(&entry.value, "record", &at),
                "format" => {
                    self.walk.check(&entry.value, self.walk.section("format"), &at);
                }
                "material" => scene.material = self.materials(&entry.value, &at),
                "body" => scene.body = self.list(&entry.value, "body", &at, check::body),
                "joint" => scene.joint = self.list(&entry.value, "joint", &at, check::joint),
                "field" => scene.field = self.list(&entry.value, "field", &at, check::field),
                "agent" => scene.agent = self.list(&entry.value, "agent", &at, check::agent),
                unknown => self.walk.unknown_key(unknown, keys.clone(), &at),
            }
        }
        self.unique_names("body");
        self.unique_names("joint");
        scene
    }

    /// One table of the scene as its model.
    fn part<T: DeserializeOwned>(&mut self, node: &Node, section: &str, at: &Path) -> Option<T> {
        let schema = self.walk.section(section);
        let plain = self.walk.check(node, schema, at)?;
        self.model(plain, at)
    }

    fn model<T: DeserializeOwned>(&mut self, plain: toml::Value, at: &Path) -> Option<T> {
        match plain.try_into() {
            Ok(model) => Some(model),
            Err(error) => {
                let message = format!("{}: {}", self.walk.subject(at), error.message());
                self.walk.findings.push(Finding::at(at, message, ""));
                None
            }
        }
    }

    fn list<T: DeserializeOwned>(
        &mut self,
        node: &Node,
        section: &str,
        at: &Path,
        check: impl Fn(&T, &Path, &Context, &mut Vec<Finding>),
    ) -> Vec<T> {
        let schema = self.walk.section(section);
        let Some(items) = node.as_list() else {
            self.walk.check(node, schema, at);
            return Vec::new();
        };
        let mut models = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let at = at.index(i);
            let before = self.walk.findings.len();
            let Some(plain) = self.walk.check(item, &schema["items"], &at) else { continue };
            let Some(model) = self.model(plain, &at) else { continue };
            self.context.partial = self.walk.findings.len() > before;
            let mut found = Vec::new();
            check(&model, &at, &self.context, &mut found);
            // What is missing from a part that was not read whole may be what could not be read.
            found.retain(|finding| !self.context.partial || finding.path != at);
            found.retain(|finding| !self.walk.is_unread(&finding.path));
            // Whether a body needs a mass or may have a velocity depends on what moves it.
            if self.walk.is_unread(&at.key("kind")) {
                let depends = ["mass", "shape", "velocity", "angular_velocity"].map(|key| at.key(key));
                found.retain(|finding| !depends.iter().any(|path| finding.path.starts_with(path)));
            }
            for finding in &mut found {
                let nameless = format!("{section} `{STAND_IN}`");
                finding.message = finding.message.replace(&nameless, &self.walk.subject(&at));
            }
            self.walk.findings.extend(found);
            models.push(model);
        }
        models
    }

    fn materials(&mut self, node: &Node, at: &Path) -> BTreeMap<String, Material> {
        self.part(node, "material", at).unwrap_or_default()
    }

    fn unique_names(&mut self, section: &str) {
        let items = self.tree.get(section).and_then(Node::as_list).unwrap_or_default();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, item) in items.iter().enumerate() {
            let Some(name) = item.get("name").and_then(Node::as_text) else { continue };
            match seen.get(name) {
                Some(first) => {
                    let at = Path::root().key(section).index(i).key("name");
                    let message =
                        format!("{section} {}: the name `{name}` is taken by {section} {}", i + 1, first + 1);
                    self.walk.findings.push(Finding::at(&at, message, "expected another name"));
                }
                None => {
                    seen.insert(name, i);
                }
            }
        }
    }
}

/// The kind a body says it has, for checks of those that refer to it.
fn kind(body: &Node) -> BodyKind {
    match body.get("kind").and_then(Node::as_text) {
        Some("static") => BodyKind::Static,
        Some("kinematic") => BodyKind::Kinematic,
        Some("graphical") => BodyKind::Graphical,
        _ => BodyKind::Dynamic,
    }
}
