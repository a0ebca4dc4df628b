//! Export of models as programs: one file of C or Rust without dependencies.
//!
//! Steps become statements, which both languages share except for some syntax ([`language`]). Trees, tables and curves
//! become arrays that helper functions process.

mod arrays;
mod language;
mod program;
mod statements;

use crate::formula::Formula;
use imbcore_core::{Error, Result};
use program::ProgramNames;
use statements::StatementWriter;

pub use language::TargetLanguage;

impl Formula<'_> {
    /// Exports the model as a program.
    /// The outputs are the probabilities and the class.
    ///
    /// In a language without modules, `name` is the prefix of its public names.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an invalid name; [`Error::Unsupported`] for a level that cannot be exported.
    pub fn to_source(&self, language: TargetLanguage, name: &str) -> Result<String> {
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_letter) || !name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            let expected = "a name of letters, digits and underscores that does not begin with a digit";
            return Err(Error::parameter(language.method(), "name", expected, format!("{name:?}")));
        }
        let names = ProgramNames::new(self.schema, name, language)?;
        let mut writer = StatementWriter::new(self, language);
        let body = writer.body(self)?;
        program::written(self, &names, language, &writer, body.as_str())
    }
}
