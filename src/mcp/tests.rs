//! The server over pipes, in front of answers that the tests hold in their hands.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::{Condvar, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::server::{Answers, UnderWay};
use super::*;
use crate::queries::{CATALOG, Call};

/// Answers `at` of each call; some words make it do something else first.
#[derive(Default)]
struct Script {
    /// What `wait` waits for.
    released: Mutex<bool>,
    bell: Condvar,
    under_way: Mutex<Option<UnderWay>>,
}

impl Script {
    fn release(&self) {
        *self.released.lock().unwrap() = true;
        self.bell.notify_all();
    }
}

impl Answers for Script {
    fn warm(&self) {}

    fn answer(&self, call: &Call) -> Result<String, String> {
        let word = call.at.clone().unwrap_or_default();
        match word.as_str() {
            "panic" => panic!("as the test asked"),
            "miss" => return Err("no such thing".to_owned()),
            "wait" => drop(self.bell.wait_while(self.released.lock().unwrap(), |released| !*released).unwrap()),
            _ => {}
        }
        Ok(word)
    }

    fn under_way(&self) -> Option<UnderWay> {
        *self.under_way.lock().unwrap()
    }
}

/// A client in this process.
struct Client {
    to_server: PipeWriter,
    from_server: BufReader<PipeReader>,
    server: JoinHandle<io::Result<()>>,
}

impl Client {
    fn new(script: Arc<Script>, patience: Duration) -> Client {
        let (input, to_server) = io::pipe().unwrap();
        let (from_server, output) = io::pipe().unwrap();
        let lines = Lines::over(|| BufReader::new(input), || output);
        let server = std::thread::spawn(move || serve_over(lines, Server { answers: script, patience }));
        let mut client = Client { to_server, from_server: BufReader::new(from_server), server };
        client.send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}));
        assert_eq!(client.receive()["id"], 0);
        client
    }

    fn send(&mut self, message: Value) {
        writeln!(self.to_server, "{message}").unwrap();
    }

    /// Calls the first tool, so that the script hears `word`.
    fn call(&mut self, id: u32, word: &str) {
        let arguments = json!({"query": "x", "at": word});
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "find_symbol", "arguments": arguments, "_meta": {"progressToken": id}}}));
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from_server.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The id, text and failure of the next answer to a call.
    fn answer(&mut self) -> (u64, String, bool) {
        let answer = self.receive();
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (answer["id"].as_u64().unwrap(), text.to_owned(), result["isError"] == true)
    }

    /// Closes the input; returns what still came, once the server has ended.
    fn end(self) -> Vec<Value> {
        drop(self.to_server);
        let rest = self.from_server.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        self.server.join().unwrap().unwrap();
        rest
    }
}

fn start() -> (Arc<Script>, Client) {
    let script = Arc::new(Script::default());
    (script.clone(), Client::new(script, PATIENCE))
}

#[test]
fn a_panic_inside_a_tool_is_answered_and_the_server_lives() {
    let (_, mut client) = start();
    client.call(1, "panic");
    let (id, text, failed) = client.answer();
    assert!(id == 1 && failed && text.contains("the server goes on"), "{text}");
    client.call(2, "hello");
    assert_eq!(client.answer(), (2, "hello".to_owned(), false));
    assert!(client.end().is_empty());
}

#[test]
fn a_miss_is_an_error_result() {
    let (_, mut client) = start();
    client.call(1, "miss");
    assert_eq!(client.answer(), (1, "no such thing".to_owned(), true));
}

#[test]
fn calls_do_not_wait_for_each_other() {
    let (script, mut client) = start();
    client.call(1, "wait");
    client.call(2, "at once");
    assert_eq!(client.answer().0, 2);
    script.release();
    assert_eq!(client.answer(), (1, "wait".to_owned(), false));
}

#[test]
fn more_calls_than_there_are_threads_are_all_answered() {
    let (script, mut client) = start();
    for id in 1..=40 {
        client.call(id, "wait");
    }
    script.release();
    let mut ids: Vec<u64> = (1..=40).map(|_| client.answer().0).collect();
    ids.sort();
    assert_eq!(ids, (1..=40).collect::<Vec<_>>());
}

#[test]
fn a_cancelled_call_is_not_answered() {
    let (script, mut client) = start();
    client.call(1, "wait");
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    client.call(2, "after");
    assert_eq!(client.answer().0, 2);
    script.release();
    assert!(client.end().is_empty());
}

#[test]
fn a_call_during_indexing_says_how_far_it_is() {
    let script = Arc::new(Script::default());
    *script.under_way.lock().unwrap() = Some(UnderWay::Indexing { done: 3, total: 7 });
    let mut client = Client::new(script.clone(), Duration::ZERO);
    client.call(1, "wait");
    assert_eq!(client.answer(), (1, "indexing, 3 of 7 files; ask again in a moment".to_owned(), true));
    script.release();
}

#[test]
fn progress_is_told_to_who_asked_for_it() {
    let (script, mut client) = start();
    *script.under_way.lock().unwrap() = Some(UnderWay::Indexing { done: 3, total: 7 });
    client.call(1, "wait");
    let heard = client.receive();
    assert_eq!(heard["method"], "notifications/progress");
    assert_eq!(heard["params"], json!({"progressToken": 1, "progress": 3.0, "total": 7.0, "message": "indexing"}));
    script.release();
    assert_eq!(client.answer().0, 1);
}

#[test]
fn what_is_under_way_is_answered_after_the_end_of_input() {
    let (script, mut client) = start();
    client.call(1, "wait");
    client.send(json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
    // The ping's answer says that the call was taken before.
    assert_eq!(client.receive()["id"], 2);
    script.release();
    let rest = client.end();
    assert!(matches!(&rest[..], [answer] if answer["id"] == 1), "{rest:?}");
}

#[test]
fn bad_arguments_are_results_that_name_the_key_and_the_nearest() {
    let (_, mut client) = start();
    for (name, arguments, words) in [
        ("callers", json!({"symbl": "x"}), ["symbl", "symbol"]),
        ("callers", json!({"symbol": 1}), ["symbol", "string"]),
        ("caller", json!({}), ["caller", "callers"]),
    ] {
        let params = json!({"name": name, "arguments": arguments});
        client.send(json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params}));
        let (_, text, failed) = client.answer();
        assert!(failed && words.iter().all(|word| text.contains(word)), "{text}");
    }
    client.send(
        json!({"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "callers", "arguments": 3}}),
    );
    assert_eq!(client.receive()["error"]["code"], -32602);
}

/// What a client pays for with every conversation.
#[test]
fn the_list_of_tools_and_the_instructions_are_lean() {
    let (_, mut client) = start();
    client.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let first = client.receive();
    client.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert_eq!(client.receive(), first);
    let tools = first["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), CATALOG.len());
    let size = first.to_string().len();
    assert!(size <= 8 * 1024, "{size} bytes");
    for tool in tools {
        let described = tool["description"].as_str().unwrap();
        assert!(described.len() < 300, "{described}");
        let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        assert!(hints.iter().all(|hint| tool["annotations"][hint].is_boolean()), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert!(["$schema", "title"].iter().all(|key| tool["inputSchema"].get(key).is_none()), "{tool}");
        assert!(tool.get("outputSchema").is_none() && tool.get("title").is_none(), "{tool}");
    }
    assert!(server::INSTRUCTIONS.len() < 600, "{} bytes", server::INSTRUCTIONS.len());
}
