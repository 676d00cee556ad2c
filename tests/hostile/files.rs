//! Files as no editor leaves them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use super::place::Place;

#[test]
fn any_encoding_and_any_line_ends_are_read() {
    let place = Place::new();
    let text = "def f(): pass\nf()\n";
    let utf16 =
        |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect() };
    let files: [(&str, Vec<u8>); 9] = [
        ("plain.py", text.into()),
        ("bom.py", format!("\u{feff}{text}").into()),
        ("cr.py", text.replace('\n', "\r").into()),
        ("crlf.py", text.replace('\n', "\r\n").into()),
        ("little.py", utf16(u16::to_le_bytes)),
        ("big.py", utf16(u16::to_be_bytes)),
        ("latin.py", [b"# coding: latin-1\n# \xe9\xff\n", text.as_bytes()].concat()),
        ("open.py", text.trim_end().into()),
        ("invalid.py", [b"# \xff\xfe\xc3\n", text.as_bytes()].concat()),
    ];
    for (path, bytes) in &files {
        place.write(path, bytes);
    }
    place.write("empty.py", "");
    let summary = place.fresh("graph.db");
    // Each has a module, a function, and one call besides what it defines.
    assert_eq!(summary.number("symbols"), 2 * files.len() as u64 + 1);
    assert_eq!(summary.number("edges"), 2 * files.len() as u64);
}

#[test]
fn a_nul_byte_ends_nothing() {
    let place = Place::new();
    place.write("nul.py", b"x = '\0'\n\0\ndef f(): pass\n");
    let summary = place.fresh("graph.db");
    assert_eq!(summary.0["skipped"].as_object().unwrap().len() as u64 + summary.number("files"), 1);
}

#[test]
fn names_of_any_bytes_are_escaped() {
    let place = Place::new();
    for name in [&b"new\nline.py"[..], b"quote\"'.py", b"not\xffutf8.py", b"100%.py", b"\x1b[31mred.py"] {
        fs::write(place.root().join(OsStr::from_bytes(name)), "def f(): pass\n").unwrap();
    }
    assert_eq!(place.fresh("graph.db").number("files"), 5);
    let database = place.database("graph.db");
    let output = place.run(&["query", "find_symbol", "f", "--db", database.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !text.trim_end().contains(|c: char| c.is_control()), "{text:?}");
    assert!(text.contains("new%0Aline.py") && text.contains("not%FFutf8.py"), "{text}");
}

#[test]
fn what_is_no_file_is_passed_over() {
    let place = Place::with(&[("a.py", "def a(): pass\n")]);
    let made = Command::new("mkfifo").arg(place.root().join("pipe.py")).status().unwrap();
    assert!(made.success());
    std::os::unix::net::UnixListener::bind(place.root().join("socket.py")).unwrap();
    symlink(".", place.root().join("circle")).unwrap();
    symlink("loop.py", place.root().join("loop.py")).unwrap();
    symlink("/etc", place.root().join("outside")).unwrap();
    fs::create_dir(place.root().join("directory.py")).unwrap();
    let summary = place.fresh("graph.db");
    assert_eq!(summary.number("files"), 1);
    assert_eq!(summary.skipped("special"), 2, "{summary:?}");
}

/// The superuser may read everything: then nothing is left out.
#[test]
fn what_may_not_be_read_is_left_out() {
    let place = Place::with(&[("a.py", "def a(): pass\n"), ("secret.py", "s = 1\n"), ("closed/b.py", "b = 1\n")]);
    let allow =
        |path: &str, mode| fs::set_permissions(place.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    allow("secret.py", 0);
    allow("closed", 0);
    let superuser = fs::read(place.root().join("secret.py")).is_ok();
    let output = place.run(&["index", "--json", "--db", place.database("graph.db").to_str().unwrap()]);
    allow("closed", 0o755);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["files"], if superuser { 3 } else { 1 }, "{output:?}");
}

/// Files come and go, and turn into directories, while runs go on; afterwards the graph is that of a fresh run.
#[test]
fn files_that_vanish_during_a_run() {
    let place = Place::with(&[("steady.py", "def s(): pass\n")]);
    let database = place.database("graph.db");
    let unsteady = |at: usize| place.root().join(format!("u{at}.py"));
    for round in 0..6 {
        (0..60).for_each(|at| fs::write(unsteady(at), format!("def u{round}(): pass\n")).unwrap());
        let run = place.program(&["index", "-q", "--db", database.to_str().unwrap()]).spawn().unwrap();
        for at in 0..60 {
            fs::remove_file(unsteady(at)).unwrap();
            if at % 2 == 0 {
                fs::create_dir(unsteady(at)).unwrap();
            }
        }
        let output = run.wait_with_output().unwrap();
        assert!(output.status.code().is_some_and(|code| code != 101), "{output:?}");
        (0..60).step_by(2).for_each(|at| fs::remove_dir(unsteady(at)).unwrap());
    }
    assert_eq!(place.index(&database).digest(), place.fresh("fresh.db").digest());
}
