//! MCP: the catalog as tools over stdio, and how clients are told to start it. The only user of rmcp and tokio.

pub mod clients;
mod lines;
