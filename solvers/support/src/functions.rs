//! The functions of a foreign library as a table, found by name when it is loaded.

/// Declares `Functions`, a table of C functions with the library they come from, and `Functions::find`, which fills it
/// or names what is missing. First the prefix that the names have in the library.
///
/// The caller has the crate `libloading`, and promises that each type is the one of the library's header.
#[macro_export]
macro_rules! foreign_functions {
    ($prefix:literal; $( $name:ident ( $($arg:ty),* ) $(-> $ret:ty)?; )*) => {
        /// The functions, without their prefix.
        pub(crate) struct Functions {
            $( pub $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?, )*
            /// Keeps the code mapped.
            _library: ::libloading::Library,
        }

        impl Functions {
            /// Finds every function, or names those that are missing.
            pub fn find(library: ::libloading::Library) -> Result<Functions, String> {
                let mut missing = Vec::new();
                $(
                    let symbol = concat!($prefix, stringify!($name)).replace("r#", "");
                    // SAFETY: the type is the one of the library's header, as the caller promises.
                    let $name = unsafe {
                        library.get::<unsafe extern "C" fn($($arg),*) $(-> $ret)?>(symbol.as_bytes())
                    };
                    let $name = match $name {
                        Ok(function) => Some(*function),
                        Err(_) => {
                            missing.push(symbol);
                            None
                        }
                    };
                )*
                let ($(Some($name),)*) = ($($name,)*) else {
                    return Err(format!("the library lacks {}", missing.join(", ")));
                };
                Ok(Functions { $($name,)* _library: library })
            }
        }
    };
}
