//! SQL expressions, with the attributes needed to combine them.

use imbcore_core::Result;
use imbcore_core::memory::text;

/// Expression over the columns of a query.
#[derive(Clone, Debug)]
pub(super) struct SqlExpression {
    pub(super) text: String,
    pub(super) binding: Binding,
    /// First step of the query that may contain the expression: all its columns exist there.
    pub(super) step: usize,
    /// Largest number of operators on a path into the expression.
    pub(super) depth: usize,
    /// Nesting depth of CASE expressions and parentheses.
    pub(super) nested: usize,
}

/// Precedence of the outermost operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Whole,
}

impl SqlExpression {
    /// Creates an expression from a feature name, a literal, or CASE expressions about these.
    /// `nested` is the nesting depth of the CASE expressions.
    pub(super) fn of_row(text: String, nested: usize) -> Self {
        Self { text, binding: Binding::Whole, step: 0, depth: nested, nested }
    }

    /// Text of the expression.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether writing the expression `times` times is shorter than a separate column.
    pub(super) fn is_short(&self, times: usize) -> bool {
        self.nested == 0 && self.depth + times <= 3 || self.depth == 0
    }

    /// Adds parentheses if required.
    pub(super) fn parenthesize(self, must: bool) -> Result<Self> {
        if !must {
            return Ok(self);
        }
        let text = text(&["(", &self.text, ")"])?;
        Ok(Self { text, binding: Binding::Whole, nested: self.nested + 1, ..self })
    }
}
