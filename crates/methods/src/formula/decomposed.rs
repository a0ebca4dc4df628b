//! Expression steps of decompositions: several classes by binary problems.

use super::class_expr::{ClassExpr, FeatureMap, ToClassExpr};
use crate::fitted::FittedEstimator;
use imbcore_base::formula::{ComparisonOp, ExprBuilder, ExprRef};
use imbcore_base::{Error, Result};
use imbcore_ensemble::decompose::{ClassDecomposition, ColumnMember, Decoding};

/// Expression of the combined prediction of the members.
pub(super) fn decomposition_expr(
    decomposed: &ClassDecomposition<FittedEstimator>,
    draft: &mut ExprBuilder,
    sight: FeatureMap<'_>,
    says: ToClassExpr,
) -> Result<ClassExpr> {
    let decoding = decomposed.decoding();
    if !matches!(decoding, Decoding::Normalise | Decoding::Sum | Decoding::Hamming | Decoding::Vote) {
        return Err(Error::Unsupported(
            "a decomposition with decoding by coupling or by logarithms cannot be exported; export its members, or fit with \
             decoding=\"sum\" or \"vote\""
                .into(),
        ));
    }
    let (mut columns, mut needed) = (Vec::new(), Vec::new());
    for member in decomposed.members() {
        columns.push(match member {
            ColumnMember::Constant(p) => draft.number(*p),
            ColumnMember::Fitted(fitted) => {
                let mut expr = says(fitted, draft, sight)?;
                needed.append(&mut expr.needed);
                draft.part(expr.proba()?, 1)
            }
        });
    }
    let p = draft.join(&columns);
    let proba = if decoding == Decoding::Normalise {
        let claimed = draft.sum(p);
        let [zero, shares] = [&[0.0][..], decomposed.shares()].map(|numbers| draft.constant(numbers));
        let proba = draft.over(p, claimed);
        draft.choose((claimed, ComparisonOp::Equal, zero), shares, proba)
    } else {
        let one = draft.number(1.0);
        let rest = draft.minus(one, p);
        let [given, rest] = [p, rest].map(|p| if decoding == Decoding::Sum { p } else { rounded(p, draft) });
        let scores = scores(decomposed, (given, rest), draft);
        draft.normalised(scores)
    };
    Ok(ClassExpr { needed, ..ClassExpr::most(proba) })
}

fn rounded(p: ExprRef, draft: &mut ExprBuilder) -> ExprRef {
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| draft.number(number));
    let above = draft.choose((p, ComparisonOp::Equal, half), half, one);
    draft.choose((p, ComparisonOp::Less, half), zero, above)
}

/// For each class, the sum of the member outputs for its side of the code book columns.
fn scores(
    decomposed: &ClassDecomposition<FittedEstimator>,
    (p, rest): (ExprRef, ExprRef),
    draft: &mut ExprBuilder,
) -> ExprRef {
    let book = decomposed.book();
    let mut all = Vec::with_capacity(book.n_classes());
    for class in 0..book.n_classes() {
        let terms: Vec<ExprRef> = (book.row(class).iter().enumerate())
            .filter_map(|(column, &bit)| match bit {
                1 => Some(draft.part(p, column)),
                0 => Some(draft.part(rest, column)),
                _ => None,
            })
            .collect();
        let terms = draft.join(&terms);
        all.push(draft.sum(terms));
    }
    draft.join(&all)
}
