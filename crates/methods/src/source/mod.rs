//! Export of models as programs: one file of C or Rust without dependencies.
//!
//! Steps become statements, which both languages share except for some syntax ([`language`]). Trees, tables and curves
//! become arrays that helper functions process.

mod arrays;
mod frame;
mod language;
mod statements;

use crate::model::Model;
use frame::ProgramNames;
use imbcore_base::{Error, Result};
use statements::StatementWriter;

pub use language::TargetLanguage;

impl Model {
    /// Exports the model as a program.
    ///
    /// In a language without modules, `name` is the prefix of its public names.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an invalid name; [`Error::Unsupported`] for a model or level that cannot be exported.
    pub fn to_source(&self, language: TargetLanguage, name: &str) -> Result<String> {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let word = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
        if !word {
            let expected = "a name of letters, digits and underscores that does not begin with a digit";
            return Err(Error::parameter(language.method(), "name", expected, format!("{name:?}")));
        }
        let formula = self.formula()?;
        let names = ProgramNames::new(formula.schema, name, language)?;
        let mut writer = StatementWriter::new(&formula, language);
        let body = writer.body(&formula);
        Ok(frame::written(&formula, &names, language, &writer, &body))
    }
}
