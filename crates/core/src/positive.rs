//! Default rule for the positive class.

use crate::schema::Label;

/// Positive class chosen by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositiveClass {
    /// Class code of the positive class.
    ///
    /// If the only label of the data is 0, -1 or False, the code is 1, a class without rows.
    pub code: u32,
    /// Fraction of the total weight in the positive class; NaN if the total weight is 0.
    pub share: f64,
}

impl PositiveClass {
    /// Returns label 1 (True) if the labels are 0 and 1, -1 and 1, or False and True.
    /// Label 1 is also returned if only the first label of such a pair occurs. Otherwise returns the class of
    /// least weight, the last on ties.
    ///
    /// `labels` are sorted, and `masses` are the sums of the row weights per class.
    pub fn default_for(labels: &[Label], masses: &[f64]) -> Self {
        let code = match labels {
            [only] if is_negative(only) => 1,
            [first, second] if is_negative(first) && is_one(second) => 1,
            _ => rarest_class(masses),
        };
        let share = masses.get(code as usize).copied().unwrap_or_default() / masses.iter().sum::<f64>();
        Self { code, share }
    }
}

fn is_one(label: &Label) -> bool {
    match *label {
        Label::Bool(truth) => truth,
        Label::Int(number) => number == 1,
        Label::Unsigned(number) => number == 1,
        Label::Float(number) => number == 1.0,
        Label::Text(_) => false,
    }
}

fn is_negative(label: &Label) -> bool {
    match *label {
        Label::Bool(truth) => !truth,
        Label::Int(number) => number == 0 || number == -1,
        Label::Unsigned(number) => number == 0,
        Label::Float(number) => number == 0.0 || number == -1.0,
        Label::Text(_) => false,
    }
}

/// Code of the class of least weight, the highest on ties; 0 without classes.
///
/// This class is the default positive class if the classes have no labels.
pub fn rarest_class(masses: &[f64]) -> u32 {
    let mut rarest = 0;
    for (class, &mass) in masses.iter().enumerate() {
        if mass <= masses[rarest] {
            rarest = class;
        }
    }
    rarest as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(labels: &str, masses: &[f64]) -> u32 {
        let labels: Vec<Label> = serde_json::from_str(labels).unwrap();
        PositiveClass::default_for(&labels, masses).code
    }

    #[test]
    fn label_one_is_positive_however_frequent() {
        for pair in ["[0, 1]", "[-1, 1]", "[false, true]", "[0.0, 1.0]", "[-1.0, 1.0]"] {
            assert_eq!((code(pair, &[1.0, 9.0]), code(pair, &[9.0, 1.0])), (1, 1), "{pair}");
        }
    }

    #[test]
    fn other_labels_use_the_rarer_class_and_the_higher_code_on_ties() {
        for pair in ["[1, 2]", "[0, 2]", "[-1, 0]", r#"["0", "1"]"#, r#"["late", "ontime"]"#] {
            assert_eq!((code(pair, &[1.0, 9.0]), code(pair, &[9.0, 1.0])), (0, 1), "{pair}");
            assert_eq!(code(pair, &[2.0, 2.0]), 1, "{pair}");
        }
        assert_eq!(code("[-1, 0, 1]", &[2.0, 2.0, 5.0]), 1);
        assert_eq!(rarest_class(&[2.0, 5.0, 2.0, 9.0]), 2);
    }

    #[test]
    fn a_single_negative_label_implies_code_one() {
        assert_eq!((code("[0]", &[3.0]), code("[-1]", &[3.0]), code("[false]", &[3.0])), (1, 1, 1));
        assert_eq!((code("[1]", &[3.0]), code("[2]", &[3.0]), code(r#"["a"]"#, &[3.0])), (0, 0, 0));
    }

    #[test]
    fn the_fraction_is_that_of_the_weight() {
        let labels = [Label::Int(0), Label::Int(1)];
        assert_eq!(PositiveClass::default_for(&labels, &[1.0, 3.0]).share, 0.75);
        assert_eq!(PositiveClass::default_for(&labels[..1], &[1.0]).share, 0.0);
        assert!(PositiveClass::default_for(&labels, &[0.0, 0.0]).share.is_nan());
    }
}
