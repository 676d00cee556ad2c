//! The server: the catalog's questions as tools, answered off the reactor.
//!
//! Knows the protocol and the catalog; whoever answers stands behind [`Answers`].

use std::sync::Arc;
use std::time::Duration;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext, RoleServer};

use crate::json;
use crate::queries::{self, CATALOG, Call};

/// How often a client that asked for progress hears of it.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// For how long a client may keep the list of tools, which changes with the program alone: a day, in milliseconds.
const TOOLS_STAY_MS: u64 = 24 * 60 * 60 * 1000;

/// When to ask what; under 600 characters, since clients send it along with every conversation.
pub const INSTRUCTIONS: &str = "\
Ask these tools instead of searching text when the question is about code structure: who calls a function (callers), \
what it calls (callees), what breaks if it changes (impact), which tests cover it (tests_for), where something is \
defined (find_symbol, outline). Name a symbol as you have it: Order.save, shop.models:Order.save or \
shop/models.py:28. Answers are about the files as they are on disk, committed or not, or with `at` about a revision or \
`staged`; never index first. For a branch ask changed_callers or changed_impact. `conf: name` marks a guess.";

/// Whoever answers the questions. Every method may block.
pub trait Answers: Send + Sync + 'static {
    /// Builds what the first question will need, so that it need not wait.
    fn warm(&self);
    /// The answer, or why there is none, in text that helps to ask again.
    fn answer(&self, call: &Call) -> Result<String, String>;
    /// What questions are waiting for, if they are waiting.
    fn under_way(&self) -> Option<UnderWay>;
}

/// What keeps an answer waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnderWay {
    /// Files done and files to do.
    Indexing { done: usize, total: usize },
    /// Another process brings the same database up to date.
    Waiting,
}

/// The protocol's side of a [`Answers`].
#[derive(Clone)]
pub struct Server {
    pub answers: Arc<dyn Answers>,
    /// How long a call waits for a graph that is being built before it says so.
    pub patience: Duration,
}

impl Server {
    /// Runs one call to its end, to its cancellation, or to the end of our patience.
    async fn run(&self, call: Call, context: &RequestContext<RoleServer>) -> CallToolResult {
        let answers = self.answers.clone();
        let cancelled = context.ct.clone();
        let mut answer = tokio::task::spawn_blocking(move || match cancelled.is_cancelled() {
            true => Err("cancelled".to_owned()),
            false => answers.answer(&call),
        });
        loop {
            tokio::select! {
                answered = &mut answer => return match answered {
                    Ok(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
                    Ok(Err(text)) => refusal(text),
                    Err(_) => refusal("the program failed at this question; the server goes on".to_owned()),
                },
                // Nobody waits for this result any more; the work itself ends unheard.
                () = context.ct.cancelled() => return refusal("cancelled".to_owned()),
                () = tokio::time::sleep(self.patience) => match self.answers.under_way() {
                    Some(UnderWay::Indexing { done, total }) => {
                        return refusal(format!("indexing, {done} of {total} files; ask again in a moment"));
                    }
                    Some(UnderWay::Waiting) => {
                        return refusal("another process is indexing; ask again in a moment".to_owned());
                    }
                    None => {}
                },
            }
        }
    }

    /// Tells a client that asked for it how far indexing is, until the call ends.
    ///
    /// In a task of its own: after the end of input a notification is never taken, and would hold up the answer.
    fn report_progress(&self, token: ProgressToken, peer: Peer<RoleServer>) -> tokio::task::JoinHandle<()> {
        let answers = self.answers.clone();
        tokio::spawn(async move {
            let mut last = None;
            loop {
                tokio::time::sleep(PROGRESS_EVERY).await;
                let Some(UnderWay::Indexing { done, total }) = answers.under_way() else { continue };
                // The protocol wants it to grow.
                if last.is_some_and(|last| done <= last) {
                    continue;
                }
                last = Some(done);
                let progress = ProgressNotificationParam::new(token.clone(), done as f64).with_total(total as f64);
                if peer.notify_progress(progress.with_message("indexing")).await.is_err() {
                    return;
                }
            }
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("repo-graph", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let discovered = DiscoverResult::from_server_info(versions, self.get_info());
        Ok(discovered.with_ttl_ms(TOOLS_STAY_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(CATALOG.iter().map(tool).collect());
        // Older clients do not know what these mean.
        Ok(match context.protocol_version() {
            Some(version) if version >= ProtocolVersion::V_2026_07_28 => {
                list.with_ttl_ms(TOOLS_STAY_MS).with_cache_scope(CacheScope::Public)
            }
            _ => list,
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let call = match queries::tool(&request.name).and_then(|tool| tool.call(arguments)) {
            Ok(call) => call,
            Err(bad) => return Ok(refusal(json::to_string(&bad)).into()),
        };
        let token = context.meta.get_progress_token();
        let progress = token.map(|token| self.report_progress(token, context.peer.clone()));
        let result = self.run(call, &context).await;
        if let Some(progress) = progress {
            progress.abort();
        }
        Ok(result.into())
    }

    /// What is no request of the protocol, or one of it in a shape that it does not have.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::new(
                ErrorCode::INVALID_PARAMS,
                "tools/call takes `name`, a string, and `arguments`, an object",
                None,
            ),
            method => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None),
        })
    }
}

/// A question of the catalog as the protocol describes tools.
fn tool(tool: &queries::Tool) -> Tool {
    let schema = match tool.schema() {
        serde_json::Value::Object(schema) => schema,
        _ => unreachable!("the schema of a set of arguments is an object"),
    };
    let hints = ToolAnnotations::new().read_only(tool.read_only).destructive(false).idempotent(true).open_world(false);
    Tool::new_with_raw(tool.name, Some(tool.description.into()), schema).with_annotations(hints)
}

/// An answer that the agent can do something about.
fn refusal(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
