//! Texts that mark missing values in every column, such as `NA`.

/// Texts that the user declared as marks of missing values.
///
/// `begins` has the possible first bytes of a mark, so that most fields are rejected by one look-up.
#[derive(Clone, Debug)]
pub(crate) struct MissingMarks {
    marks: Vec<String>,
    begins: Vec<bool>,
    /// Marks that are numbers: the mark -999 also matches the field -999.0.
    numbers: Vec<f64>,
}

impl MissingMarks {
    pub(crate) fn new(marks: &[String]) -> Self {
        let mut begins = vec![false; 256];
        let trimmed: Vec<String> = marks.iter().map(|mark| mark.trim().to_owned()).collect();
        for mark in &trimmed {
            if let Some(&first) = mark.as_bytes().first() {
                begins[first as usize] = true;
            }
        }
        let value = |mark: &String| mark.parse::<f64>().ok().filter(|value| value.is_finite());
        Self { numbers: trimmed.iter().filter_map(value).collect(), marks: trimmed, begins }
    }

    /// Whether a field, given without surrounding whitespace, is one of the marks.
    pub(crate) fn matches(&self, field: &[u8]) -> bool {
        let may = field.first().is_none_or(|&first| self.begins[first as usize]);
        may && self.marks.iter().any(|mark| mark.as_bytes() == field)
    }

    pub(crate) fn is_missing_number(&self, field: &str) -> bool {
        !self.numbers.is_empty() && field.parse::<f64>().is_ok_and(|value| self.numbers.contains(&value))
    }
}
