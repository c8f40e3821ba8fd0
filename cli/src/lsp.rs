//! `trellis lsp`: a server for editors, over standard input and output.
//!
//! A file that is opened or saved is checked in the background, with the flags of its project. What was found is shown in the
//! file: violations as errors with the steps that lead there, what nobody knows as information; hovering over a line says what is
//! known of it, loops whose invariants are known have them in a line above, and actions open the report. Pipelines are checked as well, and
//! their keys completed and explained. A check ends when its file is saved again or
//! closed, or when somebody cancels it.

mod actions;
mod job;
mod message;
mod pipeline;
mod work;

use self::message::{Reader, Writer, failure, response};
use self::work::Works;
use clap::Args;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::Arc;
use trellis::Error;
use trellis::worker::Worker;

/// Serves an editor over standard input and output, by the language server protocol.
#[derive(Args)]
pub struct LspArgs {
    /// Wall time of each check, such as `30s`
    #[arg(short, long, value_name = "TIME", default_value = "30s")]
    timeout: String,
    /// What editors say when they start a server; there is no other way to talk to it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Numbers of the protocol.
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_REQUEST: i64 = -32600;
const REQUEST_FAILED: i64 = -32803;

/// Runs the command.
pub fn main(args: &LspArgs, worker: Worker) -> Result<ExitCode, Error> {
    let timeout = trellis_pipeline::units::duration(&args.timeout)
        .ok_or_else(|| Error::Usage(format!("--timeout {}: not a time; `90s` is", args.timeout)))?;
    let writer = Arc::new(Writer::new(Box::new(std::io::stdout())));
    let mut reader = Reader::new(std::io::stdin().lock());
    let mut works = Works::new(worker, timeout, writer.clone());
    let mut ended = false;
    while let Some(message) = reader.next()? {
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        match (method, message.get("id")) {
            ("exit", _) => break,
            ("shutdown", Some(id)) => {
                ended = true;
                works.stop();
                writer.send(&response(id, Value::Null));
            }
            // Answers to what we asked are of no interest.
            ("", Some(_)) => {}
            (_, Some(id)) if ended => {
                writer.send(&failure(id, INVALID_REQUEST, "the server has shut down"));
            }
            ("initialize", Some(id)) => {
                works.client(params);
                writer.send(&response(id, capabilities()));
            }
            ("textDocument/hover", Some(id)) => {
                writer.send(&response(id, works.hover(params)));
            }
            ("textDocument/codeLens", Some(id)) => {
                writer.send(&response(id, works.lenses(params)));
            }
            ("textDocument/completion", Some(id)) => {
                writer.send(&response(id, works.completion(params)));
            }
            ("textDocument/codeAction", Some(id)) => {
                writer.send(&response(id, works.actions(params)));
            }
            ("workspace/executeCommand", Some(id)) => {
                writer.send(&match works.execute(params) {
                    Ok(done) => response(id, done),
                    Err(e) => failure(id, REQUEST_FAILED, &e.to_string()),
                });
            }
            (_, Some(id)) => {
                let text = format!("there is no method {method}");
                writer.send(&failure(id, METHOD_NOT_FOUND, &text));
            }
            ("textDocument/didOpen", None) => works.open(params),
            ("textDocument/didChange", None) => works.change(params),
            ("textDocument/didSave", None) => works.save(params),
            ("textDocument/didClose", None) => works.close(params),
            ("window/workDoneProgress/cancel", None) => works.cancel(&params["token"]),
            _ => {}
        }
    }
    works.stop();
    Ok(match ended {
        true => ExitCode::SUCCESS,
        // The editor went away without a word.
        false => ExitCode::from(1),
    })
}

fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 1, "save": true },
            "hoverProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "codeActionProvider": true,
            "completionProvider": {},
            "executeCommandProvider": { "commands": [actions::REPORT, actions::HARNESS] },
        },
        "serverInfo": { "name": "trellis", "version": env!("CARGO_PKG_VERSION") },
    })
}
