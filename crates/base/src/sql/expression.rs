//! Expressions, with what counts where they are put together.

use crate::error::Result;
use crate::memory::text;

/// An expression about the columns of a query.
#[derive(Clone, Debug)]
pub struct Expression {
    pub(super) text: String,
    pub(super) binding: Binding,
    /// The step of the query in which it may stand first: all its columns are known there.
    pub(super) step: usize,
    /// Operators on the longest way into it.
    pub(super) depth: usize,
    /// CASE expressions and brackets inside each other.
    pub(super) nested: usize,
}

/// How strongly the outermost operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Whole,
}

impl Expression {
    /// A name of a feature, a literal, or CASE expressions about these, so many inside each other.
    pub fn of_row(text: String, nested: usize) -> Self {
        Self { text, binding: Binding::Whole, step: 0, depth: nested, nested }
    }

    /// What stands in the query.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether writing it so often is shorter than a column of its own.
    pub fn is_short(&self, times: usize) -> bool {
        self.nested == 0 && self.depth + times <= 3 || self.depth == 0
    }

    /// In brackets, where it must be.
    pub(super) fn bracketed(self, must: bool) -> Result<Self> {
        if !must {
            return Ok(self);
        }
        let text = text(&["(", &self.text, ")"])?;
        Ok(Self { text, binding: Binding::Whole, nested: self.nested + 1, ..self })
    }
}
