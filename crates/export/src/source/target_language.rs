//! Syntax that differs between C and Rust.

use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{Error, Result};
use std::fmt::Write;

/// Target language of an export as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetLanguage {
    /// C, from C99 on.
    C,
    /// Rust.
    Rust,
}

/// Maximum number of characters of a line of array cells.
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

    pub(super) fn pick_by_language<T>(self, c: T, rust: T) -> T {
        match self {
            Self::C => c,
            Self::Rust => rust,
        }
    }

    pub(super) fn python_export_method(self) -> &'static str {
        self.pick_by_language("to_c", "to_rust")
    }

    /// Writes a double other than -infinity as a literal that has exactly this value.
    pub(super) fn number_literal(self, value: f64) -> String {
        if value.is_nan() {
            return self.pick_by_language("NAN", "f64::NAN").to_owned();
        }
        if value == f64::INFINITY {
            return self.pick_by_language("INFINITY", "f64::INFINITY").to_owned();
        }
        format!("{value:?}")
    }

    pub(super) fn string_literal(self, text: &str) -> String {
        if self == Self::Rust {
            return format!("{text:?}");
        }
        let mut literal = String::from("\"");
        for byte in text.bytes() {
            match byte {
                // In C, two question marks may begin a trigraph, so they are escaped.
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

    /// Source code that declares the variable array for the numbers of a step.
    pub(super) fn array_declaration(self, step: usize, width: usize) -> String {
        self.pick_by_language(
            format!("double v{step}[{width}];"),
            format!("let mut v{step} = [0.0_f64; {width}];"),
        )
    }

    pub(super) fn array_parameter(self, name: &str) -> String {
        self.pick_by_language(name.to_owned(), format!("&{name}"))
    }

    pub(super) fn output_parameter(self, name: &str) -> String {
        self.pick_by_language(name.to_owned(), format!("&mut {name}"))
    }

    pub(super) fn function_call(self, function: &str, of: &str) -> String {
        let method = if function == "log" { "ln" } else { function };
        self.pick_by_language(format!("{function}({of})"), format!("f64::{method}({of})"))
    }

    pub(super) fn missing_value_test(self, of: &str) -> String {
        self.pick_by_language(format!("isnan({of})"), format!("{of}.is_nan()"))
    }

    pub(super) fn conditional_expression(self, test: &str, then: &str, other: &str) -> String {
        self.pick_by_language(
            format!("{test} ? {then} : {other}"),
            format!("if {test} {{ {then} }} else {{ {other} }}"),
        )
    }

    pub(super) fn boolean_literal(self, truth: bool) -> &'static str {
        if truth { self.pick_by_language("1", "true") } else { self.pick_by_language("0", "false") }
    }

    pub(super) fn number_literals(self, numbers: &[f64]) -> impl ExactSizeIterator<Item = String> {
        numbers.iter().map(move |&number| self.number_literal(number))
    }

    /// Writes a constant array; `kind` is `f64`, `u32`, `u8` or `&str`.
    pub(super) fn write_array(
        self,
        text: &mut TextBuffer,
        (name, kind): (&str, &str),
        cells: impl ExactSizeIterator<Item = String>,
    ) -> Result<()> {
        // C has no empty arrays.
        let extra = (cells.len() == 0 && self == Self::C).then(|| String::from("0"));
        let n = cells.len() + usize::from(extra.is_some());
        let c_kind = match kind {
            "f64" => "double",
            "u32" => "uint32_t",
            "u8" => "uint8_t",
            _ => "char *const",
        };
        match self {
            Self::C => write!(text, "static const {c_kind} {name}[{n}] = {{")?,
            Self::Rust => write!(text, "static {name}: [{kind}; {n}] = [")?,
        }
        let mut column = WIDTH;
        for cell in cells.chain(extra) {
            if column + cell.len() > WIDTH {
                text.push_str("\n   ")?;
                column = 3;
            }
            write!(text, " {cell},")?;
            column += cell.len() + 2;
        }
        text.push_str(self.pick_by_language("\n};\n", "\n];\n"))
    }

    pub(super) fn if_condition(self, test: &str) -> String {
        self.pick_by_language(format!("({test})"), test.to_owned())
    }

    pub(super) fn double_cast_expression(self, number: &str) -> String {
        self.pick_by_language(format!("(double) {number}"), format!("{number} as f64"))
    }

    pub(super) fn index_cast_expression(self, number: &str) -> String {
        self.pick_by_language(format!("(size_t) {number}"), format!("{number} as usize"))
    }
}
