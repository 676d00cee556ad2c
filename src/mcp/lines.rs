//! The wire: one JSON-RPC message a line, read and written by two threads.
//!
//! Knows messages, not what they ask for. The end of input is the end of the connection, whenever it comes; lines that
//! are no message, too long, or of no use before the handshake are passed over, so that they end nothing. A request
//! whose id can be read gets an answer even when the rest of it cannot.

use std::io::{self, BufRead, Read, Write};

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorCode, ErrorData, GetMeta as _, JsonRpcMessage, ProtocolVersion, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// Longest line that is read, in bytes. What an agent asks fits into a few hundred.
const MAX_LINE_BYTES: usize = 4 << 20;
/// Messages that wait in either direction before the other side is made to wait.
const QUEUE: usize = 64;

type Incoming = RxJsonRpcMessage<RoleServer>;
type Outgoing = TxJsonRpcMessage<RoleServer>;

/// A connection.
pub struct Lines {
    incoming: mpsc::Receiver<Line>,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    /// Ends with the thread that writes.
    written: oneshot::Receiver<()>,
    /// A request was seen that begins a session. What is no request is of no use before, and would end the connection.
    opened: bool,
}

/// What one line turned out to be.
enum Line {
    Message(Box<Incoming>),
    /// No message, but a request that can be answered with this.
    Refused(Box<Outgoing>),
}

impl Lines {
    /// Standard input and output.
    pub fn stdio() -> Lines {
        Lines::over(|| io::stdin().lock(), || io::stdout().lock())
    }

    /// Starts the two threads. They end with the process at the latest: a read cannot be interrupted.
    pub fn over<I, O>(input: impl FnOnce() -> I + Send + 'static, output: impl FnOnce() -> O + Send + 'static) -> Lines
    where
        I: BufRead,
        O: Write,
    {
        let (to_server, incoming) = mpsc::channel(QUEUE);
        let (outgoing, from_server) = mpsc::channel(QUEUE);
        let (done, written) = oneshot::channel();
        std::thread::spawn(move || read(input(), &to_server));
        std::thread::spawn(move || {
            write(output(), from_server);
            // The other side may be gone already.
            let _ = done.send(());
        });
        Lines { incoming, outgoing: Some(outgoing), written, opened: false }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: Outgoing) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            outgoing.ok_or_else(closed)?.send(message).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            let line = tokio::select! {
                line = self.incoming.recv() => line?,
                // Nobody reads our answers any more.
                _ = &mut self.written => return None,
            };
            match line {
                Line::Message(message) => {
                    self.opened |= begins_session(&message);
                    if self.opened || matches!(*message, JsonRpcMessage::Request(_)) {
                        return Some(*message);
                    }
                }
                Line::Refused(reply) => self.send(*reply).await.ok()?,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        if self.outgoing.take().is_some() {
            // What was sent must be out before the process ends. An error here means just that it is.
            let _ = (&mut self.written).await;
        }
        Ok(())
    }
}

/// Whether a message is a handshake of the older protocol, or a request of the newer one that needs none. The others are
/// answered one by one.
fn begins_session(message: &Incoming) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let version = meta.protocol_version().filter(|version| ProtocolVersion::KNOWN_VERSIONS.contains(version));
            version.is_some() && meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        }
    }
}

fn read(mut input: impl BufRead, to_server: &mpsc::Sender<Line>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line) {
            // The end, or a half line before it: a message ends with its line.
            Ok(_) if line.last() != Some(&b'\n') && line.len() <= MAX_LINE_BYTES => return,
            Ok(_) if line.len() > MAX_LINE_BYTES => {
                if line.last() != Some(&b'\n') && input.skip_until(b'\n').is_err() {
                    return;
                }
                continue;
            }
            Ok(_) => {}
            Err(_) => return,
        }
        if let Some(line) = parse(&line)
            && to_server.blocking_send(line).is_err()
        {
            return;
        }
    }
}

fn write(mut output: impl Write, mut from_server: mpsc::Receiver<Outgoing>) {
    while let Some(message) = from_server.blocking_recv() {
        let mut line = serde_json::to_vec(&message).expect("messages are serializable");
        line.push(b'\n');
        if output.write_all(&line).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

/// Reads one line. `None`: nothing that could be answered.
fn parse(line: &[u8]) -> Option<Line> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if let Ok(message) = serde_json::from_slice::<Incoming>(line) {
        return Some(Line::Message(Box::new(message)));
    }
    let value: Value = serde_json::from_slice(line).ok()?;
    let id: RequestId = serde_json::from_value(value.get("id")?.clone()).ok()?;
    value.get("method")?;
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, "not a JSON-RPC 2.0 request", None);
    Some(Line::Refused(Box::new(Outgoing::error(error, Some(id)))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let (to_server, mut incoming) = mpsc::channel(QUEUE);
        read(input, &to_server);
        drop(to_server);
        std::iter::from_fn(|| incoming.blocking_recv()).collect()
    }

    fn ping(id: u32) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n")
    }

    #[test]
    fn lines_that_are_no_message_are_passed_over() {
        let long = "x".repeat(MAX_LINE_BYTES + 10);
        let exactly = "y".repeat(MAX_LINE_BYTES);
        for noise in ["", "garbage", "{", "[1,2]", "\u{0}", "{\"a\":1}", "Content-Length: 12\r", &long, &exactly] {
            let found = lines(format!("{noise}\n{}", ping(1)).as_bytes());
            assert!(matches!(found[..], [Line::Message(_)]), "{}", &noise[..noise.len().min(20)]);
        }
        assert!(lines(ping(1).trim_end().as_bytes()).is_empty(), "a half line is no message");
    }

    /// A request in which some bytes are not what they were.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let whole =
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"callers","arguments":{"symbol":"a"}}}"#;
        let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
        changes.prop_map(move |changes| {
            let mut bytes = whole.as_bytes().to_vec();
            changes.into_iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = byte);
            bytes
        })
    }

    proptest! {
        #[test]
        fn whatever_was_before_a_request_is_read(
            noise in prop_oneof![damaged(), prop::collection::vec(any::<u8>(), 0..300)],
        ) {
            let found = lines(&[noise.as_slice(), b"\n", ping(1).as_bytes()].concat());
            let is_ping = matches!(found.last(), Some(Line::Message(message)) if format!("{message:?}").contains("Ping"));
            prop_assert!(is_ping);
        }
    }

    #[test]
    fn a_request_with_a_readable_id_is_answered() {
        for request in [r#"{"id":"a","method":"ping"}"#, r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#] {
            let found = lines(format!("{request}\n").as_bytes());
            let [Line::Refused(reply)] = &found[..] else { panic!("{request}") };
            let reply = serde_json::to_value(reply).unwrap();
            assert_eq!((&reply["id"], &reply["error"]["code"]), (&"a".into(), &(-32600).into()), "{request}");
        }
    }
}
