//! Conversion of decompositions to expressions for export.

use super::code_book::CodeBook;
use super::decoding::Decoding;
use super::model::{ClassDecomposition, ColumnPredictor};
use imbcore_core::{Error, Result, RunContext};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr};

impl<M: ToExpr> ToExpr for ClassDecomposition<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
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
                ColumnPredictor::Constant(p) => builder.constant_number(*p),
                ColumnPredictor::Fitted(fitted) => {
                    let proba = fitted.to_expr(builder, features)?.proba_expr()?;
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
            let one = builder.constant_number(1.0);
            let rest = builder.minus(one, p);
            let [given, rest] =
                [p, rest].map(|p| if decoding == Decoding::Sum { p } else { hard_vote_expr(p, builder) });
            let scores = class_sums_expr(self.book(), (given, rest), builder);
            builder.normalize(scores)
        };
        Ok(PredictionExpr::from_proba(proba))
    }
}

fn hard_vote_expr(p: ExprRef, builder: &mut ExprBuilder) -> ExprRef {
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| builder.constant_number(number));
    let above = builder.select_if((p, ComparisonOp::Equal, half), half, one);
    builder.select_if((p, ComparisonOp::Less, half), zero, above)
}

fn class_sums_expr(book: &CodeBook, (p, rest): (ExprRef, ExprRef), builder: &mut ExprBuilder) -> ExprRef {
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
