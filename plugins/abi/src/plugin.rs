//! What a plugin library exports: one data symbol.

use crate::host::{TrellisHost, TrellisSource, TrellisTask};
use crate::sat::TrellisSat;
use crate::smt::TrellisSmt;
use std::ffi::c_char;

/// The first eight bytes of every descriptor: "TRELLIS" and a zero.
pub const TRELLIS_MAGIC: [u8; 8] = *b"TRELLIS\0";
/// Changes when a structure or a meaning changes incompatibly; both sides must agree.
pub const TRELLIS_ABI_MAJOR: u16 = 1;
/// Grows with every addition; a host accepts plugins up to its own.
pub const TRELLIS_ABI_MINOR: u16 = 3;
/// Version of the binary image in which programs cross.
pub const TRELLIS_IMAGE_VERSION: u32 = 1;
/// Version of the text form of programs.
pub const TRELLIS_TEXT_VERSION: u32 = 1;
/// The plugin is an engine.
pub const TRELLIS_KIND_ENGINE: u32 = 1;
/// The plugin is a solver backend.
pub const TRELLIS_KIND_SOLVER: u32 = 2;

/// The plugin is a pass. Since ABI 1.2.
pub const TRELLIS_KIND_PASS: u32 = 3;
/// The plugin is a front end. Since ABI 1.2.
pub const TRELLIS_KIND_FRONTEND: u32 = 4;

/// A program has one procedure and no calls.
pub const TRELLIS_PROPERTY_FLAT: u32 = 1;
/// Addresses mention the base variables of their regions, as the front end wrote them.
pub const TRELLIS_PROPERTY_REGION_BASES: u32 = 2;
/// A program has one loop location and an explicit program counter.
pub const TRELLIS_PROPERTY_MONOLITHIC: u32 = 4;

/// Bytes of UTF-8 text, not terminated.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisStr {
    /// The first byte; may be null when `len` is 0.
    pub data: *const u8,
    /// Number of bytes.
    pub len: usize,
}

/// A stream of 32-bit words in the byte order of the machine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisWords {
    /// The first word; may be null when `len` is 0.
    pub data: *const u32,
    /// Number of words.
    pub len: usize,
}

/// The functions of an engine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisEngine {
    /// `sizeof(TrellisEngine)`.
    pub size: u32,
    /// Runs the engine on one task, once per process. The engine gives its verdict by
    /// `host->report` before it returns. Returns 0, or a status below zero.
    ///
    /// Thread: the one that owns `host`. Ownership: `task`, `host` and all they point to are the
    /// host's and valid until the function returns.
    pub run:
        Option<unsafe extern "C" fn(task: *const TrellisTask, host: *const TrellisHost) -> i32>,
}

/// The functions of a pass. Since ABI 1.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisPass {
    /// `sizeof(TrellisPass)`.
    pub size: u32,
    /// `TRELLIS_PROPERTY_*` of the programs that it works on, added up.
    pub requires: u32,
    /// Those that hold of every program it makes.
    pub ensures: u32,
    /// Those that may no longer hold of a program it makes.
    pub destroys: u32,
    /// Transforms the program of `task`, once per process. The pass answers by `host->report`
    /// before it returns: `TRELLIS_REPORT_UNCHANGED`, `TRELLIS_REPORT_PROGRAM` or
    /// `TRELLIS_REPORT_REFUSED`. Returns 0, or a status below zero.
    ///
    /// Thread and ownership: as for an engine.
    pub run:
        Option<unsafe extern "C" fn(task: *const TrellisTask, host: *const TrellisHost) -> i32>,
}

/// The functions of a front end. Since ABI 1.2.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisFrontEnd {
    /// `sizeof(TrellisFrontEnd)`.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The extensions of its files without the dot, separated by spaces, terminated by a zero.
    pub extensions: *const c_char,
    /// Reads `source`, once per process. The front end answers by `host->report` before it returns:
    /// `TRELLIS_REPORT_PROGRAM` or `TRELLIS_REPORT_REFUSED`. Returns 0, or a status below zero.
    ///
    /// Thread and ownership: as for an engine.
    pub run:
        Option<unsafe extern "C" fn(source: *const TrellisSource, host: *const TrellisHost) -> i32>,
}

/// The descriptor of a plugin: constant data, valid as long as the library is loaded.
///
/// A library exports it as the data symbol `trellis_plugin`. A library whose code may also be
/// linked statically beside others exports `trellis_plugin_NAME` instead, where `NAME` is the
/// library's file name without `lib` and extension.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrellisPlugin {
    /// `TRELLIS_MAGIC`.
    pub magic: [u8; 8],
    /// `TRELLIS_ABI_MAJOR` of the header it was compiled with.
    pub abi_major: u16,
    /// `TRELLIS_ABI_MINOR` of the header it was compiled with.
    pub abi_minor: u16,
    /// `sizeof(TrellisPlugin)`.
    pub size: u32,
    /// `sizeof(TrellisHost)` it was compiled with.
    pub host_size: u32,
    /// `sizeof(TrellisTask)` it was compiled with.
    pub task_size: u32,
    /// `TRELLIS_IMAGE_VERSION`, or 0 when it reads no image.
    pub image_version: u32,
    /// `TRELLIS_TEXT_VERSION`, or 0 when it reads no text.
    pub text_version: u32,
    /// `TRELLIS_KIND_*`.
    pub kind: u32,
    /// Zero.
    pub reserved: u32,
    /// Its name in pipelines: lower-case letters, digits and dashes, terminated by a zero.
    pub id: *const c_char,
    /// Its own version, terminated by a zero.
    pub version: *const c_char,
    /// One line for people, terminated by a zero.
    pub description: *const c_char,
    /// SPDX expression, terminated by a zero.
    pub licence: *const c_char,
    /// Its options as JSON, terminated by a zero:
    /// `{"options":[{"name":"depth","type":"integer","default":"10","doc":"..."}]}`. The types
    /// are `integer`, `boolean`, `number`, `string` and `a|b|c` for a choice of words.
    pub options: *const c_char,
    /// The functions of an engine; null for other kinds.
    pub engine: *const TrellisEngine,
    /// The SMT sessions of a solver; null when it has none.
    pub smt: *const TrellisSmt,
    /// The SAT sessions of a solver; null when it has none.
    pub sat: *const TrellisSat,
    /// The functions of a pass; null for other kinds. Since ABI 1.2.
    pub pass: *const TrellisPass,
    /// The functions of a front end; null for other kinds. Since ABI 1.2.
    pub frontend: *const TrellisFrontEnd,
}

impl TrellisPlugin {
    /// Nothing but nulls and zeros, for what a descriptor leaves out.
    pub const EMPTY: TrellisPlugin = TrellisPlugin {
        magic: [0; 8],
        abi_major: 0,
        abi_minor: 0,
        size: 0,
        host_size: 0,
        task_size: 0,
        image_version: 0,
        text_version: 0,
        kind: 0,
        reserved: 0,
        id: std::ptr::null(),
        version: std::ptr::null(),
        description: std::ptr::null(),
        licence: std::ptr::null(),
        options: std::ptr::null(),
        engine: std::ptr::null(),
        smt: std::ptr::null(),
        sat: std::ptr::null(),
        pass: std::ptr::null(),
        frontend: std::ptr::null(),
    };
}

// SAFETY: a descriptor is constant data, and so is all it points to.
unsafe impl Sync for TrellisPlugin {}
// SAFETY: as above: the only field that is no number is a function.
unsafe impl Sync for TrellisEngine {}
// SAFETY: as above.
unsafe impl Sync for TrellisPass {}
// SAFETY: as above, and a constant text.
unsafe impl Sync for TrellisFrontEnd {}

impl TrellisStr {
    /// Lends `text`.
    pub const fn new(text: &str) -> TrellisStr {
        TrellisStr {
            data: text.as_ptr(),
            len: text.len(),
        }
    }

    /// The bytes, for as long as the caller says.
    ///
    /// # Safety
    /// `data` points to `len` bytes that stay as they are for `'a`, or `len` is 0.
    pub const unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 || self.data.is_null() {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }
}

impl TrellisWords {
    /// Lends `words`.
    pub const fn new(words: &[u32]) -> TrellisWords {
        TrellisWords {
            data: words.as_ptr(),
            len: words.len(),
        }
    }

    /// The words, for as long as the caller says.
    ///
    /// # Safety
    /// `data` points to `len` aligned words that stay as they are for `'a`, or `len` is 0.
    pub const unsafe fn words<'a>(self) -> &'a [u32] {
        if self.len == 0 || self.data.is_null() {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }
}
