//! Warnings of the fits of a cross-validation, merged into one warning per text.

use imbcore_core::{Observer, Progress, RunContext};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// Collects the warnings of the fit of one fold, and ignores its progress.
#[derive(Default)]
pub(crate) struct FoldWarnings(Mutex<Vec<String>>);

impl Observer for FoldWarnings {
    fn progress(&self, _progress: Progress) {}

    fn warn(&self, text: String) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(text);
    }
}

impl FoldWarnings {
    /// Returns the collected texts, sorted, because worker threads warn in any order.
    pub(crate) fn into_texts(self) -> BTreeSet<String> {
        let texts = self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        texts.into_iter().collect()
    }
}

/// Merges warnings that differ only in numbers, and warns how many fits gave them.
///
/// `texts` has the warnings of each fit of the method. Of the merged texts, the first one is shown.
pub(crate) fn warn_merged<'a>(
    method: &str,
    texts: impl ExactSizeIterator<Item = &'a BTreeSet<String>>,
    ctl: RunContext<'_>,
) {
    let n_fits = texts.len();
    let mut merged = BTreeMap::<String, (&str, usize)>::new();
    for of_fit in texts {
        let mut kinds = BTreeMap::<String, &str>::new();
        for text in of_fit {
            kinds.entry(without_numbers(text)).or_insert(text);
        }
        for (kind, text) in kinds {
            merged.entry(kind).or_insert((text, 0)).1 += 1;
        }
    }
    for (text, n_warned) in merged.into_values() {
        ctl.warn(format!("{method}, in {n_warned} of {n_fits} fits of the evaluation: {text}"));
    }
}

/// Replaces every number outside quotes by one character; text in quotes is a name.
fn without_numbers(text: &str) -> String {
    let mut kind = String::with_capacity(text.len());
    let mut in_number = false;
    let mut quote = None;
    for character in text.chars() {
        if quote.is_some() || matches!(character, '\'' | '"') {
            quote = match quote {
                None => Some(character),
                Some(open) => (open != character).then_some(open),
            };
            in_number = false;
            kind.push(character);
            continue;
        }
        let continues = in_number && matches!(character, '.' | ',' | 'e' | '-' | '+');
        if character.is_ascii_digit() || continues {
            if !in_number {
                kind.push('#');
            }
            in_number = true;
        } else {
            in_number = false;
            kind.push(character);
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn warnings_that_differ_in_numbers_are_merged() {
        let texts = [
            BTreeSet::from(["loss 1.05 of the prior".to_owned()]),
            BTreeSet::new(),
            BTreeSet::from(["loss 1.2e-3 of the prior".to_owned(), "column 'x1'".to_owned()]),
            BTreeSet::from(["column 'x2'".to_owned()]),
        ];
        let shown = FoldWarnings::default();
        let stop = AtomicBool::new(false);
        warn_merged("cart", texts.iter(), RunContext::new(&shown, &stop));
        let expected = [
            "cart, in 1 of 4 fits of the evaluation: column 'x1'",
            "cart, in 1 of 4 fits of the evaluation: column 'x2'",
            "cart, in 2 of 4 fits of the evaluation: loss 1.05 of the prior",
        ];
        assert_eq!(shown.into_texts(), expected.map(str::to_owned).into());
    }
}
