//! Models as programs: one file of C or Rust without dependencies.
//!
//! Steps become statements that both languages share but for a few words ([`tongue`]); trees, tables and curves become arrays that small
//! functions walk through.

mod arrays;
mod frame;
mod statements;
mod tongue;

use crate::model::Model;
use frame::Names;
use imbcore_base::{Error, Result};
use statements::Writer;

pub use tongue::Language;

impl Model {
    /// The model as a program whose public names begin with `name`, where the language has no modules.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a name that is none; [`Error::Unsupported`] for a model or a level that cannot be written.
    pub fn to_source(&self, language: Language, name: &str) -> Result<String> {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let word = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
        if !word {
            let expected = "a name of letters, digits and underscores that begins with none of the digits";
            return Err(Error::parameter(language.method(), "name", expected, format!("{name:?}")));
        }
        let formula = self.formula()?;
        let names = Names::of(formula.schema, name, language)?;
        let mut writer = Writer::new(&formula, language);
        let body = writer.body(&formula);
        Ok(frame::written(&formula, &names, language, &writer, &body))
    }
}
