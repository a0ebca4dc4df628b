//! Syntax that differs between C and Rust.

use imbcore_base::Error;
use imbcore_base::Result;
use std::fmt::Write;

/// A target language of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetLanguage {
    /// C, from C99 on.
    C,
    /// Rust.
    Rust,
}

/// Maximum width of a line of array cells.
const WIDTH: usize = 110;

impl TargetLanguage {
    /// Parses a name.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "c" => Ok(Self::C),
            "rust" => Ok(Self::Rust),
            _ => Err(Error::parameter("to_source", "language", "\"c\" or \"rust\"", format!("{name:?}"))),
        }
    }

    /// Name of the Python method, for errors.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::C => "to_c",
            Self::Rust => "to_rust",
        }
    }

    /// A double literal that reads back exactly.
    pub(super) fn number(self, value: f64) -> String {
        let name = |c: &str, rust: &str| if self == Self::C { c.to_owned() } else { rust.to_owned() };
        if value.is_nan() {
            return name("NAN", "f64::NAN");
        }
        if value == f64::INFINITY {
            return name("INFINITY", "f64::INFINITY");
        }
        format!("{value:?}")
    }

    /// A string literal.
    pub(super) fn text(self, text: &str) -> String {
        if self == Self::Rust {
            return format!("{text:?}");
        }
        let mut literal = String::from("\"");
        for byte in text.bytes() {
            match byte {
                // A question mark may begin a trigraph.
                b'"' | b'\\' | b'?' => {
                    literal.push('\\');
                    literal.push(char::from(byte));
                }
                b' '..=b'~' => literal.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(literal, "\\{byte:03o}")),
            }
        }
        literal.push('"');
        literal
    }

    /// Declaration of the array for the numbers of a step.
    pub(super) fn declaration(self, step: usize, width: usize) -> String {
        match self {
            Self::C => format!("double v{step}[{width}];"),
            Self::Rust => format!("let mut v{step} = [0.0_f64; {width}];"),
        }
    }

    /// An array as a function argument.
    pub(super) fn borrowed(self, name: &str) -> String {
        match self {
            Self::C => name.to_owned(),
            Self::Rust => format!("&{name}"),
        }
    }

    /// An array as an output argument.
    pub(super) fn written(self, name: &str) -> String {
        match self {
            Self::C => name.to_owned(),
            Self::Rust => format!("&mut {name}"),
        }
    }

    /// Call of a function of one number.
    pub(super) fn called(self, function: &str, of: &str) -> String {
        match self {
            Self::C => format!("{function}({of})"),
            Self::Rust => {
                let method = if function == "log" { "ln" } else { function };
                format!("f64::{method}({of})")
            }
        }
    }

    /// Test for NaN.
    pub(super) fn is_missing(self, of: &str) -> String {
        match self {
            Self::C => format!("isnan({of})"),
            Self::Rust => format!("{of}.is_nan()"),
        }
    }

    /// Conditional expression.
    pub(super) fn either(self, test: &str, then: &str, other: &str) -> String {
        match self {
            Self::C => format!("{test} ? {then} : {other}"),
            Self::Rust => format!("if {test} {{ {then} }} else {{ {other} }}"),
        }
    }

    /// A constant truth value.
    pub(super) fn truth(self, truth: bool) -> &'static str {
        match (self, truth) {
            (Self::C, true) => "1",
            (Self::C, false) => "0",
            (Self::Rust, true) => "true",
            (Self::Rust, false) => "false",
        }
    }

    /// A constant array; `kind` is `f64`, `u32`, `u8` or `&str`.
    pub(super) fn array(self, name: &str, kind: &str, cells: &[String]) -> String {
        // C has no empty arrays.
        let none = [String::from("0")];
        let cells = if cells.is_empty() && self == Self::C { &none[..] } else { cells };
        let mut text = match self {
            Self::C => {
                let kind = match kind {
                    "f64" => "double",
                    "u32" => "uint32_t",
                    "u8" => "uint8_t",
                    _ => "char *const",
                };
                format!("static const {kind} {name}[{}] = {{", cells.len())
            }
            Self::Rust => format!("static {name}: [{kind}; {}] = [", cells.len()),
        };
        let mut column = WIDTH;
        for cell in cells {
            if column + cell.len() > WIDTH {
                text.push_str("\n   ");
                column = 3;
            }
            let _ = write!(text, " {cell},");
            column += cell.len() + 2;
        }
        text.push_str(if self == Self::C { "\n};\n" } else { "\n];\n" });
        text
    }
}

impl TargetLanguage {
    /// A condition in an if statement.
    pub(super) fn tested(self, test: &str) -> String {
        match self {
            Self::C => format!("({test})"),
            Self::Rust => test.to_owned(),
        }
    }

    /// Conversion of an integer to double.
    pub(super) fn to_double(self, number: &str) -> String {
        match self {
            Self::C => format!("(double) {number}"),
            Self::Rust => format!("{number} as f64"),
        }
    }

    /// Conversion of a double to an array index.
    pub(super) fn to_index(self, number: &str) -> String {
        match self {
            Self::C => format!("(size_t) {number}"),
            Self::Rust => format!("{number} as usize"),
        }
    }
}
