//! What to write into the settings of an MCP client so that it starts `repo-graph serve`.
//!
//! A table and the text that follows from it. Reads and writes no file: a user's settings are the user's.

use std::path::Path;

/// In which language a client keeps its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// JSON, perhaps with comments.
    Json,
    /// TOML.
    Toml,
}

/// What a client that is told no root starts the server with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// Nothing: the client starts servers in the user's directory, or below it.
    Directory,
    /// A variable that the client replaces by the opened folder.
    Variable(&'static str),
    /// An absolute path: the client's only settings file is for all projects.
    Absolute,
}

/// One MCP client.
pub struct Client {
    /// What the user calls it on the command line.
    pub name: &'static str,
    /// How it calls itself.
    pub title: &'static str,
    /// Its settings file; without a leading `~` it stands in the project's top directory.
    pub file: &'static str,
    /// A second way, or something to know.
    pub note: &'static str,
    /// What its settings are written in.
    pub format: Format,
    root: Root,
    /// The settings, with `$command`, `$arguments` and `$line` (the command followed by its arguments) left open.
    template: &'static str,
}

/// Every client that can be asked for, by name.
pub const CLIENTS: [Client; 8] = [
    Client {
        name: "claude",
        title: "Claude Code",
        file: ".mcp.json",
        note: "or run: claude mcp add --scope project repo-graph -- repo-graph serve",
        format: Format::Json,
        root: Root::Directory,
        template: r#"{"mcpServers":{"repo-graph":{"type":"stdio","command":$command,"args":$arguments}}}"#,
    },
    Client {
        name: "codex",
        title: "Codex",
        file: ".codex/config.toml",
        note: "read in trusted projects; for all projects use ~/.codex/config.toml and give --root",
        format: Format::Toml,
        root: Root::Directory,
        template: "[mcp_servers.repo-graph]\ncommand = $command\nargs = $arguments\n",
    },
    Client {
        name: "cursor",
        title: "Cursor",
        file: ".cursor/mcp.json",
        note: "",
        format: Format::Json,
        root: Root::Variable("${workspaceFolder}"),
        template: r#"{"mcpServers":{"repo-graph":{"type":"stdio","command":$command,"args":$arguments}}}"#,
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        file: ".gemini/settings.json",
        note: "",
        format: Format::Json,
        root: Root::Directory,
        template: r#"{"mcpServers":{"repo-graph":{"command":$command,"args":$arguments}}}"#,
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        file: "opencode.json",
        note: "",
        format: Format::Json,
        root: Root::Directory,
        template: r#"{"mcp":{"repo-graph":{"type":"local","command":$line,"enabled":true}}}"#,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        file: ".vscode/mcp.json",
        note: "",
        format: Format::Json,
        root: Root::Variable("${workspaceFolder}"),
        template: r#"{"servers":{"repo-graph":{"type":"stdio","command":$command,"args":$arguments}}}"#,
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        file: "~/.codeium/windsurf/mcp_config.json",
        note: "one file for all projects, so it names the project; give another with --root",
        format: Format::Json,
        root: Root::Absolute,
        template: r#"{"mcpServers":{"repo-graph":{"command":$command,"args":$arguments}}}"#,
    },
    Client {
        name: "zed",
        title: "Zed",
        file: ".zed/settings.json",
        note: "or, for all projects, ~/.config/zed/settings.json",
        format: Format::Json,
        root: Root::Directory,
        template: r#"{"context_servers":{"repo-graph":{"source":"custom","command":$command,"args":$arguments}}}"#,
    },
];

/// The client of that name.
pub fn client(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.name == name)
}

/// A path that no settings file can hold.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not UTF-8, so it cannot stand in a settings file")]
pub struct NotText(pub String);

impl Client {
    /// The snippet that makes the client start `program serve`.
    ///
    /// `root` is what the user asked for; `here` the absolute root to take where the client must be told one.
    pub fn snippet(&self, program: &str, root: Option<&Path>, here: &Path) -> Result<String, NotText> {
        let mut arguments = vec!["serve".to_owned()];
        let root = match (root, self.root) {
            (Some(root), _) => Some(text(root)?),
            (None, Root::Directory) => None,
            (None, Root::Variable(name)) => Some(name.to_owned()),
            (None, Root::Absolute) => Some(text(here)?),
        };
        arguments.extend(root.into_iter().flat_map(|root| ["--root".to_owned(), root]));
        let line: Vec<String> = [program.to_owned()].into_iter().chain(arguments.iter().cloned()).collect();
        let values = [
            ("$command", self.literal(program)),
            ("$arguments", self.literal(arguments)),
            ("$line", self.literal(line)),
        ];
        // Each value goes in once, from the left, so that a `$line` inside a path stays what it is.
        let mut snippet = String::new();
        let mut rest = self.template;
        while let Some(at) = rest.find('$') {
            let (name, value) = values
                .iter()
                .find(|(name, _)| rest[at..].starts_with(name))
                .expect("templates leave nothing else open");
            snippet.push_str(&rest[..at]);
            snippet.push_str(value);
            rest = &rest[at + name.len()..];
        }
        snippet.push_str(rest);
        Ok(match self.format {
            Format::Toml => snippet,
            Format::Json => {
                let value: serde_json::Value = serde_json::from_str(&snippet).expect("templates are JSON");
                format!("{value:#}\n")
            }
        })
    }

    /// A value as the client's settings language writes it.
    fn literal<T: Into<toml::Value> + serde::Serialize>(&self, value: T) -> String {
        match self.format {
            Format::Json => serde_json::to_string(&value).expect("text is serializable"),
            Format::Toml => value.into().to_string(),
        }
    }
}

fn text(path: &Path) -> Result<String, NotText> {
    path.to_str().map(str::to_owned).ok_or_else(|| NotText(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command line that a client would run, whatever its settings look like.
    fn command_line(client: &Client, snippet: &str) -> Vec<String> {
        let settings: serde_json::Value = match client.format {
            Format::Json => serde_json::from_str(snippet).unwrap(),
            Format::Toml => serde_json::to_value(toml::from_str::<toml::Table>(snippet).unwrap()).unwrap(),
        };
        let servers = settings.as_object().unwrap().values().next().unwrap();
        let server = &servers["repo-graph"];
        let mut line = Vec::new();
        for part in [&server["command"], &server["args"]] {
            match part {
                serde_json::Value::String(word) => line.push(word.clone()),
                serde_json::Value::Array(words) => {
                    line.extend(words.iter().map(|word| word.as_str().unwrap().to_owned()));
                }
                _ => assert_eq!(client.name, "opencode"),
            }
        }
        line
    }

    #[test]
    fn every_client_starts_the_server() {
        for client in &CLIENTS {
            let snippet = client.snippet("repo-graph", None, Path::new("/here")).unwrap();
            let line = command_line(client, &snippet);
            assert_eq!(line[..2], ["repo-graph", "serve"], "{}", client.name);
            let root = line.get(2..).unwrap();
            match client.root {
                Root::Directory => assert!(root.is_empty()),
                Root::Variable(name) => assert_eq!(root, ["--root", name]),
                Root::Absolute => assert_eq!(root, ["--root", "/here"]),
            }
        }
    }

    #[test]
    fn paths_survive_quoting() {
        let program = "/opt/it's \"here\"\\\u{7f}$line/repo-graph";
        let root = Path::new("/home/a b/$command é");
        for client in &CLIENTS {
            let snippet = client.snippet(program, Some(root), Path::new("/here")).unwrap();
            assert_eq!(command_line(client, &snippet), [program, "serve", "--root", root.to_str().unwrap()]);
        }
    }
}
