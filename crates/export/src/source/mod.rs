//! Export of models as programs: one file of C or Rust without dependencies.
//!
//! Each step becomes statements, which differ little between the two languages ([`target_language`]). Trees,
//! tables and curves become constant arrays, which helper functions of the program process.

mod program_template;
mod statements;
mod target_language;
mod tree_arrays;

use crate::formula::Formula;
use imbcore_core::{Error, Result};
use program_template::ProgramNames;
use statements::StatementWriter;

pub use target_language::TargetLanguage;

impl Formula<'_> {
    /// Exports the model as a program that computes the probabilities and the class of a row.
    ///
    /// In C, which has no modules, `name` is the prefix of all public names.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an invalid name; [`Error::Unsupported`] for a level that cannot be exported.
    pub fn to_source(&self, language: TargetLanguage, name: &str) -> Result<String> {
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_letter) || !name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            let expected = "a name of letters, digits and underscores that does not begin with a digit";
            return Err(Error::parameter(
                language.python_export_method(),
                "name",
                expected,
                format!("{name:?}"),
            ));
        }
        let names = ProgramNames::new(self.schema, name, language)?;
        let mut writer = StatementWriter::new(self, language);
        let body = writer.write_body(self)?;
        program_template::write_program(self, &names, language, &writer, body.as_str())
    }
}
