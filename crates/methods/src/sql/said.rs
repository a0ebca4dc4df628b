//! What is said of a row, as columns of a query, and what is made of such columns.

use imbcore_base::sql::{Dialect, Query};
use imbcore_base::{Error, PriorShift, Result, Schema};
use imbcore_tree::SqlStyle;

/// What is said of a row.
pub(super) struct Said {
    /// Columns of the probabilities; none where they cannot be written.
    pub(super) proba: Option<Vec<String>>,
    /// How the answer is found.
    pub(super) own: Own,
    /// Conditions under which there is no answer.
    pub(super) lacking: Vec<String>,
}

impl Said {
    /// Probabilities that are there for every row, of which the most is answered.
    pub(super) fn most(proba: Vec<String>) -> Self {
        Self { own: Own::Most(proba.clone()), proba: Some(proba), lacking: Vec::new() }
    }

    /// An expression that has no value where there is no answer.
    pub(super) fn guarded(&self, expression: String) -> String {
        if self.lacking.is_empty() {
            return expression;
        }
        format!("CASE WHEN {} THEN NULL ELSE {expression} END", self.lacking.join(" OR "))
    }

    /// The columns of the probabilities.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where they cannot be written.
    pub(super) fn probabilities(&self) -> Result<&[String]> {
        self.proba.as_deref().ok_or_else(|| {
            Error::Unsupported(
                "probabilities of nested boxes cannot be written as SQL; ask for output=\"class\" of a model without a threshold, costs or \
                 calibration"
                    .into(),
            )
        })
    }
}

/// The answer of what was fitted.
pub(super) enum Own {
    /// The class whose column holds the most, the lowest of equals.
    Most(Vec<String>),
    /// The class whose code a column holds.
    Code(String),
}

impl Own {
    /// An expression of what `says` is of the answered class.
    pub(super) fn says(&self, says: &[String]) -> String {
        match self {
            Self::Most(columns) => most(columns, says),
            Self::Code(column) => {
                let case = |(code, said): (usize, &String)| format!("WHEN {code} THEN {said}");
                let cases: Vec<String> = says.iter().enumerate().map(case).collect();
                format!("CASE {column} {} END", cases.join(" "))
            }
        }
    }
}

/// What is said of the first of the largest columns.
pub(super) fn most(columns: &[String], says: &[String]) -> String {
    chosen(columns, says, ">=")
}

/// What is said of the first column that compares so with all later ones, having failed to with none before.
pub(super) fn chosen(columns: &[String], says: &[String], compares: &str) -> String {
    let Some((last, before)) = says.split_last() else { return "NULL".to_owned() };
    if before.is_empty() {
        return last.clone();
    }
    let case = |(place, said): (usize, &String)| {
        let column = &columns[place];
        let all = columns[place + 1..].iter().map(|other| format!("{column} {compares} {other}"));
        format!("WHEN {} THEN {said}", all.collect::<Vec<_>>().join(" AND "))
    };
    let cases: Vec<String> = before.iter().enumerate().map(case).collect();
    format!("CASE {} ELSE {last} END", cases.join(" "))
}

/// How trees of many are written.
pub(super) fn plain(dialect: Dialect, schema: &Schema) -> SqlStyle<'_> {
    SqlStyle { dialect, schema, notes: false, indent: 2 }
}

/// Probabilities that are brought from the shares that were learnt to those of the data.
pub(super) fn shifted(
    shift: Option<&PriorShift>,
    query: &mut Query,
    votes: &[String],
) -> Result<Vec<String>> {
    match shift {
        None => Ok(votes.to_vec()),
        Some(shift) => normalised(query, votes, shift.factors()),
    }
}

/// Columns times factors, brought to a sum of 1.
pub(super) fn normalised(query: &mut Query, columns: &[String], factors: &[f64]) -> Result<Vec<String>> {
    let dialect = query.dialect();
    let product =
        |(column, factor): (&String, &f64)| query.add(format!("{column} * {}", dialect.number(*factor)));
    let products = columns.iter().zip(factors).map(product).collect::<Result<Vec<_>>>()?;
    query.close()?;
    shared(query, &products)
}

/// Columns over their sum.
pub(super) fn shared(query: &mut Query, columns: &[String]) -> Result<Vec<String>> {
    let total = columns.join(" + ");
    let found = columns.iter().map(|column| query.add(format!("{column} / ({total})"))).collect();
    query.close()?;
    found
}
