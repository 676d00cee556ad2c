//! The MCP server as a client sees it: the real program, driven through pipes by a small client that checks every line
//! against the protocol's types.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rmcp::model::{
    CallToolResult, DiscoverResult, InitializeResult, ListToolsResult, ServerJsonRpcMessage, ServerNotification,
};
use serde_json::{Value, json};

use super::place::{Place, program};

/// What this program may print to be called a client's peer.
const OLD_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const NEW_VERSION: &str = "2026-07-28";

/// What the command line prints, without the line break.
fn ask(place: &Place, arguments: &[&str]) -> String {
    place.run(&[&["query"], arguments].concat()).answer().trim_end().to_owned()
}

/// A client of one server process.
struct Client {
    process: Child,
    to_server: Option<ChildStdin>,
    from_server: BufReader<ChildStdout>,
}

impl Client {
    /// Starts the server and shakes no hand.
    fn start(directory: &Path, arguments: &[&str]) -> Client {
        let mut command = program(directory, &["serve"]);
        // Whatever is logged belongs to standard error.
        command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "1");
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let to_server = process.stdin.take();
        let from_server = BufReader::new(process.stdout.take().unwrap());
        Client { process, to_server, from_server }
    }

    /// Starts the server and opens a session of the older protocol.
    fn open(place: &Place) -> Client {
        let mut client = Client::start(&place.path(""), &[]);
        client.initialize("2025-11-25");
        client
    }

    fn initialize(&mut self, version: &str) -> InitializeResult {
        let client = json!({"name": "test", "version": "1"});
        let result =
            self.request("initialize", json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client}));
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        serde_json::from_value(result).unwrap()
    }

    fn line(&mut self, line: &str) {
        let to_server = self.to_server.as_mut().unwrap();
        // A server that has ended already shows by what it has said, or has not.
        let _ = to_server.write_all(line.as_bytes()).and_then(|()| to_server.write_all(b"\n"));
    }

    fn send(&mut self, id: u64, method: &str, parameters: Value) {
        self.line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}).to_string());
    }

    /// The next answer: its id and message.
    fn receive(&mut self) -> (u64, Value) {
        loop {
            let mut line = String::new();
            assert_ne!(self.from_server.read_line(&mut line).unwrap(), 0, "the server has ended");
            let message = check(&line);
            if let Some(id) = message.get("id") {
                return (id.as_u64().unwrap(), message);
            }
        }
    }

    /// The result of a request that must succeed.
    fn request(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.answer(method, parameters);
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    fn answer(&mut self, method: &str, parameters: Value) -> Value {
        self.send(1, method, parameters);
        let (id, answer) = self.receive();
        assert_eq!(id, 1);
        answer
    }

    /// Text of a tool's result, and whether it is an error.
    fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        text(self.request("tools/call", json!({"name": name, "arguments": arguments})))
    }

    /// Closes the input and waits; returns the status and how many lines still came.
    fn end(mut self) -> (ExitStatus, usize) {
        self.to_server = None;
        let mut rest = String::new();
        self.from_server.read_to_string(&mut rest).unwrap();
        rest.lines().for_each(|line| drop(check(line)));
        (self.process.wait().unwrap(), rest.lines().count())
    }
}

/// Checks a line of the server against the types of the protocol.
fn check(line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let message: ServerJsonRpcMessage = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    match message {
        ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_) => {}
        ServerJsonRpcMessage::Notification(notification) => {
            assert!(matches!(notification.notification, ServerNotification::ProgressNotification(_)), "{line}");
        }
        ServerJsonRpcMessage::Request(_) => panic!("the server asks nothing of clients: {line}"),
    }
    // The types above take nearly any object for a result of some kind; nothing may be lost on the way through them.
    assert_eq!(value["jsonrpc"], "2.0");
    value
}

/// Reads a result as the type that it should be and back, so that a misspelt field shows.
fn strict<T: serde::de::DeserializeOwned + serde::Serialize>(result: &Value) -> T {
    let typed: T = serde_json::from_value(result.clone()).unwrap_or_else(|error| panic!("{error}: {result}"));
    assert_eq!(serde_json::to_value(&typed).unwrap(), *result);
    typed
}

fn text(result: Value) -> (String, bool) {
    let typed: CallToolResult = strict(&result);
    assert_eq!(typed.content.len(), 1, "one text, once");
    assert!(typed.structured_content.is_none());
    (result["content"][0]["text"].as_str().unwrap().to_owned(), typed.is_error == Some(true))
}

/// What each request of the newer protocol carries along.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEW_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn each_known_version_is_spoken_and_an_unknown_one_answered_with_the_newest() {
    let place = Place::new();
    for (asked, spoken) in
        OLD_VERSIONS.map(|version| (version, version)).into_iter().chain([("1999-01-01", "2025-11-25")])
    {
        let mut client = Client::start(&place.path(""), &[]);
        let result = client.initialize(asked);
        assert_eq!(result.protocol_version.as_str(), spoken);
        assert!(result.capabilities.tools.is_some() && result.capabilities.resources.is_none());
        assert!(result.instructions.unwrap().len() < 600);
        strict::<ListToolsResult>(&client.request("tools/list", json!({})));
        assert!(client.end().0.success());
    }
}

#[test]
fn the_newer_protocol_needs_no_handshake() {
    let place = Place::new();
    let mut client = Client::start(&place.path(""), &[]);
    let discovered = client.request("server/discover", json!({"_meta": meta()}));
    let discovered: DiscoverResult = strict(&discovered);
    assert!(discovered.supported_versions.iter().any(|version| version.as_str() == NEW_VERSION));
    let tools: ListToolsResult = strict(&client.request("tools/list", json!({"_meta": meta()})));
    assert!(tools.ttl_ms.is_some_and(|milliseconds| milliseconds > 0), "the list may be kept");
    let call = json!({"name": "callers", "arguments": {"symbol": "a:a"}, "_meta": meta()});
    assert_eq!(text(client.request("tools/call", call)), (ask(&place, &["callers", "a:a"]), false));
    assert!(client.end().0.success());
}

#[test]
fn answers_are_the_bytes_of_the_command_line() {
    let place = Place::new();
    let mut client = Client::open(&place);
    for (name, arguments, line) in [
        ("callers", json!({"symbol": "a:a"}), &["callers", "a:a"][..]),
        ("callees", json!({"symbol": "pkg.b:b", "depth": 2}), &["callees", "--depth", "2", "pkg.b:b"]),
        ("find_symbol", json!({"query": "a", "limit": 1}), &["find_symbol", "a", "--limit", "1"]),
        ("stats", json!({"at": "HEAD"}), &["--at", "HEAD", "stats"]),
    ] {
        assert_eq!(client.call(name, arguments), (ask(&place, line), false));
    }
    let (miss, failed) = client.call("callers", json!({"symbol": "no_such_thing"}));
    let output = program(&place.path(""), &["query", "callers", "no_such_thing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((miss + "\n", failed), (String::from_utf8(output.stderr).unwrap(), true));
}

#[test]
fn an_answer_is_never_stale() {
    let place = Place::new();
    let mut client = Client::open(&place);
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));
    place.write("c.py", "import a\n\n\ndef c():\n    return a.a()\n");
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("c:c"));
    place.git(&["rm", "-qf", "pkg/b.py"]);
    assert!(!client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));
    let (at_head, failed) = client.call("callers", json!({"symbol": "a:a", "at": "HEAD"}));
    assert!(!failed && at_head.contains("pkg.b:b") && !at_head.contains("c:c"), "{at_head}");
}

#[test]
fn forty_calls_at_once_are_all_answered() {
    let place = Place::new();
    let right = [ask(&place, &["callers", "a:a"]), ask(&place, &["callees", "pkg.b:b"])];
    fs::remove_dir_all(place.path("").join(".repo-graph")).unwrap();
    let mut client = Client::open(&place);
    for id in 10..50 {
        let (name, symbol) = if id % 2 == 0 { ("callers", "a:a") } else { ("callees", "pkg.b:b") };
        client.send(id, "tools/call", json!({"name": name, "arguments": {"symbol": symbol}}));
    }
    let mut ids = Vec::new();
    for _ in 10..50 {
        let (id, answer) = client.receive();
        assert_eq!(text(answer["result"].clone()), (right[id as usize % 2].clone(), false));
        ids.push(id);
    }
    ids.sort();
    assert_eq!(ids, (10..50).collect::<Vec<_>>());
}

#[test]
fn the_end_of_input_ends_the_server_at_any_moment() {
    let place = Place::new();
    let start = || Client::start(&place.path(""), &[]);
    assert!(start().end().0.success(), "before the handshake");

    let mut client = start();
    client.to_server.as_mut().unwrap().write_all(br#"{"jsonrpc":"2.0","id":1,"meth"#).unwrap();
    assert!(client.end().0.success(), "in the middle of a line");

    let mut client = start();
    client.send(1, "server/discover", json!({"_meta": meta()}));
    assert!(client.end().0.success(), "right after the first request");

    assert!(Client::open(&place).end().0.success(), "after the handshake");

    let mut client = Client::open(&place);
    client.send(7, "tools/call", json!({"name": "callers", "arguments": {"symbol": "a:a"}}));
    let (status, lines) = client.end();
    assert!(status.success() && lines == 1, "a call under way is answered first: {lines}");
}

#[test]
fn noise_ends_nothing() {
    let place = Place::new();
    let mut client = Client::start(&place.path(""), &[]);
    let huge = "x".repeat(8 << 20);
    let huge_request = json!({"jsonrpc": "2.0", "id": 3, "method": "ping", "params": {"x": huge}}).to_string();
    let noise = [
        "",
        "garbage",
        "\u{feff}",
        "{\"jsonrpc\":\"2.0\"",
        "[]",
        "null",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"x"}}"#,
        &"[".repeat(100_000),
        &huge,
        &huge_request,
    ];
    noise.iter().for_each(|line| client.line(line));
    client.initialize("2025-11-25");
    noise.iter().for_each(|line| client.line(line));
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));
    let (status, lines) = client.end();
    assert!(status.success() && lines == 0, "{lines}");
}

/// Requests in which some bytes are not what they were, and bytes that never were any.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    const WHOLE: [&str; 5] = [
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","id":"8","method":"tools/call","params":{"name":"callers","arguments":{"symbol":"a:a"}}}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8,"reason":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ];
    let damaged = (select(&WHOLE[..]), vec((any::<Index>(), any::<u8>()), 0..4)).prop_map(|(whole, changes)| {
        let mut bytes = whole.as_bytes().to_vec();
        changes.into_iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = byte);
        bytes
    });
    prop_oneof![3 => damaged, 1 => vec(any::<u8>(), 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_end_nothing(before in vec(noise(), 0..4), after in vec(noise(), 0..30), end in noise()) {
        const OURS: u64 = 1 << 40;
        let place = Place::new();
        let mut client = Client::start(&place.path(""), &[]);
        let write = |client: &mut Client, lines: &[Vec<u8>]| {
            let to_server = client.to_server.as_mut().unwrap();
            lines.iter().for_each(|line| to_server.write_all(&[line, &b"\n"[..]].concat()).unwrap());
        };
        write(&mut client, &before);
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        client.send(OURS, "initialize", hello);
        client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        write(&mut client, &after);
        client.send(OURS + 1, "tools/call", json!({"name": "callers", "arguments": {"symbol": "a:a"}}));
        let answer = loop {
            let mut line = String::new();
            prop_assert_ne!(client.from_server.read_line(&mut line).unwrap(), 0, "the server has ended");
            let message = check(&line);
            if message["id"] == OURS + 1 {
                break message;
            }
        };
        prop_assert!(answer["result"].to_string().contains("pkg.b:b"), "{answer}");
        client.to_server.as_mut().unwrap().write_all(&end).unwrap();
        prop_assert!(client.end().0.success());
    }
}

#[test]
fn what_the_server_does_not_offer_is_an_error_and_the_session_goes_on() {
    let place = Place::new();
    let mut client = Client::open(&place);
    for method in ["resources/list", "resources/templates/list", "prompts/list", "logging/setLevel", "no/such"] {
        let parameters = if method == "logging/setLevel" { json!({"level": "debug"}) } else { json!({}) };
        assert_eq!(client.answer(method, parameters)["error"]["code"], -32601, "{method}");
    }
    assert_eq!(client.request("ping", json!({})), json!({}));
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#);
    assert!(!client.call("stats", json!({})).1);
}

#[test]
fn the_list_of_tools_is_the_same_everywhere() {
    let mut lists = Vec::new();
    for _ in 0..2 {
        let place = Place::new();
        let mut client = Client::open(&place);
        lists.push(client.request("tools/list", json!({})).to_string());
    }
    assert_eq!(lists[0], lists[1]);
    assert!(lists[0].len() <= 8 * 1024, "{} bytes", lists[0].len());
}

/// Deletes a directory in which the server may just be writing.
fn delete(directory: &Path) {
    while directory.exists() {
        // Something new has come in meanwhile: once more.
        let _ = fs::remove_dir_all(directory);
    }
}

/// The same server, whatever becomes of the database and of the worktree under it.
#[test]
fn the_server_outlives_its_database_and_its_worktree() {
    let place = Place::new();
    let mut client = Client::start(&place.outside(), &["--root", "repo"]);
    client.initialize("2025-11-25");
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));

    delete(&place.path(".repo-graph"));
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));
    assert!(place.path(".repo-graph/graph.db").exists());

    delete(&place.path(""));
    let (said, failed) = client.call("callers", json!({"symbol": "a:a"}));
    assert!(failed, "{said}");
    place.create();
    place.write("c.py", "import a\n\n\ndef c():\n    return a.a()\n");
    let (answer, failed) = client.call("callers", json!({"symbol": "a:a"}));
    assert!(!failed && answer.contains("c:c"), "{answer}");
}

/// Where there is no place for a database answers come from memory, and from the database once there is.
#[test]
fn the_server_goes_back_to_its_database_when_it_can() {
    let place = Place::new();
    place.write(".repo-graph", "not a directory\n");
    let mut client = Client::open(&place);
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("pkg.b:b"));
    place.write("c.py", "import a\n\n\ndef c():\n    return a.a()\n");
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("c:c"));

    fs::remove_file(place.path(".repo-graph")).unwrap();
    place.write("d.py", "import a\n\n\ndef d():\n    return a.a()\n");
    assert!(client.call("callers", json!({"symbol": "a:a"})).0.contains("d:d"));
    assert!(place.path(".repo-graph/graph.db").exists());
    assert_eq!(client.call("callers", json!({"symbol": "a:a"})), (ask(&place, &["callers", "a:a"]), false));
}

#[test]
fn a_bad_configuration_is_an_answer_until_it_is_mended() {
    let place = Place::new();
    place.write(".repo-graph.toml", "exclde = []\n");
    let mut client = Client::open(&place);
    let (said, failed) = client.call("callers", json!({"symbol": "a:a"}));
    assert!(failed && said.contains("exclde"), "{said}");
    place.write(".repo-graph.toml", "exclude = []\n");
    assert!(!client.call("callers", json!({"symbol": "a:a"})).1);
}

#[test]
fn a_root_that_does_not_exist_is_a_usage_error() {
    let directory = tempfile::tempdir().unwrap();
    let output = program(directory.path(), &["serve", "--root", "no/such"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("no/such"));
}
