//! Sums of many terms.

use super::Query;
use crate::error::Result;

/// Terms of a sum in one step: databases read expressions of a limited depth.
const TERMS: usize = 64;

/// Sums of many terms, in their order, over as many steps of a query as it takes.
#[derive(Debug)]
pub struct Sums {
    terms: Vec<Vec<String>>,
}

impl Sums {
    /// So many sums without terms.
    pub fn new(width: usize) -> Self {
        Self { terms: vec![Vec::new(); width] }
    }

    /// Adds a term to each sum.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn add(&mut self, query: &mut Query, terms: Vec<String>) -> Result<()> {
        for (all, term) in self.terms.iter_mut().zip(terms) {
            all.push(term);
        }
        if self.terms.first().is_some_and(|terms| terms.len() > TERMS) {
            let columns = self.close(query)?;
            self.terms = columns.into_iter().map(|column| vec![column]).collect();
        }
        Ok(())
    }

    /// The columns of the sums, in a step that is closed.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn close(&mut self, query: &mut Query) -> Result<Vec<String>> {
        let columns = self.terms.iter_mut().map(|terms| query.add(std::mem::take(terms).join("\n    + ")));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        query.close()?;
        Ok(columns)
    }
}
