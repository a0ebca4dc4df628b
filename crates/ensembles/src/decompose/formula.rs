//! Conversion of decompositions to expressions for export.

use super::code_book::CodeBook;
use super::decoding::Decoding;
use super::model::{ClassDecomposition, ColumnMember};
use imbcore_core::{Error, Result, RunContext};
use imbcore_export::{ClassExpr, ComparisonOp, ExprBuilder, ExprFeatures, ExprRef, ToExpr};

impl<M: ToExpr> ToExpr for ClassDecomposition<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<ClassExpr> {
        let decoding = self.decoding();
        if !matches!(decoding, Decoding::Normalize | Decoding::Sum | Decoding::Hamming | Decoding::Vote) {
            return Err(Error::Unsupported(
            "a decomposition with decoding by coupling or by logarithms cannot be exported; export its members, or fit with \
             decoding=\"sum\" or \"vote\""
                .into(),
        ));
        }
        let (mut columns, ctl) = (Vec::new(), RunContext::silent());
        for member in self.members() {
            ctl.check()?;
            columns.push(match member {
                ColumnMember::Constant(p) => builder.number(*p),
                ColumnMember::Fitted(fitted) => {
                    let proba = fitted.to_expr(builder, features)?.proba()?;
                    builder.select(proba, 1)
                }
            });
        }
        let p = builder.concatenate(&columns);
        let proba = if decoding == Decoding::Normalize {
            let claimed = builder.sum(p);
            let [zero, shares] =
                [&[0.0][..], self.class_proportions()].map(|numbers| builder.constant(numbers));
            let proba = builder.divide(p, claimed);
            builder.select_if((claimed, ComparisonOp::Equal, zero), shares, proba)
        } else {
            let one = builder.number(1.0);
            let rest = builder.minus(one, p);
            let [given, rest] = [p, rest]
                .map(|p| if decoding == Decoding::Sum { p } else { vote_of_probability(p, builder) });
            let scores = class_sums(self.book(), (given, rest), builder);
            builder.normalize(scores)
        };
        Ok(ClassExpr::from_proba(proba))
    }
}

fn vote_of_probability(p: ExprRef, builder: &mut ExprBuilder) -> ExprRef {
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| builder.number(number));
    let above = builder.select_if((p, ComparisonOp::Equal, half), half, one);
    builder.select_if((p, ComparisonOp::Less, half), zero, above)
}

/// For each class, the sum of its probabilities in the columns that include the class.
/// The probability in a column is `p` if the class is positive, and `rest` (1 minus `p`) if it is negative.
fn class_sums(book: &CodeBook, (p, rest): (ExprRef, ExprRef), builder: &mut ExprBuilder) -> ExprRef {
    let mut all = Vec::with_capacity(book.n_classes());
    for class in 0..book.n_classes() {
        let terms: Vec<ExprRef> = (book.row(class).iter().enumerate())
            .filter_map(|(column, &bit)| match bit {
                1 => Some(builder.select(p, column)),
                0 => Some(builder.select(rest, column)),
                _ => None,
            })
            .collect();
        let terms = builder.concatenate(&terms);
        all.push(builder.sum(terms));
    }
    builder.concatenate(&all)
}
