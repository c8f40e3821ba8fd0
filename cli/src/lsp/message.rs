//! Messages of the protocol: JSON with a header that says how long it is.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Mutex, PoisonError};
use trellis::Error;

/// The longest message that is read.
const LONGEST: usize = 64 << 20;

/// Reads messages.
pub struct Reader<R: Read> {
    stream: BufReader<R>,
}

impl<R: Read> Reader<R> {
    /// From a stream.
    pub fn new(stream: R) -> Reader<R> {
        Reader {
            stream: BufReader::new(stream),
        }
    }

    /// The next message; none at the end of the stream.
    pub fn next(&mut self) -> Result<Option<Value>, Error> {
        let bad = |e: &dyn std::fmt::Display| Error::Input(format!("lsp: {e}"));
        let mut length = None;
        loop {
            let mut line = String::new();
            let header = (&mut self.stream).take(4096).read_line(&mut line);
            if header.map_err(|e| bad(&e))? == 0 {
                return Ok(None);
            }
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            let value = line.split_once(':');
            if let Some((name, value)) = value
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<usize>().ok();
            }
        }
        let length = length.filter(|n| *n <= LONGEST);
        let length = length.ok_or_else(|| bad(&"a message has no length, or is too long"))?;
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).map_err(|e| bad(&e))?;
        serde_json::from_slice(&text).map(Some).map_err(|e| bad(&e))
    }
}

/// Writes messages, from any thread.
pub struct Writer {
    stream: Mutex<Box<dyn Write + Send>>,
}

impl Writer {
    /// To a stream.
    pub fn new(stream: Box<dyn Write + Send>) -> Writer {
        Writer {
            stream: Mutex::new(stream),
        }
    }

    /// Writes a message. If nobody reads, the end of the input will say so.
    pub fn send(&self, message: &Value) {
        let text = message.to_string();
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len());
        let _ = stream.flush();
    }

    /// Tells something that nobody answers.
    pub fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
}

/// The answer to a request.
pub fn response(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a request that cannot be met.
pub fn failure(id: &Value, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_a_length() {
        let text =
            "Content-Length: 7\r\nContent-Type: x\r\n\r\n{\"a\":1}content-length:2\r\n\r\n[]";
        let mut reader = Reader::new(text.as_bytes());
        assert_eq!(reader.next().expect("a message"), Some(json!({ "a": 1 })));
        assert_eq!(reader.next().expect("a message"), Some(json!([])));
        assert_eq!(reader.next().expect("the end"), None);
        for bad in [
            "\r\n{}",
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Length: 1\r\n\r\n{",
            "Content-Length: 9\r\n\r\n{",
        ] {
            assert!(Reader::new(bad.as_bytes()).next().is_err(), "{bad}");
        }
    }
}
