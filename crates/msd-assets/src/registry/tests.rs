//! Tests of the registry.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    time::Instant,
};

use msd::{math::Vec3, physics::rigid_body::Material};
use tempfile::TempDir;

use super::*;
use crate::{Collision, Color, MassTemplate, codec, generate::Solid};

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assets.db");
    (folder, path)
}

fn cube(name: &str) -> Asset {
    Solid::cube(1.0).asset(name).unwrap()
}

fn full_asset() -> Asset {
    Asset {
        material: Material {
            friction: 0.9,
            restitution: 0.3,
            rolling_friction: 0.001,
            torsional_friction: 0.002,
        },
        mass: MassTemplate::Density(2700.0),
        color: Some(Color { r: 255, g: 128, b: 0 }),
        collision: Some(Collision::Mesh(cube("x").visual.unwrap())),
        ..cube("bracket")
    }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, AssetError>) -> String {
    result.unwrap_err().to_string()
}

/// Changes the file behind the registry's back, as a foreign program could.
fn tamper(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn what_goes_in_comes_out_by_name_and_by_id_in_another_process_too() {
    let (_folder, path) = folder();
    let (ball, bracket) = (Solid::Sphere { radius: 0.1 }.asset("ball").unwrap(), full_asset());
    let mut registry = AssetRegistry::create(&path).unwrap();
    let ids = registry.insert_all(&[ball.clone(), bracket.clone()]).unwrap();
    drop(registry);
    for registry in [AssetRegistry::open(&path), AssetRegistry::open_read_only(&path)] {
        let registry = registry.unwrap();
        assert_eq!(*registry.get("ball").unwrap().unwrap(), ball);
        assert_eq!(*registry.get_by_id(ids[1]).unwrap().unwrap(), bracket);
        assert_eq!(registry.id_of("bracket").unwrap(), Some(ids[1]));
        assert!(
            registry.get("nothing").unwrap().is_none() && registry.get_by_id(AssetId(77)).unwrap().is_none()
        );
        let names: Vec<String> = registry.list().unwrap().into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["ball", "bracket"]);
        assert_eq!(registry.verify().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn an_asset_is_loaded_once_and_again_only_after_a_foreign_change() {
    let (_folder, path) = folder();
    let mut writer = AssetRegistry::create(&path).unwrap();
    writer.insert(&cube("a")).unwrap();
    let reader = AssetRegistry::open_read_only(&path).unwrap();
    let first = reader.get("a").unwrap().unwrap();
    assert!(Arc::ptr_eq(&first, &reader.get("a").unwrap().unwrap()));
    writer.remove("a").unwrap();
    let bigger = Solid::cube(2.0).asset("a").unwrap();
    writer.insert(&bigger).unwrap();
    assert_eq!(*reader.get("a").unwrap().unwrap(), bigger);
    assert_eq!(*first, cube("a"), "who holds the old one keeps it");
}

#[test]
fn names_are_unique_ids_are_never_reused_and_a_batch_is_all_or_nothing() {
    let mut registry = AssetRegistry::in_memory().unwrap();
    let first = registry.insert(&cube("a")).unwrap();
    assert!(matches!(registry.insert(&cube("a")), Err(AssetError::NameTaken(name)) if name == "a"));
    assert!(registry.insert_all(&[cube("b"), cube("a")]).is_err());
    assert!(registry.get("b").unwrap().is_none());
    assert!(registry.remove("a").unwrap() && !registry.remove("a").unwrap());
    assert!(registry.get_by_id(first).unwrap().is_none());
    assert!(registry.insert(&cube("a")).unwrap() > first);
    assert!(refusal(registry.insert(&Asset::new("empty"))).contains("neither"));
}

#[test]
fn lists_count_vertices_and_triangles_without_decoding() {
    let mut registry = AssetRegistry::in_memory().unwrap();
    registry.insert_all(&[cube("cube"), Solid::Icosahedron { edge: 1.0 }.asset("ico").unwrap()]).unwrap();
    let [cube, ico] = &registry.list().unwrap()[..] else { panic!("two assets") };
    let head = |kind, vertices, triangles| Some(Ok(codec::GeometryHead { kind, vertices, triangles }));
    assert_eq!((&cube.visual, &cube.collision), (&head("mesh", 8, 12), &head("box", 0, 0)));
    assert_eq!((&ico.visual, &ico.collision), (&head("mesh", 12, 20), &head("hull", 12, 0)));
}

#[test]
fn a_database_of_version_1_is_migrated_or_read_as_it_is() {
    let (_folder, path) = folder();
    let old = Connection::open(&path).unwrap();
    schema::create_version_1(&old).unwrap();
    let mesh = cube("a").visual.unwrap();
    old.execute(
        "INSERT INTO asset (name, mass, friction, restitution, visual) VALUES ('old', 2.5, 0.4, 0.1, ?1)",
        [codec::encode_mesh(&mesh).unwrap()],
    )
    .unwrap();
    drop(old);
    let expected = Asset {
        visual: Some(mesh),
        mass: MassTemplate::Mass(2.5),
        material: Material { friction: 0.4, restitution: 0.1, ..Material::default() },
        ..Asset::new("old")
    };
    let before = fs::read(&path).unwrap();
    let reader = AssetRegistry::open_read_only(&path).unwrap();
    assert_eq!(*reader.get("old").unwrap().unwrap(), expected);
    assert_eq!(fs::read(&path).unwrap(), before, "reading changes nothing");
    assert_eq!(reader.file_version(), 1);

    let mut writer = AssetRegistry::open(&path).unwrap();
    assert_eq!(*writer.get("old").unwrap().unwrap(), expected);
    writer.insert(&full_asset()).unwrap();
    drop((reader, writer));
    let connection = Connection::open(&path).unwrap();
    assert_eq!(crate::sqlite::user_version(&connection).unwrap(), SCHEMA_VERSION);
    assert_eq!(*AssetRegistry::open(&path).unwrap().get("bracket").unwrap().unwrap(), full_asset());
}

#[test]
fn new_and_migrated_files_have_the_same_tables() {
    let columns = |connection: &Connection| -> Vec<(String, String, Option<String>)> {
        let mut statement =
            connection.prepare("SELECT name, type, dflt_value FROM pragma_table_xinfo('asset')").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let mut old = Connection::open_in_memory().unwrap();
    schema::create_version_1(&old).unwrap();
    schema::bring_up_to_date(&mut old).unwrap();
    assert_eq!(columns(&old), columns(&open::in_memory().unwrap()));
}

#[test]
fn files_of_others_are_refused_and_left_as_they_are() {
    let (folder, path) = folder();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "This is not a database, only some text.").unwrap();
    let foreign = folder.path().join("browser.db");
    tamper(&foreign, "CREATE TABLE history (url TEXT); PRAGMA application_id = 42;");
    let newer = folder.path().join("newer.db");
    drop(AssetRegistry::create(&newer).unwrap());
    tamper(&newer, "PRAGMA user_version = 99");
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    let expectations = [
        (path.as_path(), "no such file"),
        (folder.path(), "not an asset database: it is not a file"),
        (&text, "not an asset database: it does not begin as SQLite files do"),
        (
            &foreign,
            "an SQLite database, but not an asset database (application id 0x0000002a, expected 0x4d534441)",
        ),
        (&newer, "version 99, this program knows versions up to 2: update the program"),
        (&empty, "not an asset database: the file is empty"),
    ];
    for (file, expected) in expectations {
        let before = fs::read(file).ok();
        for result in [AssetRegistry::open(file), AssetRegistry::open_read_only(file)] {
            let message = refusal(result);
            assert!(
                message.contains(expected) && message.starts_with(&file.display().to_string()),
                "{message}"
            );
        }
        assert_eq!(fs::read(file).ok(), before);
    }
    assert!(AssetRegistry::open_or_create(&text).is_err());
    assert!(matches!(AssetRegistry::create(&text), Err(AssetError::Exists(_))));
    assert!(AssetRegistry::open_or_create(&empty).is_ok(), "an empty file is a place for a new database");
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let (folder, path) = folder();
    let mut registry = AssetRegistry::create(&path).unwrap();
    registry.insert(&Solid::Sphere { radius: 1.0 }.asset("ball").unwrap()).unwrap();
    drop(registry);
    let whole = fs::read(&path).unwrap();
    let cut = folder.path().join("cut.db");
    for length in [1, 15, 99, 100, 4096, whole.len() / 2, whole.len() - 4096, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).unwrap();
        let message = refusal(AssetRegistry::open_read_only(&cut));
        let expected = if length < 16 { "does not begin" } else { "truncated" };
        assert!(message.contains(expected), "{length}: {message}");
        assert!(AssetRegistry::open(&cut).is_err());
    }
}

#[test]
fn damage_anywhere_in_the_file_is_an_error_or_harmless_but_never_another_asset() {
    let (folder, path) = folder();
    let ball = Solid::Sphere { radius: 1.0 }.asset("ball").unwrap();
    AssetRegistry::create(&path).unwrap().insert(&ball).unwrap();
    let whole = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.db");
    let mut refused = 0;
    for at in (0..whole.len()).step_by(whole.len() / 150) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(&damaged, &bytes).unwrap();
        let read = AssetRegistry::open_read_only(&damaged).and_then(|registry| registry.get("ball"));
        match read {
            Err(_) => refused += 1,
            Ok(found) => assert!(found.is_none_or(|found| found.visual == ball.visual), "byte {at}"),
        }
    }
    assert!(refused > 100, "{refused} of 151 refused");
}

#[test]
fn a_schema_that_is_not_ours_is_refused() {
    let (_folder, path) = folder();
    for (sql, expected) in [
        ("CREATE TRIGGER t AFTER INSERT ON asset BEGIN DELETE FROM asset; END", "it has a trigger \"t\""),
        ("CREATE VIEW v AS SELECT zeroblob(1000000000)", "it has a view \"v\""),
        ("ALTER TABLE asset DROP COLUMN color", "instead of those of version 2"),
        ("ALTER TABLE asset ADD COLUMN x INT AS (length(zeroblob(1000)))", "instead of those of version 2"),
        ("DROP TABLE asset", "has the columns () instead"),
        ("PRAGMA user_version = 0", "its version is 0"),
    ] {
        let _ = fs::remove_file(&path);
        drop(AssetRegistry::create(&path).unwrap());
        tamper(&path, sql);
        for result in [AssetRegistry::open(&path), AssetRegistry::open_read_only(&path)] {
            let message = refusal(result);
            assert!(message.contains("damaged") && message.contains(expected), "{sql}: {message}");
        }
    }
}

#[test]
fn damaged_geometry_is_named_with_its_asset_and_does_not_hide_the_others() {
    let (_folder, path) = folder();
    AssetRegistry::create(&path).unwrap().insert_all(&[cube("bad"), cube("good"), cube("worse")]).unwrap();
    tamper(
        &path,
        "UPDATE asset SET visual = CAST(substr(visual, 1, 50) || x'ff' || substr(visual, 52) AS BLOB) WHERE name = 'bad'; \
         UPDATE asset SET collision = x'00' WHERE name = 'worse'",
    );
    let registry = AssetRegistry::open(&path).unwrap();
    let message = refusal(registry.get("bad"));
    assert!(message.starts_with("asset \"bad\": visual geometry is damaged: checksum"), "{message}");
    assert!(registry.get("good").unwrap().is_some());
    assert_eq!(registry.verify().unwrap().len(), 2);
    assert!(registry.list().unwrap()[2].collision.as_ref().unwrap().is_err());
}

#[test]
fn readers_go_on_while_a_writer_writes_and_a_second_writer_is_told_to_wait() {
    let (_folder, path) = folder();
    let mut second = AssetRegistry::create(&path).unwrap();
    second.insert(&cube("a")).unwrap();
    let readers =
        [AssetRegistry::open_read_only(&path).unwrap(), AssetRegistry::open_read_only(&path).unwrap()];
    let first = Connection::open(&path).unwrap();
    first.execute_batch("BEGIN IMMEDIATE; DELETE FROM asset").unwrap();
    for reader in &readers {
        assert!(reader.get("a").unwrap().is_some(), "what is not committed is not seen");
    }
    second.set_busy_timeout(Duration::from_millis(100)).unwrap();
    let start = Instant::now();
    let refused = second.insert(&cube("b")).unwrap_err();
    assert!(matches!(refused, AssetError::Locked { .. }) && start.elapsed() >= Duration::from_millis(100));
    assert!(
        refused
            .to_string()
            .ends_with("database is locked by another writer (waited 0.1 s): close it or wait")
    );
    assert!(!refused.is_bad_input());
    first.execute_batch("ROLLBACK").unwrap();
    second.insert(&cube("b")).unwrap();
    assert!(readers.iter().all(|reader| reader.get("b").unwrap().is_some()));
}

#[test]
fn many_threads_read_one_registry() {
    let (_folder, path) = folder();
    let mut registry = AssetRegistry::create(&path).unwrap();
    registry.insert(&cube("a")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert!(registry.get("a").unwrap().is_some())));
        }
    });
}

#[test]
fn those_who_create_at_once_get_one_database() {
    for _ in 0..5 {
        let (_folder, path) = folder();
        std::thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let path = &path;
                scope
                    .spawn(move || AssetRegistry::open_or_create(path).unwrap().insert(&cube(name)).unwrap());
            }
        });
        assert_eq!(AssetRegistry::open(&path).unwrap().list().unwrap().len(), 4);
    }
}

#[test]
fn a_registry_opened_for_reading_does_not_write() {
    let (_folder, path) = folder();
    drop(AssetRegistry::create(&path).unwrap());
    let mut registry = AssetRegistry::open_read_only(&path).unwrap();
    assert!(refusal(registry.insert(&cube("a"))).ends_with("opened for reading only"));
    assert!(registry.remove("a").is_err());
}

#[test]
fn at_rest_a_database_is_one_file_and_reading_leaves_it_as_it_was() {
    let (folder, path) = folder();
    AssetRegistry::create(&path).unwrap().insert(&cube("a")).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(AssetRegistry::open_read_only(&path).unwrap().get("a").unwrap().is_some());
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The superuser may write anywhere, so for him the folder of the kernel's settings stands in.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_can_be_read_and_refuses_a_writer_with_the_remedy() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, path) = folder();
    AssetRegistry::create(&path).unwrap().insert(&cube("a")).unwrap();
    let set_mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    let superuser = fs::write(folder.path().join("probe"), "").is_ok();
    let reader = AssetRegistry::open_read_only(&path).unwrap();
    assert!(reader.get("a").unwrap().is_some());
    if !superuser {
        assert!(refusal(AssetRegistry::open(&path)).contains("read-only"));
    }
    let new = if superuser { PathBuf::from("/proc/sys/assets.db") } else { folder.path().join("new.db") };
    let refused = AssetRegistry::open_or_create(&new).unwrap_err();
    assert!(matches!(refused, AssetError::ReadOnly(_)) && !refused.is_bad_input(), "{refused}");
    assert!(AssetRegistry::create(&new).is_err());
    set_mode(0o755);
}

/// Not a test of its own: the process that
/// [`a_writer_killed_in_the_middle_of_a_transaction_loses_nothing_that_was_committed`] starts and kills.
#[test]
fn victim() {
    let Some(path) = std::env::var_os("MSD_TEST_VICTIM") else { return };
    let mut registry = AssetRegistry::open(&path).unwrap();
    registry.insert(&cube("committed by the victim")).unwrap();
    let inner = registry.lock();
    // A cache of few pages makes SQLite write to the log before the commit that never comes.
    inner.connection.execute_batch("PRAGMA cache_size = 4; BEGIN IMMEDIATE").unwrap();
    for i in 0..20 {
        let ball = Solid::Sphere { radius: 1.0 }.asset(format!("lost {i}")).unwrap();
        store::insert(&inner.connection, &store::encode(&ball).unwrap()).unwrap();
    }
    inner.connection.execute_batch("DELETE FROM asset WHERE name = 'before'").unwrap();
    println!("\nin the middle");
    std::io::stdout().flush().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_writer_killed_in_the_middle_of_a_transaction_loses_nothing_that_was_committed() {
    let (_folder, path) = folder();
    AssetRegistry::create(&path).unwrap().insert(&cube("before")).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "registry::tests::victim", "--nocapture", "--test-threads=1"])
        .env("MSD_TEST_VICTIM", &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "in the middle"));
    child.kill().unwrap();
    child.wait().unwrap();
    let log = fs::metadata(path.with_extension("db-wal")).unwrap().len();
    assert!(log > 100_000, "the transaction had reached the log: {log} bytes");

    let mut registry = AssetRegistry::open(&path).unwrap();
    let names: Vec<String> = registry.list().unwrap().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["before", "committed by the victim"]);
    assert_eq!(registry.verify().unwrap(), Vec::<String>::new());
    registry.insert(&cube("after")).unwrap();
    assert_eq!(
        registry.get("before").unwrap().unwrap().visual.as_ref().unwrap().vertices()[7],
        Vec3::splat(0.5)
    );
}
