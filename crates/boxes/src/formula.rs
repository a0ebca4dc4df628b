//! Box drawings as steps of a formula: a rule a box.

use crate::drawing::NO_BOX;
use crate::model::BoxModel;
use imbcore_base::Schema;
use imbcore_base::formula::{Draft, Op, Rule, Vector};

impl BoxModel {
    /// Adds the class of the answer, and the probability of the positive class, which nested boxes have none of; `columns` are the
    /// features that the boxes see.
    pub fn draft(&self, draft: &mut Draft, schema: &Schema, columns: &[usize]) -> (Vector, Option<Vector>) {
        let rules = self.rules(schema, true);
        let mut first = |says: &dyn Fn(u32) -> f64| {
            let rule = |number: usize| Rule {
                all: rules.wanted(number, |feature| columns[feature]),
                values: vec![says(number as u32)],
            };
            let rules = (0..self.drawing().n_boxes()).map(rule).collect();
            draft.of_row(Op::Rules { rules, otherwise: vec![says(NO_BOX)] }, 1)
        };
        let positive = f64::from(self.positive());
        let class = first(&|number| if number == NO_BOX { 1.0 - positive } else { positive });
        let p = self.box_scores().map(|scores| {
            let score = |number: u32| scores.get(number as usize).or(scores.last()).copied();
            first(&|number| score(number).unwrap_or_default())
        });
        (class, p)
    }
}
