//! SQL expressions, with the properties needed to combine them.

use imbcore_core::Result;
use imbcore_core::memory::concat_strings;

/// SQL expression over the columns of a query.
#[derive(Clone, Debug)]
pub(super) struct SqlExpression {
    pub(super) text: String,
    pub(super) binding: OperatorPrecedence,
    /// Index of the first step of the query that has all columns that the expression uses.
    pub(super) step: usize,
    /// Depth of the syntax tree: the largest number of nested operators.
    pub(super) depth: usize,
    /// Nesting depth of CASE expressions and parentheses.
    pub(super) nested: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OperatorPrecedence {
    Sum,
    Product,
    Whole,
}

impl SqlExpression {
    /// Creates an expression from the text of a name, a literal, or a CASE over features.
    /// `nested` is the nesting depth of CASE expressions in the text.
    pub(super) fn from_row_text(text: String, nested: usize) -> Self {
        Self { text, binding: OperatorPrecedence::Whole, step: 0, depth: nested, nested }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the expression is so short that it may be written several times.
    ///
    /// A longer expression becomes a column of its own. `times` is the number of uses.
    pub(super) fn is_short(&self, times: usize) -> bool {
        self.nested == 0 && self.depth + times <= 3 || self.depth == 0
    }

    pub(super) fn parenthesize(self, must: bool) -> Result<Self> {
        if !must {
            return Ok(self);
        }
        let text = concat_strings(&["(", &self.text, ")"])?;
        Ok(Self { text, binding: OperatorPrecedence::Whole, nested: self.nested + 1, ..self })
    }
}
