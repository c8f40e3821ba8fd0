//! Queries on a thread of their own, so that the caller is never held up by one that has to stop.
//!
//! A solver stops when it next looks at its flag or its callback. While it translates or simplifies a large formula
//! that may be a second away. So the caller watches the clock while another thread waits for the solver: a query
//! that has to stop is told so, and if it has not returned soon after, the caller goes on without it. Its answer is
//! thrown away, and whoever wants the solver next waits for it first ([`Aside::settle`]).
//!
//! A query costs two switches between threads, some ten microseconds: a solver that answers faster than that is
//! asked here only when its formula is large.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use trellis_solver_api::StopClock;

/// How often the caller looks at the clock.
const TICK: Duration = Duration::from_millis(10);
/// How long a query may take to stop before the caller goes on without it.
const GRACE: Duration = Duration::from_millis(40);
/// As much as the main thread usually has.
const STACK: usize = 8 << 20;

type Query = Box<dyn FnOnce() -> i32 + Send>;
type Stop = Box<dyn Fn() + Send>;

struct Worker {
    queries: Sender<Query>,
    answers: Receiver<i32>,
    thread: JoinHandle<()>,
}

impl Worker {
    fn start() -> std::io::Result<Worker> {
        let (queries, incoming) = channel::<Query>();
        let (outgoing, answers) = channel();
        let builder = std::thread::Builder::new().name("solver".into());
        let thread = builder.stack_size(STACK).spawn(move || {
            for query in incoming {
                if outgoing.send(query()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Worker {
            queries,
            answers,
            thread,
        })
    }

    /// Waits for the thread to end.
    fn join(self) -> std::thread::Result<()> {
        drop(self.queries);
        self.thread.join()
    }
}

/// The thread of one solver. It starts with the first query.
#[derive(Default)]
pub struct Aside {
    worker: Option<Worker>,
    /// What stops the query that was left behind and may still be running.
    left: Option<Stop>,
}

impl Aside {
    /// The answer of `query`, or `None` where it was left behind because `clock` says stop. While it has to stop,
    /// `stop` is called again and again, as a call that comes before a search has begun is lost with some solvers.
    pub fn run(
        &mut self,
        clock: &StopClock,
        stop: impl Fn() + Send + 'static,
        query: impl FnOnce() -> i32 + Send + 'static,
    ) -> Option<i32> {
        self.settle();
        if self.worker.is_none() {
            self.worker = Worker::start().ok();
        }
        let Some(worker) = &self.worker else {
            // Without a thread nobody watches, but the answer is right.
            return Some(query());
        };
        // A thread that is gone shows below.
        let _ = worker.queries.send(Box::new(query));
        let mut stopping: Option<Instant> = None;
        loop {
            match worker.answers.recv_timeout(TICK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.fail();
                    return None;
                }
            }
            if clock.stop_reason().is_some() {
                stop();
                if stopping.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                    self.left = Some(Box::new(stop));
                    return None;
                }
            }
        }
    }

    /// Panics as the thread did.
    fn fail(&mut self) {
        if let Some(Err(panic)) = self.worker.take().map(Worker::join) {
            std::panic::resume_unwind(panic);
        }
    }

    /// Waits for a query that was left behind. Nothing else may touch the solver before this.
    pub fn settle(&mut self) {
        let (Some(stop), Some(worker)) = (self.left.take(), &self.worker) else {
            return;
        };
        // Stopped on and on: the interrupt that stopped it may have been cleared.
        loop {
            match worker.answers.recv_timeout(TICK) {
                Ok(_) => return,
                Err(RecvTimeoutError::Timeout) => stop(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.fail();
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.settle();
        if let Some(worker) = self.worker.take() {
            // A panic of the query has been printed already.
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use trellis_solver_api::{Interrupter, Limits};

    fn clock(interrupter: &Interrupter) -> StopClock {
        StopClock::start(interrupter.clone(), &Limits::NONE)
    }

    /// A query that returns once `flag` is set.
    fn until(flag: &Arc<AtomicBool>, answer: i32) -> impl FnOnce() -> i32 + Send + use<> {
        let flag = flag.clone();
        move || {
            while !flag.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            answer
        }
    }

    /// The first stops are lost, as with a solver that has not started yet.
    #[test]
    fn stops_again_until_the_query_returns() {
        let mut aside = Aside::default();
        let (calls, stopped) = (
            Arc::new(AtomicU32::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let interrupter = Interrupter::new();
        interrupter.interrupt();
        // More often than within the grace, so that the query is left behind and stopped later.
        let (count, flag) = (calls.clone(), stopped.clone());
        let stop = move || {
            if count.fetch_add(1, Ordering::SeqCst) == 20 {
                flag.store(true, Ordering::SeqCst);
            }
        };
        let answer = aside.run(&clock(&interrupter), stop, until(&stopped, 7));
        assert_eq!(answer, None);
        interrupter.clear();
        assert_eq!(aside.run(&clock(&interrupter), || {}, || 3), Some(3));
        assert_eq!(calls.load(Ordering::SeqCst), 21);
    }

    /// The answer of a query that was left behind is nobody's, and the next query begins after it.
    #[test]
    fn leaves_a_query_behind_and_waits_for_it_later() {
        let mut aside = Aside::default();
        let deaf = Arc::new(AtomicBool::new(false));
        let interrupter = Interrupter::new();
        interrupter.interrupt();
        assert_eq!(
            aside.run(&clock(&interrupter), || {}, until(&deaf, 7)),
            None
        );
        let (end, ended) = (deaf.clone(), deaf.clone());
        let helper = std::thread::spawn(move || end.store(true, Ordering::SeqCst));
        let next = move || i32::from(ended.load(Ordering::SeqCst));
        assert_eq!(aside.run(&clock(&Interrupter::new()), || {}, next), Some(1));
        helper.join().expect("no panic");
    }
}
