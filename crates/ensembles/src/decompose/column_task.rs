//! The two-class tasks of the columns, and the seeds of the members.

use super::code_book::CodeBook;
use super::model::ColumnPredictor;
use imbcore_core::{Dataset, Error, Result, RunContext, SeedKey, parallel, random_below, rarest_class, tags};
use std::sync::atomic::{AtomicU64, Ordering};

/// Training task of one member.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnTask {
    /// Rows whose class the task does not omit; `None` for all rows.
    pub rows: Option<Vec<u32>>,
    /// For each row of the task, 1 if its class is positive, and 0 if it is negative.
    pub positive: Vec<u32>,
    /// Constant prediction; `None` if a model must be fitted.
    ///
    /// If all rows with positive weight have the same label, the prediction is this label, 1 or 0. If no row
    /// has positive weight, it is 1/2.
    pub constant: Option<f64>,
    /// Label with less total weight: 1 for positive, 0 for negative; 1 on ties.
    pub rarer: u32,
}

impl ColumnTask {
    /// Creates the task of `column` for rows with these classes and weights.
    pub fn new(book: &CodeBook, column: usize, classes: &[u32], weights: Option<&[f64]>) -> Self {
        let part: Vec<i8> = book.column(column).collect();
        let bit = |row: usize| part[classes[row] as usize];
        let rows: Option<Vec<u32>> = part
            .contains(&-1)
            .then(|| (0..classes.len() as u32).filter(|&row| bit(row as usize) >= 0).collect());
        let mut mass = [0.0; 2];
        let mut side = |row: usize| {
            let positive = usize::from(bit(row) == 1);
            mass[positive] += weights.map_or(1.0, |weights| weights[row]);
            positive as u32
        };
        let positive = match &rows {
            Some(rows) => rows.iter().map(|&row| side(row as usize)).collect(),
            None => (0..classes.len()).map(side).collect(),
        };
        let constant = match mass.map(|mass| mass > 0.0) {
            [true, true] => None,
            [false, true] => Some(1.0),
            [true, false] => Some(0.0),
            [false, false] => Some(0.5),
        };
        Self { rows, positive, constant, rarer: rarest_class(&mass) }
    }
}

/// Seed of a member, in the range that scikit-learn accepts.
///
/// All random streams of the member derive from this seed. A model fitted from Python with this seed
/// therefore equals the member.
pub fn member_seed(key: SeedKey, member: usize) -> u32 {
    random_below(&mut key.child(tags::wrapped::MEMBER, member as u32).rng(), u32::MAX)
}

/// Fits one member per column with `learn`, in parallel.
///
/// # Errors
/// Same errors as `learn`; [`Error::Cancelled`].
pub fn fit_members<M: Send>(
    book: &CodeBook,
    data: &Dataset<'_>,
    key: SeedKey,
    ctl: RunContext<'_>,
    learn: impl Fn(&Dataset<'_>, SeedKey, RunContext<'_>) -> Result<M> + Sync,
) -> Result<Vec<ColumnPredictor<M>>> {
    if book.n_classes() != data.n_classes() {
        return Err(Error::Internal("the code book is for another number of classes".into()));
    }
    let (done, total) = (AtomicU64::new(0), book.n_columns() as u64);
    parallel::try_map(0..book.n_columns(), |column| {
        ctl.check()?;
        let task = ColumnTask::new(book, column, data.class_codes(), data.weights());
        let member_key = SeedKey::root(u64::from(member_seed(key, column)));
        let member = fit_member(&task, data, ctl, |data| learn(data, member_key, ctl.without_observer()))?;
        ctl.report_progress("columns", done.fetch_add(1, Ordering::Relaxed) + 1, total);
        Ok(member)
    })
}

fn fit_member<M>(
    task: &ColumnTask,
    data: &Dataset<'_>,
    ctl: RunContext<'_>,
    learn: impl FnOnce(&Dataset<'_>) -> Result<M>,
) -> Result<ColumnPredictor<M>> {
    if let Some(p) = task.constant {
        return Ok(ColumnPredictor::Constant(p));
    }
    let Some(rows) = &task.rows else {
        let part = Dataset::new(data.frame().clone(), &task.positive, 2, data.weights())?;
        let part = part.with_dependence(data.dependence());
        return Ok(ColumnPredictor::Fitted(learn(&part)?));
    };
    let frame = data.frame().take(rows, ctl)?;
    let weights: Option<Vec<f64>> =
        data.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
    let part = Dataset::new(frame.borrow()?, &task.positive, 2, weights.as_deref())?;
    let dependence = data.dependence().take(rows.iter().copied());
    Ok(ColumnPredictor::Fitted(learn(&part.with_dependence(dependence.borrow()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_outside_a_pair_are_omitted() {
        let book = CodeBook::one_vs_one(3).unwrap();
        let task = ColumnTask::new(&book, 1, &[0, 1, 2, 2, 0], None);
        assert_eq!(
            task,
            ColumnTask { rows: Some(vec![0, 2, 3, 4]), positive: vec![0, 1, 1, 0], constant: None, rarer: 1 }
        );
    }

    #[test]
    fn one_sided_columns_have_a_constant() {
        let book = CodeBook::one_vs_all(3).unwrap();
        let constant = |column, classes: &[u32], weights: Option<&[f64]>| {
            ColumnTask::new(&book, column, classes, weights).constant
        };
        assert_eq!(constant(2, &[0, 1, 1], None), Some(0.0));
        assert_eq!(constant(1, &[1, 1], None), Some(1.0));
        assert_eq!(constant(0, &[0, 1, 1], None), None);
        assert_eq!(constant(0, &[0, 1, 1], Some(&[0.0, 1.0, 1.0])), Some(0.0));
        let pairs = CodeBook::one_vs_one(3).unwrap();
        assert_eq!(ColumnTask::new(&pairs, 2, &[0, 0], None).constant, Some(0.5));
    }
}
