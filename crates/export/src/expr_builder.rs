//! Builder for the steps of a fitted model.

use crate::step::{ComparisonOp, ExportTree, LookupTable, Node, Op, Step};

/// Reference to the values that a step computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExprRef(usize);

impl ExprRef {
    /// Index of the step, counted from 0.
    pub fn step_index(self) -> usize {
        self.0
    }
}

/// Sequence of steps, each of which uses only results of earlier ones.
#[derive(Clone, Debug, Default)]
pub struct ExprBuilder {
    steps: Vec<Step>,
    /// Steps that compute level codes; if one of these codes is missing, a row has no prediction.
    required: Vec<ExprRef>,
    lookups: Vec<LookupTable>,
}

impl ExprBuilder {
    /// The steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Lookup tables of splits; a split refers to its table by the index in this list.
    pub(crate) fn lookup_tables(&self) -> &[LookupTable] {
        &self.lookups
    }

    /// Adds a lookup table unless an equal one exists; returns its index.
    pub fn add_lookup_table(&mut self, table: LookupTable) -> usize {
        self.lookups.iter().position(|other| *other == table).unwrap_or_else(|| {
            self.lookups.push(table);
            self.lookups.len() - 1
        })
    }

    /// Number of values that a step computes.
    pub fn width(&self, of: ExprRef) -> usize {
        self.steps[of.0].width
    }

    fn push_step(&mut self, op: Op, of: &[ExprRef], width: usize) -> ExprRef {
        self.steps.push(Step { op, of: of.iter().map(|vector| vector.0).collect(), width });
        ExprRef(self.steps.len() - 1)
    }

    /// Adds a step that computes `width` values from features of the row, without other steps.
    pub fn add_feature_step(&mut self, op: Op, width: usize) -> ExprRef {
        self.push_step(op, &[], width)
    }

    /// Computes the sum over trees of the values of the leaf that the row reaches.
    ///
    /// If a row reaches several leaves of a tree, their values are weighted.
    pub fn add_tree_sum(&mut self, trees: Vec<ExportTree>) -> ExprRef {
        let leaf_width = |node: &Node| match node {
            Node::Leaf { values } => Some(values.len()),
            Node::Split(_) => None,
        };
        let width = trees.first().and_then(|tree| tree.nodes.iter().find_map(leaf_width));
        self.add_feature_step(Op::Trees { trees }, width.unwrap_or_default())
    }

    /// Adds a step with constant values.
    pub fn constant(&mut self, values: &[f64]) -> ExprRef {
        self.push_step(Op::Constant { values: values.to_vec() }, &[], values.len())
    }

    /// Adds a step with a single constant value.
    pub fn constant_number(&mut self, value: f64) -> ExprRef {
        self.constant(&[value])
    }

    fn push_elementwise_step(&mut self, op: Op, of: &[ExprRef]) -> ExprRef {
        let width = of.iter().map(|&vector| self.width(vector)).max().unwrap_or_default();
        self.push_step(op, of, width)
    }

    /// Adds the values of two steps elementwise.
    pub fn plus(&mut self, a: ExprRef, b: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Add, &[a, b])
    }

    /// Subtracts the values of step `b` from those of step `a` elementwise.
    pub fn minus(&mut self, a: ExprRef, b: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Subtract, &[a, b])
    }

    /// Multiplies the values of two steps elementwise.
    pub fn times(&mut self, a: ExprRef, b: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Multiply, &[a, b])
    }

    /// Divides the values of step `a` by those of step `b` elementwise.
    pub fn divide(&mut self, a: ExprRef, b: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Divide, &[a, b])
    }

    /// Computes exponentials.
    pub fn exp(&mut self, of: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Exp, &[of])
    }

    /// Computes natural logarithms.
    pub fn log(&mut self, of: ExprRef) -> ExprRef {
        self.push_elementwise_step(Op::Log, &[of])
    }

    /// Selects `then` if the comparison of `left` with `right` is true, else `other`.
    pub fn select_if(
        &mut self,
        (left, test, right): (ExprRef, ComparisonOp, ExprRef),
        then: ExprRef,
        other: ExprRef,
    ) -> ExprRef {
        self.push_elementwise_step(Op::Choose { test }, &[left, right, then, other])
    }

    /// Computes the sum of all values of a step.
    pub fn sum(&mut self, of: ExprRef) -> ExprRef {
        self.push_step(Op::Sum, &[of], 1)
    }

    /// Computes the largest value of a step.
    pub fn largest(&mut self, of: ExprRef) -> ExprRef {
        self.push_step(Op::Largest, &[of], 1)
    }

    /// Computes the index of the first largest value of a step.
    pub fn index_of_first_largest(&mut self, of: ExprRef) -> ExprRef {
        self.push_step(Op::FirstLargest, &[of], 1)
    }

    /// Selects one value of a step.
    pub fn select(&mut self, of: ExprRef, at: usize) -> ExprRef {
        self.push_step(Op::Part { at }, &[of], 1)
    }

    /// Concatenates steps.
    pub fn concatenate(&mut self, of: &[ExprRef]) -> ExprRef {
        if let [one] = of {
            return *one;
        }
        let width = of.iter().map(|&vector| self.width(vector)).sum();
        self.push_step(Op::Join, of, width)
    }

    /// Selects the row of a table by one or more codes.
    ///
    /// `sizes` has the number of possible values of each code.
    pub fn look_up_table_row(
        &mut self,
        codes: &[ExprRef],
        sizes: Vec<usize>,
        rows: Vec<Vec<f64>>,
    ) -> ExprRef {
        let width = rows.first().map_or(0, Vec::len);
        self.push_step(Op::Table { sizes, rows }, codes, width)
    }

    /// Applies an operation that is a function of one number.
    pub fn apply_unary_op(&mut self, op: Op, of: ExprRef) -> ExprRef {
        self.push_step(op, &[of], 1)
    }

    /// Makes codes required: a row in which one of these codes is missing has no prediction.
    pub fn require_codes_present(&mut self, codes: impl IntoIterator<Item = ExprRef>) {
        self.required.extend(codes);
    }

    /// Computes 1 if one of `features` or a required code is missing, else 0.
    /// `None` if there are neither features nor required codes.
    pub fn add_any_missing_flag(&mut self, features: Vec<usize>) -> Option<ExprRef> {
        let codes = std::mem::take(&mut self.required);
        let any = !features.is_empty() || !codes.is_empty();
        any.then(|| self.push_step(Op::AnyMissing { features }, &codes, 1))
    }

    /// Divides the values of a step by their sum.
    pub fn normalize(&mut self, of: ExprRef) -> ExprRef {
        let total = self.sum(of);
        self.divide(of, total)
    }

    /// Multiplies the values of a step by factors, and divides the products by their sum.
    pub fn reweight(&mut self, of: ExprRef, factors: &[f64]) -> ExprRef {
        let factors = self.constant(factors);
        let products = self.times(of, factors);
        self.normalize(products)
    }

    /// Computes the probabilities of two classes from the probability `p` of one class.
    ///
    /// `p` is the probability of the second class if `is_second`, else of the first class.
    pub fn two_class_proba(&mut self, p: ExprRef, is_second: bool) -> ExprRef {
        let one = self.constant_number(1.0);
        let other = self.minus(one, p);
        self.concatenate(&if is_second { [other, p] } else { [p, other] })
    }

    /// Computes `1 / (1 + exp(-z))` with an exponential that cannot overflow.
    pub fn logistic(&mut self, z: ExprRef) -> ExprRef {
        let [zero, one] = [0.0, 1.0].map(|number| self.constant_number(number));
        let turned = self.minus(zero, z);
        let small = self.select_if((zero, ComparisonOp::AtMost, z), turned, z);
        let small = self.exp(small);
        let top = self.select_if((zero, ComparisonOp::AtMost, z), one, small);
        let whole = self.plus(one, small);
        self.divide(top, whole)
    }

    /// Whether predictions may differ in their last bits between platforms (math libraries).
    pub fn is_platform_dependent(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.op, Op::Exp | Op::Log))
    }

    /// Removes all steps that the results `wanted` do not need.
    ///
    /// Returns the remaining steps, and the references `wanted` with the new indices of their steps.
    #[must_use]
    pub(crate) fn retain_steps(self, wanted: &[ExprRef]) -> (Self, Vec<ExprRef>) {
        let mut needed = vec![false; self.steps.len()];
        for vector in wanted {
            needed[vector.0] = true;
        }
        // Each step comes after the steps that it uses, so one backward pass finds all needed steps.
        for (at, step) in self.steps.iter().enumerate().rev() {
            if needed[at] {
                step.of.iter().for_each(|&of| needed[of] = true);
            }
        }
        let mut places = Vec::with_capacity(needed.len());
        let mut n_kept = 0;
        for &needed in &needed {
            places.push(n_kept);
            n_kept += usize::from(needed);
        }
        let moved = |step: Step| Step { of: step.of.iter().map(|&at| places[at]).collect(), ..step };
        let steps = self.steps.into_iter().zip(&needed).filter(|(_, needed)| **needed);
        let kept = Self {
            steps: steps.map(|(step, _)| moved(step)).collect(),
            required: Vec::new(),
            lookups: self.lookups,
        };
        (kept, wanted.iter().map(|vector| ExprRef(places[vector.0])).collect())
    }

    /// Features used by the steps, ascending.
    pub fn features(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.steps.iter().flat_map(|step| step.op.features()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_steps_are_removed() {
        let mut builder = ExprBuilder::default();
        let (one, unused, two) =
            (builder.constant_number(1.0), builder.constant_number(5.0), builder.constant_number(2.0));
        builder.plus(unused, one);
        let three = builder.plus(one, two);
        let (kept, wanted) = builder.retain_steps(&[three, one]);
        assert_eq!(kept.steps().len(), 3);
        assert_eq!(wanted.iter().map(|vector| vector.step_index()).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(kept.steps()[2].of, [0, 1]);
    }
}
