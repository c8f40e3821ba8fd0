//! Whether a descriptor may be used. Every way to fail is a variant of its own, because "cannot
//! load plugin" tells its author nothing.

use crate::host::{TrellisHost, TrellisTask};
use crate::plugin::{
    TRELLIS_ABI_MAJOR, TRELLIS_ABI_MINOR, TRELLIS_IMAGE_VERSION, TRELLIS_KIND_ENGINE,
    TRELLIS_KIND_FRONTEND, TRELLIS_KIND_PASS, TRELLIS_KIND_SOLVER, TRELLIS_MAGIC,
    TRELLIS_TEXT_VERSION, TrellisEngine, TrellisFrontEnd, TrellisPass, TrellisPlugin,
};
use crate::sat::TrellisSat;
use crate::smt::TrellisSmt;
use std::ffi::{CStr, c_char};
use std::mem::{MaybeUninit, offset_of};

/// Why a library is no plugin for this host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// The library has no descriptor.
    #[error("exports no symbol `trellis_plugin`: it is not a Trellis plugin")]
    NoSymbol,
    /// The descriptor's address is null or not aligned.
    #[error("the symbol `trellis_plugin` is not a descriptor: {0}")]
    BadSymbol(&'static str),
    /// Other bytes than expected.
    #[error("the descriptor begins with {found:02x?} instead of the magic number")]
    Magic {
        /// The bytes found.
        found: [u8; 8],
    },
    /// Another major version.
    #[error(
        "built for ABI {found}.x, this host speaks {TRELLIS_ABI_MAJOR}.{TRELLIS_ABI_MINOR}: rebuild it with this version's SDK or header"
    )]
    Major {
        /// The plugin's.
        found: u16,
    },
    /// A minor version that this host does not know yet.
    #[error(
        "built for ABI {TRELLIS_ABI_MAJOR}.{found}, this host speaks only {TRELLIS_ABI_MAJOR}.{TRELLIS_ABI_MINOR}: update Trellis"
    )]
    MinorTooNew {
        /// The plugin's.
        found: u16,
    },
    /// A structure that is smaller than its first version.
    #[error("says that {what} has {found} bytes, but its first version has {least}")]
    TooSmall {
        /// The structure.
        what: &'static str,
        /// The size found.
        found: u32,
        /// The least size.
        least: u32,
    },
    /// A structure that is larger than this host's of the same version.
    #[error("says that {what} has {found} bytes, but in this ABI version it has {most}")]
    TooLarge {
        /// The structure.
        what: &'static str,
        /// The size found.
        found: u32,
        /// This host's size.
        most: u32,
    },
    /// It reads another version of the text form.
    #[error("reads version {found} of the text form, this host writes {TRELLIS_TEXT_VERSION}")]
    TextVersion {
        /// The plugin's.
        found: u32,
    },
    /// It reads another version of the image.
    #[error("reads version {found} of the program image, this host writes {TRELLIS_IMAGE_VERSION}")]
    ImageVersion {
        /// The plugin's.
        found: u32,
    },
    /// No kind of plugin.
    #[error("is of kind {found}, which this host does not know")]
    UnknownKind {
        /// The plugin's.
        found: u32,
    },
    /// A plugin of another kind is wanted.
    #[error("is {found}, but {wanted} is wanted")]
    WrongKind {
        /// What it is.
        found: &'static str,
        /// What is wanted.
        wanted: &'static str,
    },
    /// A pointer that must not be null.
    #[error("`{0}` is null")]
    Null(&'static str),
    /// A text that is not UTF-8.
    #[error("`{0}` is not UTF-8")]
    NotUtf8(&'static str),
    /// An id that cannot be written in a pipeline.
    #[error("`{0}` is not an id: lower-case letters, digits and dashes, beginning with a letter")]
    BadId(String),
}

/// What a plugin is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Decides programs.
    Engine,
    /// Answers queries.
    Solver,
    /// Transforms programs.
    Pass,
    /// Reads a language.
    FrontEnd,
}

impl Kind {
    /// With an article, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Engine => "an engine",
            Kind::Solver => "a solver",
            Kind::Pass => "a pass",
            Kind::FrontEnd => "a front end",
        }
    }
}

/// A descriptor that passed, with its texts.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// The descriptor itself.
    pub descriptor: &'static TrellisPlugin,
    /// What it is.
    pub kind: Kind,
    /// Its name in pipelines.
    pub id: &'static str,
    /// Its own version.
    pub version: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// SPDX expression.
    pub licence: &'static str,
    /// Its options as JSON.
    pub options: &'static str,
}

impl Checked {
    /// Fails unless it is of the kind wanted.
    pub fn expect(&self, wanted: Kind) -> Result<(), HandshakeError> {
        if self.kind == wanted {
            return Ok(());
        }
        Err(HandshakeError::WrongKind {
            found: self.kind.name(),
            wanted: wanted.name(),
        })
    }
}

/// Checks a descriptor, field by field in the order of the structure, reading no further than what
/// has been checked allows.
///
/// # Safety
/// `descriptor` is null or the address of a data symbol of at least 24 bytes (a smaller one cannot
/// be told from a larger); what a descriptor that passes points to stays for ever.
pub unsafe fn check(descriptor: *const TrellisPlugin) -> Result<Checked, HandshakeError> {
    if descriptor.is_null() {
        return Err(HandshakeError::BadSymbol("its address is null"));
    }
    if !descriptor.is_aligned() {
        return Err(HandshakeError::BadSymbol("it is not aligned"));
    }
    // SAFETY: the caller's promise covers the first fields; each is read alone.
    let (magic, major, minor, size) = unsafe {
        (
            (*descriptor).magic,
            (*descriptor).abi_major,
            (*descriptor).abi_minor,
            (*descriptor).size,
        )
    };
    if magic != TRELLIS_MAGIC {
        return Err(HandshakeError::Magic { found: magic });
    }
    if major != TRELLIS_ABI_MAJOR {
        return Err(HandshakeError::Major { found: major });
    }
    if minor > TRELLIS_ABI_MINOR {
        return Err(HandshakeError::MinorTooNew { found: minor });
    }
    grown::<TrellisPlugin>("TrellisPlugin", FIRST_DESCRIPTOR, size)?;
    // SAFETY: the descriptor says that it has so many bytes.
    let plugin = unsafe { copied(descriptor, size as usize) };
    fits::<TrellisHost>("TrellisHost", plugin.host_size)?;
    fits::<TrellisTask>("TrellisTask", plugin.task_size)?;
    if plugin.image_version != 0 && plugin.image_version != TRELLIS_IMAGE_VERSION {
        return Err(HandshakeError::ImageVersion {
            found: plugin.image_version,
        });
    }
    if plugin.text_version != 0 && plugin.text_version != TRELLIS_TEXT_VERSION {
        return Err(HandshakeError::TextVersion {
            found: plugin.text_version,
        });
    }
    let kind = tables(plugin)?;
    let id = text("id", plugin.id)?;
    if !valid_id(id) {
        return Err(HandshakeError::BadId(id.to_string()));
    }
    Ok(Checked {
        descriptor: plugin,
        kind,
        id,
        version: text("version", plugin.version)?,
        description: text("description", plugin.description)?,
        licence: text("licence", plugin.licence)?,
        options: text("options", plugin.options)?,
    })
}

/// Whether `id` may name a plugin.
pub fn valid_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Bytes of a descriptor of ABI 1.0 and 1.1, which knew engines and solvers.
const FIRST_DESCRIPTOR: u32 = offset_of!(TrellisPlugin, pass) as u32;

/// The descriptor with null for what a plugin of an older version does not have. Kept for ever, as the library is.
///
/// # Safety
/// `descriptor` points to `size` bytes, which are a descriptor's first fields.
unsafe fn copied(descriptor: *const TrellisPlugin, size: usize) -> &'static TrellisPlugin {
    let mut own = MaybeUninit::<TrellisPlugin>::zeroed();
    // SAFETY: both have as many bytes, and neither is part of the other; all of a descriptor's fields may be zero.
    unsafe {
        let (from, to) = (descriptor.cast::<u8>(), own.as_mut_ptr().cast::<u8>());
        std::ptr::copy_nonoverlapping(from, to, size.min(size_of::<TrellisPlugin>()));
        Box::leak(Box::new(own.assume_init()))
    }
}

/// A structure whose first version is this version.
fn fits<T>(what: &'static str, found: u32) -> Result<(), HandshakeError> {
    grown::<T>(what, size_of::<T>() as u32, found)
}

/// A structure that had `least` bytes in its first version.
fn grown<T>(what: &'static str, least: u32, found: u32) -> Result<(), HandshakeError> {
    let own = size_of::<T>() as u32;
    if found < least {
        return Err(HandshakeError::TooSmall { what, found, least });
    }
    if found > own {
        return Err(HandshakeError::TooLarge {
            what,
            found,
            most: own,
        });
    }
    Ok(())
}

fn tables(plugin: &'static TrellisPlugin) -> Result<Kind, HandshakeError> {
    match plugin.kind {
        TRELLIS_KIND_ENGINE => {
            // SAFETY: null or the address of a table that stays for ever.
            let engine = unsafe { plugin.engine.as_ref() };
            let engine = engine.ok_or(HandshakeError::Null("engine"))?;
            fits::<TrellisEngine>("TrellisEngine", engine.size)?;
            if engine.run.is_none() {
                return Err(HandshakeError::Null("engine.run"));
            }
            Ok(Kind::Engine)
        }
        TRELLIS_KIND_SOLVER => {
            // SAFETY: null or the address of a table that stays for ever.
            let (smt, sat) = unsafe { (plugin.smt.as_ref(), plugin.sat.as_ref()) };
            if smt.is_none() && sat.is_none() {
                return Err(HandshakeError::Null("smt and sat"));
            }
            if let Some(smt) = smt {
                check_smt(smt)?;
            }
            if let Some(sat) = sat {
                check_sat(sat)?;
            }
            Ok(Kind::Solver)
        }
        TRELLIS_KIND_PASS => {
            // SAFETY: null or the address of a table that stays for ever.
            let pass = unsafe { plugin.pass.as_ref() }.ok_or(HandshakeError::Null("pass"))?;
            fits::<TrellisPass>("TrellisPass", pass.size)?;
            if pass.run.is_none() {
                return Err(HandshakeError::Null("pass.run"));
            }
            Ok(Kind::Pass)
        }
        TRELLIS_KIND_FRONTEND => {
            // SAFETY: null or the address of a table that stays for ever.
            let frontend = unsafe { plugin.frontend.as_ref() };
            let frontend = frontend.ok_or(HandshakeError::Null("frontend"))?;
            fits::<TrellisFrontEnd>("TrellisFrontEnd", frontend.size)?;
            if frontend.run.is_none() {
                return Err(HandshakeError::Null("frontend.run"));
            }
            text("frontend.extensions", frontend.extensions)?;
            Ok(Kind::FrontEnd)
        }
        found => Err(HandshakeError::UnknownKind { found }),
    }
}

macro_rules! require {
    ($table:ident: $($name:ident)*) => {
        $(if $table.$name.is_none() {
            return Err(HandshakeError::Null(concat!(stringify!($table), ".", stringify!($name))));
        })*
    };
}

/// Checks that a table of SMT functions is complete.
pub fn check_smt(smt: &TrellisSmt) -> Result<(), HandshakeError> {
    fits::<TrellisSmt>("TrellisSmt", smt.size)?;
    require!(smt: open close signature add_terms assert push pop check value unsat_core generalize
        interpolate set_kind set_limits interrupt last_error);
    Ok(())
}

/// Checks that a table of SAT functions is complete.
pub fn check_sat(sat: &TrellisSat) -> Result<(), HandshakeError> {
    fits::<TrellisSat>("TrellisSat", sat.size)?;
    require!(sat: open close signature new_var add_clause assume solve value failed phase set_limits
        interrupt stats last_error);
    Ok(())
}

fn text(what: &'static str, at: *const c_char) -> Result<&'static str, HandshakeError> {
    if at.is_null() {
        return Err(HandshakeError::Null(what));
    }
    // SAFETY: not null, and by the header terminated and constant.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_str().map_err(|_| HandshakeError::NotUtf8(what))
}
