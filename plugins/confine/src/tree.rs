//! What the kernel says about a tree of processes.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// A process as `/proc/PID/stat` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its parent.
    pub parent: i32,
    /// Its process group.
    pub group: i32,
    /// Whether it has ended and waits to be reaped.
    pub zombie: bool,
    /// CPU time of its own and of the children it has reaped, in clock ticks.
    pub ticks: u64,
    /// Resident pages.
    pub pages: u64,
}

impl Stat {
    /// Parses the one line of the file. The name, second of the fields, is in parentheses and may
    /// contain anything, parentheses too.
    pub fn parse(line: &str) -> Option<Stat> {
        let rest = &line[line.rfind(')')? + 1..];
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<i64>().ok();
        let ticks = (11..=14).map(number).sum::<Option<i64>>()?;
        Some(Stat {
            zombie: matches!(*fields.first()?, "Z" | "X"),
            parent: number(1)? as i32,
            group: number(2)? as i32,
            ticks: ticks.max(0) as u64,
            pages: number(21)?.max(0) as u64,
        })
    }

    fn read(pid: i32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }
}

/// The processes below `root`, without it. One that ends while we look is left out. Not many more
/// than `most` are listed: a tree that grows faster than it is walked has no end.
pub fn below(root: i32, most: usize) -> BTreeMap<i32, Stat> {
    let mut found = BTreeMap::new();
    let mut todo = match children(root) {
        Some(pids) => pids,
        None => return scan(root),
    };
    while let Some(pid) = todo.pop() {
        if found.len() > most {
            break;
        }
        if found.contains_key(&pid) {
            continue;
        }
        if let Some(stat) = Stat::read(pid) {
            found.insert(pid, stat);
            todo.extend(children(pid).unwrap_or_default());
        }
    }
    found
}

/// The children of all threads of a process; `None` where the kernel does not list them.
fn children(pid: i32) -> Option<Vec<i32>> {
    let mut pids = Vec::new();
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        match fs::read_to_string(task.path().join("children")) {
            Ok(list) => pids.extend(
                list.split_ascii_whitespace()
                    .filter_map(|p| p.parse::<i32>().ok()),
            ),
            // The thread has ended; if it is the first one, the file does not exist at all.
            Err(_) if task.path().exists() => return None,
            Err(_) => {}
        }
    }
    Some(pids)
}

/// The slow way, where a kernel lacks the lists of children.
fn scan(root: i32) -> BTreeMap<i32, Stat> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok())
            && let Some(stat) = Stat::read(pid)
        {
            all.insert(pid, stat);
        }
    }
    let is_below = |mut pid: i32| {
        // A chain of parents is short; the bound guards against a table that changed meanwhile.
        for _ in 0..all.len() {
            match all.get(&pid) {
                Some(stat) if stat.parent == root => return true,
                Some(stat) => pid = stat.parent,
                None => return false,
            }
        }
        false
    };
    let below: Vec<i32> = all.keys().copied().filter(|&p| is_below(p)).collect();
    all.retain(|pid, _| below.binary_search(pid).is_ok());
    all
}

/// Bytes of memory of processes, pages shared among processes counted once; `None` when the
/// kernel does not say.
pub fn proportional(pids: impl Iterator<Item = i32>) -> Option<u64> {
    let mut kib = 0;
    for pid in pids {
        // One that is gone uses nothing.
        let Ok(text) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
            if fs::metadata(format!("/proc/{pid}")).is_ok() {
                return None;
            }
            continue;
        };
        let line = text.lines().find_map(|l| l.strip_prefix("Pss:"));
        let number = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        kib += number.unwrap_or(0);
    }
    Some(kib << 10)
}

/// CPU time of all descendants that have been reaped.
pub fn reaped() -> Duration {
    // SAFETY: the structure is ours, and the call has no other effect.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Largest resident memory of any one reaped descendant, in bytes.
pub fn reaped_memory() -> u64 {
    // SAFETY: as above.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10
}

/// Kills processes of a tree.
pub fn kill(below: &BTreeMap<i32, Stat>) {
    send(below, Signal::KILL);
}

/// Holds processes of a tree until [`resume`].
pub fn pause(below: &BTreeMap<i32, Stat>) {
    send(below, Signal::STOP);
}

/// Lets processes of a tree go on.
pub fn resume(below: &BTreeMap<i32, Stat>) {
    send(below, Signal::CONT);
}

/// Sends a signal to processes of a tree: whole groups at once, which no fork can outrun, then what is
/// left. Groups that were not made in the tree are spared.
fn send(below: &BTreeMap<i32, Stat>, signal: Signal) {
    let groups: std::collections::BTreeSet<i32> = below.values().map(|s| s.group).collect();
    // The leader in the tree means that the group was made in the tree.
    for group in groups.into_iter().filter(|g| below.contains_key(g)) {
        if let Some(pid) = Pid::from_raw(group) {
            let _ = kill_process_group(pid, signal);
        }
    }
    for pid in below.keys().filter_map(|&p| Pid::from_raw(p)) {
        let _ = kill_process(pid, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_processes_do_not_confuse() {
        let line = "77 (a) (b c) S 5 77 6 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 9 8192 25 99";
        let stat = Stat {
            parent: 5,
            group: 77,
            zombie: false,
            ticks: 100,
            pages: 25,
        };
        assert_eq!(Stat::parse(line), Some(stat));
        assert_eq!(Stat::parse("77 (a"), None);
    }

    #[test]
    fn both_ways_to_list_a_tree_agree() {
        let mut sleeper = std::process::Command::new("sh")
            .args(["-c", "sleep 30 & read x"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("sh is there");
        let me = std::process::id() as i32;
        let id = sleeper.id() as i32;
        while below(id, 9).is_empty() {
            std::thread::yield_now();
        }
        let pids = |all: BTreeMap<i32, Stat>| all.into_keys().collect::<Vec<_>>();
        let (fast, slow) = (below(id, 9), scan(id));
        assert_eq!(fast.len(), 1);
        assert!(pids(below(me, 999)).contains(&id));
        kill(&fast);
        drop(sleeper.stdin.take());
        sleeper.wait().expect("reaped");
        assert_eq!(pids(fast), pids(slow));
    }
}
