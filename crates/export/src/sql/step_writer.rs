//! Expression steps as columns of an SQL query.
//!
//! Every number of a step has an expression. If it is used once, the expression is written inside the
//! expression that uses it. If it is used several times, it becomes a column, unless it is very short.

use super::fractional::FractionalLeaves;
use super::operations::step_expression;
use super::{SqlExpression, SqlNames, SqlQuery};
use crate::step::{ExportTree, Op, Step};
use imbcore_core::{Error, Result};

pub(super) struct StepWriter<'s> {
    pub(super) query: SqlQuery,
    words: SqlNames<'s>,
    steps: &'s [Step],
    /// For each number of each step, how often the expressions of later steps contain it.
    uses: Vec<Vec<usize>>,
    /// Expressions written so far.
    cells: Vec<Vec<Option<SqlExpression>>>,
    /// Label literals of the classes for each step that computes a class; empty for other steps.
    labels: Vec<&'s [String]>,
    /// Number of nodes of all trees in which rows may have fractional weights.
    n_shared: usize,
}

impl<'s> StepWriter<'s> {
    pub(super) fn new(query: SqlQuery, words: SqlNames<'s>, steps: &'s [Step]) -> Self {
        let none = |step: &Step| vec![None; step.width];
        Self {
            query,
            words,
            steps,
            uses: steps.iter().map(|step| vec![0; step.width]).collect(),
            cells: steps.iter().map(none).collect(),
            labels: vec![&[]; steps.len()],
            n_shared: 0,
        }
    }

    /// Writes all steps, and returns the expressions of the numbers of the step `asked`.
    ///
    /// `refused` is the step that marks rows without a prediction; it is not written here.
    pub(super) fn write(&mut self, asked: usize, refused: Option<usize>) -> Result<Vec<SqlExpression>> {
        (0..self.steps[asked].width).for_each(|at| self.increase_use_count(asked, at, 1));
        if let Some(refused) = refused {
            self.increase_use_count(refused, 0, 1);
        }
        for step in (0..self.steps.len()).rev() {
            for at in 0..self.uses[step].len() {
                if self.uses[step][at] > 0 {
                    self.count_operand_uses(step, at);
                }
            }
        }
        for step in (0..self.steps.len()).filter(|&step| refused != Some(step)) {
            self.write_step(step)?;
        }
        Ok(self.take_expressions((0..self.steps[asked].width).map(|at| (asked, at)).collect()))
    }

    /// Makes the step that computes the class code write class labels instead of codes.
    pub(super) fn set_class_labels(&mut self, step: usize, labels: &'s [String]) -> Result<()> {
        let mut left = vec![step];
        while let Some(step) = left.pop() {
            let (step, _) = self.find_computing_step(step, 0);
            match &self.steps[step].op {
                Op::Choose { .. } => left.extend(&self.steps[step].of[2..]),
                Op::Constant { .. } | Op::Rules { .. } | Op::Table { .. } | Op::FirstLargest => {}
                Op::Trees { trees } if trees.len() == 1 && !trees[0].has_fractional_splits() => {}
                _ => return Err(Error::Internal("a step without classes cannot write labels".into())),
            }
            self.labels[step] = labels;
        }
        Ok(())
    }

    /// Finds the step that really computes a number, and the index of the number in this step.
    ///
    /// Steps that only select or join numbers of other steps are skipped. A step with only one number is
    /// broadcast.
    fn find_computing_step(&self, mut step: usize, mut at: usize) -> (usize, usize) {
        loop {
            let Step { op, of, width } = &self.steps[step];
            at = if *width == 1 { 0 } else { at };
            match op {
                Op::Part { at: place } => (step, at) = (of[0], *place),
                Op::Join => {
                    for &part in of {
                        step = part;
                        if at < self.steps[part].width {
                            break;
                        }
                        at -= self.steps[part].width;
                    }
                }
                _ => return (step, at),
            }
        }
    }

    fn increase_use_count(&mut self, step: usize, at: usize, times: usize) {
        let (step, at) = self.find_computing_step(step, at);
        self.uses[step][at] += times;
    }

    fn operands(&self, step: usize, at: usize) -> Vec<(usize, usize)> {
        let Step { op, of, .. } = &self.steps[step];
        match op {
            // Steps that select or join numbers get no expression of their own. [`Self::find_computing_step`]
            // replaces their numbers by the original numbers.
            Op::Part { .. } | Op::Join => Vec::new(),
            Op::Sum | Op::Largest | Op::FirstLargest => {
                (0..self.steps[of[0]].width).map(|at| (of[0], at)).collect()
            }
            _ => of.iter().map(|&of| (of, at)).collect(),
        }
    }

    /// Increases the use counts of the operands of one number of a step.
    ///
    /// `at` is the index of the number. The count of an operand grows by the number of times that the SQL
    /// expression of the number contains the operand.
    fn count_operand_uses(&mut self, step: usize, at: usize) {
        let made_of = self.operands(step, at);
        let times = match &self.steps[step].op {
            Op::Exp => 2,
            Op::Largest | Op::FirstLargest => made_of.len(),
            Op::Curve { places, .. } | Op::Stairs { places, .. } => 2 * places.len(),
            _ => 1,
        };
        for (step, at) in made_of {
            self.increase_use_count(step, at, times);
        }
    }

    fn sql_names_for_step(&self, step: usize) -> SqlNames<'s> {
        SqlNames { labels: self.labels[step], ..self.words }
    }

    /// Returns the SQL expressions of some numbers, given by step and index.
    ///
    /// An expression that is used several times is cloned; any other expression is moved.
    fn take_expressions(&mut self, numbers: Vec<(usize, usize)>) -> Vec<SqlExpression> {
        let mut taken = Vec::with_capacity(numbers.len());
        for (step, at) in numbers {
            let (step, at) = self.find_computing_step(step, at);
            let cell = &mut self.cells[step][at];
            taken.extend(if self.uses[step][at] > 1 { cell.clone() } else { cell.take() });
        }
        taken
    }

    fn write_step(&mut self, step: usize) -> Result<()> {
        let Step { op, width, .. } = &self.steps[step];
        let (op, width, words) = (op, *width, self.sql_names_for_step(step));
        let shared = match op {
            Op::Trees { trees } if trees.iter().any(ExportTree::has_fractional_splits) => Some(
                FractionalLeaves::add_node_weight_columns(trees, &mut self.n_shared, &mut self.query, words)?,
            ),
            _ => None,
        };
        for at in 0..width {
            let uses = self.uses[step][at];
            if uses > 0 {
                let of = self.take_expressions(self.operands(step, at));
                let written = match &shared {
                    Some(shared) => shared.output_sum_expression(at, &mut self.query)?,
                    None => step_expression((op, at), of, words, &mut self.query)?,
                };
                let is_column = uses > 1 && !written.is_short(uses);
                self.cells[step][at] =
                    Some(if is_column { self.query.add_column(written)? } else { written });
            }
        }
        Ok(())
    }

    /// Condition that the value of a step is not 0.
    /// This must be called after all other steps are written.
    pub(super) fn nonzero_condition(&mut self, step: usize) -> Result<String> {
        let of = self.take_expressions(self.operands(step, 0));
        match &self.steps[step].op {
            Op::AnyMissing { features } => self.words.missing_condition(features, &of),
            op => {
                let condition = step_expression((op, 0), of, self.words, &mut self.query)?;
                Ok(format!("{} <> {}", condition.text(), self.words.dialect.number_literal(0.0)))
            }
        }
    }
}
