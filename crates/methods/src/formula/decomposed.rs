//! Several classes by tasks of two, as steps.

use super::said::{Said, Says, Sight};
use crate::fitted::Fitted;
use imbcore_base::formula::{Draft, Test, Vector};
use imbcore_base::{Error, Result};
use imbcore_ensemble::decompose::{Decoding, Decomposed, Member};

/// What the members say together.
pub(super) fn of_decomposed(
    decomposed: &Decomposed<Fitted>,
    draft: &mut Draft,
    sight: Sight<'_>,
    says: Says,
) -> Result<Said> {
    let decoding = decomposed.decoding();
    if !matches!(decoding, Decoding::Normalise | Decoding::Sum | Decoding::Hamming | Decoding::Vote) {
        return Err(Error::Unsupported(
            "a decomposition that is decoded by coupling or by logarithms cannot be written out; write its members, or fit with \
             decoding=\"sum\" or \"vote\""
                .into(),
        ));
    }
    let (mut columns, mut needed) = (Vec::new(), Vec::new());
    for member in decomposed.members() {
        columns.push(match member {
            Member::Constant(p) => draft.number(*p),
            Member::Fitted(fitted) => {
                let mut said = says(fitted, draft, sight)?;
                needed.append(&mut said.needed);
                draft.part(said.proba()?, 1)
            }
        });
    }
    let p = draft.join(&columns);
    let proba = if decoding == Decoding::Normalise {
        let claimed = draft.sum(p);
        let [zero, shares] = [&[0.0][..], decomposed.shares()].map(|numbers| draft.constant(numbers));
        let law = draft.over(p, claimed);
        draft.choose((claimed, Test::Equal, zero), shares, law)
    } else {
        let one = draft.number(1.0);
        let rest = draft.minus(one, p);
        let [told, rest] = [p, rest].map(|p| if decoding == Decoding::Sum { p } else { rounded(p, draft) });
        let scores = scores(decomposed, (told, rest), draft);
        draft.normalised(scores)
    };
    Ok(Said { needed, ..Said::most(proba) })
}

fn rounded(p: Vector, draft: &mut Draft) -> Vector {
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| draft.number(number));
    let above = draft.choose((p, Test::Equal, half), half, one);
    draft.choose((p, Test::Less, half), zero, above)
}

/// Of each class the sum over the columns that know it of what they say about it.
fn scores(decomposed: &Decomposed<Fitted>, (p, rest): (Vector, Vector), draft: &mut Draft) -> Vector {
    let book = decomposed.book();
    let mut all = Vec::with_capacity(book.n_classes());
    for class in 0..book.n_classes() {
        let told: Vec<Vector> = (book.row(class).iter().enumerate())
            .filter_map(|(column, &bit)| match bit {
                1 => Some(draft.part(p, column)),
                0 => Some(draft.part(rest, column)),
                _ => None,
            })
            .collect();
        let told = draft.join(&told);
        all.push(draft.sum(told));
    }
    draft.join(&all)
}
