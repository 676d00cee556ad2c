//! Untrusted text in every output.

use std::process::Command;

use super::place::Place;

/// A title with everything that some output obeys.
const TITLE: &str = "a`|</details><!--@team \\u001b[31m\\u202e\\\"; DROP --> [x](http://y)";

fn place() -> Place {
    let doc = "\u{1b}[31m\u{202e}`|</details>@team\u{7}";
    let test = format!("/** {doc} */\nexport function f(a = '{doc}') {{}}\ntest(\"{TITLE}\", () => {{ f(); }});\n");
    Place::with(&[("a.test.ts", &test), ("p`|<b>@team.py", &format!("def g():\n    '''{doc}'''\ng()\n"))])
}

fn output(place: &Place, arguments: &[&str]) -> String {
    let output = place.run(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// No output holds what a terminal obeys, or what turns text around.
#[test]
fn no_output_holds_control_or_bidirectional_characters() {
    let place = place();
    for arguments in [
        &["query", "find_symbol", "f"][..],
        &["query", "find_symbol", "team"],
        &["query", "outline", "a.test.ts"],
        &["query", "callers", "f"],
        &["export", "--format", "json"],
        &["export", "--format", "dot"],
        &["export", "--format", "mermaid"],
        &["export", "--format", "dot", "--level", "symbol"],
        &["export", "--format", "mermaid", "--level", "symbol"],
    ] {
        let text = output(&place, arguments);
        let bad =
            |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.contains(bad), "{arguments:?}: {text:?}");
    }
}

#[test]
fn json_stays_json() {
    let text = output(&place(), &["export", "--format", "json", "--level", "all"]);
    let graph: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(graph.to_string().contains("</details>"), "the title is there: {text}");
}

#[test]
fn markdown_stays_one_comment() {
    let place = place();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]).args(arguments);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(command.current_dir(place.root()).status().unwrap().success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    place.write("p`|<b>@team.py", "def g(x, y):\n    return x\ng()\n");
    let text = output(&place, &["query", "--format", "markdown", "changed_callers", "HEAD"]);
    // Names stand in code, where a review system obeys nothing; a backtick in them takes two around.
    let outside: String = text.split("``").step_by(2).collect();
    assert!(text.contains("``p`|<b>@team.py:3``"), "{text}");
    assert!(!outside.contains("<b>") && !outside.contains("@team"), "{text}");
}
