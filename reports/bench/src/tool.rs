//! Tools: how each is called, and what its output means. Trellis with a pipeline is one of them.

use crate::error::BenchError;
use crate::task::{Task, Verdict};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A tool under a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its name in reports.
    pub name: String,
    /// The command, with `{...}` where the task comes in.
    pub command: Vec<String>,
    /// The command that prints its version.
    pub version: Option<Vec<String>>,
    /// Arguments for `{property_args}`; a property that is not listed is not tried.
    pub properties: Option<BTreeMap<String, Vec<String>>>,
    /// How its output is read; the first rule that fits decides.
    pub rules: Vec<Rule>,
    /// Numbers in its output by name.
    pub figures: Vec<Figure>,
    /// Whether it is Trellis, which says more than a verdict.
    pub is_trellis: bool,
}

/// A number that a tool prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// Its name in reports.
    pub name: String,
    /// Its first group is the number; what is printed last counts.
    #[serde(with = "pattern")]
    pub pattern: Regex,
}

/// One way to recognise a verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// What the output must contain.
    #[serde(with = "pattern::maybe")]
    pub pattern: Option<Regex>,
    /// The exit code.
    pub exit: Option<i32>,
    /// The verdict; `None` when the first group of the pattern is it.
    pub verdict: Option<Verdict>,
}

/// What a tool said about a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Its verdict.
    pub verdict: Option<Verdict>,
    /// Why it is unknown, or what went wrong.
    pub reason: String,
    /// The engine that decided.
    pub decided_by: String,
    /// Solver queries.
    pub queries: Option<u64>,
    /// Time in solvers.
    pub solver_seconds: Option<f64>,
    /// Further numbers by name.
    pub figures: BTreeMap<String, f64>,
}

/// A file of configurations and tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    configs: BTreeMap<String, Config>,
    #[serde(default)]
    tools: BTreeMap<String, External>,
    #[serde(default)]
    figures: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    pipeline: Option<String>,
    #[serde(default)]
    set: Vec<String>,
    #[serde(default)]
    args: Vec<String>,
    trellis: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct External {
    command: Words,
    version: Option<Words>,
    properties: Option<BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    verdicts: Vec<RuleText>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Text(String),
    List(Vec<String>),
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Words::Text(text) => text.split_whitespace().map(str::to_string).collect(),
            Words::List(list) => list,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    pattern: Option<String>,
    exit: Option<i32>,
    verdict: Option<String>,
}

/// Placeholders in commands.
pub const PLACEHOLDERS: &[(&str, &str)] = &[
    ("file", "the program; with several files, one argument each"),
    ("property", "the name of the property"),
    ("property_file", "the file of the property"),
    ("property_args", "the tool's arguments for the property"),
    ("data_model", "ILP32 or LP64"),
    ("bits", "32 or 64"),
    ("cpu", "the limit on CPU time in seconds"),
    ("wall", "the limit on wall time in seconds"),
    ("memory", "the limit on memory in MiB"),
    ("scratch", "an empty folder"),
];

/// Limits as a command may mention them.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// CPU time.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

impl Tool {
    /// Trellis with the given arguments of `trellis check`.
    pub fn trellis(name: &str, executable: &Path, args: &[String]) -> Tool {
        let mut command = vec![executable.display().to_string(), "check".into()];
        command.extend(args.iter().map(|a| a.replace('{', "{{")));
        if !args.iter().any(|a| a == "-t" || a.starts_with("--timeout")) {
            command.extend(["--timeout".into(), "{wall}s".into()]);
        }
        let tail = [
            "--quiet",
            "--out",
            "json={scratch}/report.json",
            "{property_args}",
            "{file}",
        ];
        command.extend(tail.map(str::to_string));
        Tool {
            name: name.into(),
            command,
            version: Some(vec![executable.display().to_string(), "--version".into()]),
            properties: None,
            rules: default_rules(),
            figures: Vec::new(),
            is_trellis: true,
        }
    }

    /// Reads a file of configurations and tools.
    pub fn read(path: &Path, trellis: &Path) -> Result<Vec<Tool>, BenchError> {
        let text = trellis_input::text(path, trellis_input::TEXT).map_err(BenchError::io(path))?;
        let bad = |e: &dyn std::fmt::Display| BenchError::malformed(path.display(), e);
        let file: File = toml::from_str(&text).map_err(|e| bad(&e))?;
        let mut tools = Vec::new();
        for (name, config) in file.configs {
            let mut args = Vec::new();
            if let Some(pipeline) = config.pipeline {
                args.extend(["--pipeline".into(), pipeline]);
            }
            for set in config.set {
                args.extend(["--set".into(), set]);
            }
            args.extend(config.args);
            let dir = path.parent().unwrap_or(Path::new(""));
            let executable = config
                .trellis
                .map_or(trellis.to_path_buf(), |t| dir.join(t));
            tools.push(Tool::trellis(&name, &executable, &args));
        }
        for (name, external) in file.tools {
            let tool = external.tool(&name).map_err(|e| bad(&e))?;
            tools.push(tool);
        }
        let figure = |(name, pattern): (String, String)| {
            let at = |e: &dyn std::fmt::Display| bad(&format!("figures.{name}: {e}"));
            let pattern = multi_line(&pattern).map_err(|e| at(&e))?;
            if pattern.captures_len() != 2 {
                return Err(at(&"a pattern needs one group, which is the number"));
            }
            Ok(Figure { name, pattern })
        };
        let figures: Result<Vec<Figure>, _> = file.figures.into_iter().map(figure).collect();
        let figures = figures?;
        for tool in &mut tools {
            tool.figures.clone_from(&figures);
        }
        Ok(tools)
    }

    /// The command for a task; an error says why there is none.
    pub fn command(
        &self,
        task: &Task,
        shown: &Shown,
        scratch: &Path,
    ) -> Result<Vec<String>, String> {
        let absolute = |path: &Path| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
            path.display().to_string()
        };
        let mut words = Vec::new();
        for word in &self.command {
            match word.as_str() {
                "{file}" => words.extend(task.files.iter().map(|f| absolute(f))),
                "{property_args}" => words.extend(self.property_args(task)?),
                _ => words.push(fill(word, |name| {
                    Some(match name {
                        "file" => absolute(&task.files[0]),
                        "property" => task.property.clone(),
                        "property_file" => absolute(task.property_file.as_deref()?),
                        "data_model" => task.model.name().into(),
                        "bits" => task.model.bits().to_string(),
                        "cpu" => shown.cpu.as_secs_f64().to_string(),
                        "wall" => shown.wall.as_secs_f64().to_string(),
                        "memory" => (shown.memory >> 20).to_string(),
                        "scratch" => scratch.display().to_string(),
                        _ => return None,
                    })
                })?),
            }
        }
        Ok(words)
    }

    fn property_args(&self, task: &Task) -> Result<Vec<String>, String> {
        if self.is_trellis {
            return Ok(trellis_property_args(task));
        }
        let Some(properties) = &self.properties else {
            return Ok(Vec::new());
        };
        let none = || format!("no arguments for the property '{}'", task.property);
        properties.get(&task.property).cloned().ok_or_else(none)
    }

    /// What it said.
    pub fn said(&self, stdout: &str, stderr: &str, exit: Option<i32>, scratch: &Path) -> Said {
        let mut said = Said::default();
        for rule in &self.rules {
            if rule.exit.is_some() && rule.exit != exit {
                continue;
            }
            let found = match &rule.pattern {
                // What is printed last is the verdict.
                Some(pattern) => match last_match(pattern, stdout, stderr) {
                    Some(group) => group.to_string(),
                    None => continue,
                },
                None => String::new(),
            };
            said.verdict = match &rule.verdict {
                // A pattern of a false verdict may say which part is violated.
                Some(Verdict::False(part)) if part.is_empty() => {
                    Some(Verdict::False(found.clone()))
                }
                Some(verdict) => Some(verdict.clone()),
                None => found.parse().ok(),
            };
            if said.verdict == Some(Verdict::Unknown) {
                said.reason = found.trim_start_matches("unknown").trim().to_string();
            }
            break;
        }
        for figure in &self.figures {
            let text = last_match(&figure.pattern, stdout, stderr);
            if let Some(number) = text.and_then(|t| t.parse().ok()) {
                said.figures.insert(figure.name.clone(), number);
            }
        }
        if self.is_trellis {
            read_report(&scratch.join("report.json"), &mut said);
        }
        if said.verdict.is_none() {
            let last = |text: &str| {
                text.lines()
                    .rev()
                    .find(|l| !l.trim().is_empty())
                    .map(str::to_string)
            };
            said.reason = last(stderr).or_else(|| last(stdout)).unwrap_or_default();
        }
        said
    }

    /// The first line that its version command prints, with these variables in its environment.
    pub fn version(&self, env: &[(String, String)]) -> String {
        let Some((program, args)) = self.version.as_ref().and_then(|v| v.split_first()) else {
            return String::new();
        };
        let mut command = Command::new(program);
        command.args(args).envs(env.iter().map(|(k, v)| (k, v)));
        let Ok(output) = command.output() else {
            return String::new();
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|l| !l.trim().is_empty());
        let line = line.unwrap_or_default().trim();
        if self.is_trellis {
            return format!("{line} build {:016x}", build(Path::new(program)));
        }
        line.to_string()
    }
}

/// A number for the executable and the libraries beside it. While Trellis is being worked on, its
/// version does not tell one build from another.
fn build(executable: &Path) -> u64 {
    let mut files = vec![executable.to_path_buf()];
    let dirs = executable
        .parent()
        .map(|dir| [dir.join("deps"), dir.into()]);
    let entries = dirs.iter().flatten().filter_map(|d| d.read_dir().ok());
    let is_library = |p: &PathBuf| {
        let name = p.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        name.starts_with("libtrellis_") && name.ends_with(".so")
    };
    let mut libraries: Vec<PathBuf> = entries
        .flat_map(|e| e.flatten())
        .map(|e| e.path())
        .filter(is_library)
        .collect();
    libraries.sort();
    files.extend(libraries);
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(&std::fs::read(file).unwrap_or_default());
    }
    hasher.finish()
}

impl External {
    fn tool(self, name: &str) -> Result<Tool, String> {
        let rule = |text: RuleText| {
            let at = |e: &dyn std::fmt::Display| format!("tools.{name}.verdicts: {e}");
            let pattern = text.pattern.map(|p| multi_line(&p)).transpose();
            if matches!(&pattern, Ok(None)) && text.exit.is_none() {
                return Err(at(&"a rule needs a `pattern` or an `exit` code"));
            }
            Ok(Rule {
                pattern: pattern.map_err(|e| at(&e))?,
                exit: text.exit,
                verdict: text
                    .verdict
                    .map(|v| v.parse())
                    .transpose()
                    .map_err(|e: String| at(&e))?,
            })
        };
        let rules: Vec<Rule> = self
            .verdicts
            .into_iter()
            .map(rule)
            .collect::<Result<_, _>>()?;
        let command = self.command.list();
        for word in &command {
            let known = |name: &str| {
                PLACEHOLDERS
                    .iter()
                    .any(|(n, _)| *n == name)
                    .then(String::new)
            };
            fill(word, known).map_err(|e| format!("tools.{name}.command: {e}"))?;
        }
        Ok(Tool {
            name: name.into(),
            command,
            version: self.version.map(Words::list),
            properties: self.properties,
            rules: if rules.is_empty() {
                default_rules()
            } else {
                rules
            },
            figures: Vec::new(),
            is_trellis: false,
        })
    }
}

/// A pattern as its text.
mod pattern {
    use regex::Regex;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(pattern: &Regex, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(pattern.as_str())
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Regex, D::Error> {
        Regex::new(&String::deserialize(from)?).map_err(D::Error::custom)
    }

    /// The same where there may be none.
    pub mod maybe {
        use super::{Deserialize, Deserializer, Error, Regex, Serializer};

        pub fn serialize<S: Serializer>(pattern: &Option<Regex>, to: S) -> Result<S::Ok, S::Error> {
            match pattern {
                Some(pattern) => to.serialize_some(pattern.as_str()),
                None => to.serialize_none(),
            }
        }

        pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Regex>, D::Error> {
            let text = Option::<String>::deserialize(from)?;
            let pattern = text.map(|t| Regex::new(&t)).transpose();
            pattern.map_err(D::Error::custom)
        }
    }
}

/// A pattern in which `^` and `$` are the ends of a line.
fn multi_line(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("(?m){pattern}"))
}

/// The first group, which may be empty, where the pattern fits last: on stdout, or else on stderr.
fn last_match<'a>(pattern: &Regex, stdout: &'a str, stderr: &'a str) -> Option<&'a str> {
    let on_stdout = pattern.captures_iter(stdout).last();
    let captures = on_stdout.or_else(|| pattern.captures_iter(stderr).last())?;
    Some(captures.get(1).map_or("", |m| m.as_str()))
}

/// The last line that says `VERDICT: ...`.
fn default_rules() -> Vec<Rule> {
    let pattern = Regex::new("(?m)^VERDICT: (.*)$").ok();
    vec![Rule {
        pattern,
        exit: None,
        verdict: None,
    }]
}

fn trellis_property_args(task: &Task) -> Vec<String> {
    let extension = task.files[0].extension().and_then(|e| e.to_str());
    if !matches!(extension, Some("c" | "i")) {
        return Vec::new();
    }
    let list = match task.property.as_str() {
        "valid-memsafety" => "valid-deref,valid-free,valid-memtrack",
        "" => "unreach-call",
        other => other,
    };
    // A set's tasks are asked by the rules of SV-COMP, where one violation is the answer.
    vec![
        format!("--{}", task.model.bits()),
        "--assume".into(),
        "malloc-succeeds".into(),
        "--max-errors".into(),
        "1".into(),
        "--check".into(),
        list.into(),
    ]
}

/// Replaces `{name}`; `{{` is a brace, and so is one without a name, as scripts have them.
fn fill(word: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        out += &rest[..at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        match rest[name.len()..].strip_prefix('}') {
            Some(after) if !name.is_empty() => {
                out += &value(name).ok_or_else(|| format!("nothing to put in for {{{name}}}"))?;
                rest = after;
            }
            _ => out.push('{'),
        }
    }
    Ok(out + rest)
}

#[derive(Deserialize)]
struct Report {
    decided_by: Option<String>,
    #[serde(default)]
    engines: Vec<EngineReport>,
}

#[derive(Deserialize)]
struct EngineReport {
    #[serde(default)]
    queries: BTreeMap<String, QueryReport>,
}

#[derive(Deserialize)]
struct QueryReport {
    sat: u64,
    unsat: u64,
    unknown: u64,
    wall_seconds: f64,
}

/// Adds what Trellis reports beyond its verdict.
fn read_report(path: &Path, said: &mut Said) {
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let Ok(report) = serde_json::from_str::<Report>(&text) else {
        return;
    };
    said.decided_by = report.decided_by.unwrap_or_default();
    let all = || report.engines.iter().flat_map(|e| e.queries.values());
    said.queries = Some(all().map(|q| q.sat + q.unsat + q.unknown).sum());
    said.solver_seconds = Some(all().map(|q| q.wall_seconds).sum());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(text: &str) -> Result<Vec<Tool>, String> {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("tools.toml");
        std::fs::write(&path, text).expect("written");
        let read = Tool::read(&path, Path::new("trellis"));
        read.map_err(|e| e.to_string().replace(&path.display().to_string(), "F"))
    }

    #[test]
    fn external_tools_are_called_and_understood() {
        let all = tools(
            "[tools.cbmc]
             command = 'cbmc --{bits} {property_args} {file}'
             properties = { unreach-call = [], no-overflow = ['--signed-overflow-check'] }
             verdicts = [
               { pattern = '^VERIFICATION SUCCESSFUL', verdict = 'true' },
               { pattern = '^VERIFICATION FAILED: (.*)', verdict = 'false' },
               { exit = 6, verdict = 'unknown' },
             ]",
        )
        .expect("well-formed");
        let mut task = Task {
            name: "a.c".into(),
            files: vec!["/x/a.c".into(), "/x/b.c".into()],
            property: "no-overflow".into(),
            property_file: None,
            expected: None,
            model: crate::task::DataModel::Lp64,
            category: String::new(),
        };
        let shown = Shown {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(2),
            memory: 1 << 30,
        };
        let command = all[0].command(&task, &shown, Path::new("/s"));
        let expected = "cbmc --64 --signed-overflow-check /x/a.c /x/b.c";
        assert_eq!(command.expect("a command").join(" "), expected);
        task.property = "termination".into();
        assert!(all[0].command(&task, &shown, Path::new("/s")).is_err());
        let said = |out: &str, exit| all[0].said(out, "oops", exit, Path::new("/s"));
        assert_eq!(
            said("VERIFICATION SUCCESSFUL", Some(0)).verdict,
            Some(Verdict::True)
        );
        let part = Verdict::False("no-overflow".into());
        assert_eq!(
            said("x\nVERIFICATION FAILED: no-overflow\n", None).verdict,
            Some(part)
        );
        assert_eq!(said("", Some(6)).verdict, Some(Verdict::Unknown));
        assert_eq!(said("no VERIFICATION SUCCESSFUL", Some(1)).verdict, None);
        assert_eq!(said("", Some(1)).reason, "oops");
    }

    #[test]
    fn figures_are_numbers_that_were_printed_last() {
        let all = tools(
            "figures = { rounds = '^x: rounds: (\\d+)$', load = 'load ([0-9.]+)' }
             [tools.x]
             command = 'x {file}'",
        )
        .expect("well-formed");
        let said = all[0].said("", "x: rounds: 1\nx: rounds: 7\n", None, Path::new("/s"));
        assert_eq!(said.figures, BTreeMap::from([("rounds".to_string(), 7.0)]));
        let said = all[0].said("load 0.5", "load 2", None, Path::new("/s"));
        assert_eq!(said.figures, BTreeMap::from([("load".to_string(), 0.5)]));
    }

    #[test]
    fn wrong_tools_are_told() {
        let why = |text| tools(text).expect_err("malformed");
        assert!(why("figures = { a = 'a' }").contains("figures.a: a pattern needs one group"));
        assert!(why("[tools.a]\ncommand='a {fiel}'").contains("nothing to put in for {fiel}"));
        assert!(
            why("[tools.a]\ncommand='a'\nverdicts=[{verdict='true'}]")
                .contains("needs a `pattern`")
        );
        assert!(
            why("[tools.a]\ncommand='a'\nverdicts=[{exit=1,verdict='yes'}]")
                .contains("no verdict: 'yes'")
        );
        assert!(why("[tools.a]\ncommand='a'\nverdict=[]").contains("unknown field `verdict`"));
    }

    #[test]
    fn the_last_verdict_line_counts() {
        let tool = Tool::trellis("t", Path::new("trellis"), &[]);
        let said = tool.said(
            "VERDICT: true\nx\nVERDICT: unknown (bmc: gave up)\n",
            "",
            Some(20),
            Path::new("/nowhere"),
        );
        assert_eq!(said.verdict, Some(Verdict::Unknown));
        assert_eq!(said.reason, "(bmc: gave up)");
    }
}
