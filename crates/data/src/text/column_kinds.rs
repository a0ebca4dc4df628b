//! Detection of column types and number notation from the form of every field.

use super::format::TextFormat;
use super::token_form::{FORMS, NumberNotation, TokenForm};
use imbcore_core::{Error, Result};

/// A column is numeric if at least this many of ten values are numbers; likewise for dates.
const MOST_OF_TEN: u64 = 9;

/// Use of a column as the caller declares it; it determines which values are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// A feature: numbers, truth values or text.
    Feature,
    /// Class labels, which are read like a feature with a few exceptions.
    ///
    /// Dates become text. Infinite numbers are errors, and so are marks of missing values, such as `-`, among
    /// numbers or truth values.
    Label,
    /// A column that must be numeric; the words for true and false are read as 1 and 0.
    Number,
    /// Text exactly as written, even if it looks like numbers.
    Text,
    /// A column of codes, groups or times.
    ///
    /// A column with only numbers is read as numbers, and a column with only truth values as truth values.
    /// Any other column, and a column with an integer above 2^53, is read as text exactly as written.
    Key,
    /// Not read.
    Skip,
}

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextColumnKind {
    /// Whole numbers, all written without decimals.
    Integer,
    /// Numbers.
    Float,
    /// Truth values, read as 1 and 0.
    Boolean,
    /// Text.
    Text,
    /// A column without values; every row is read as a missing number.
    Empty,
    /// Not read.
    Skipped,
}

/// First field of one kind, such as a date, in a column; errors show it as an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldExample {
    pub(crate) file: usize,
    /// Byte offset in the file of the record that contains the field.
    pub(crate) offset: u64,
    pub(crate) field: String,
}

/// Number of fields of each kind ([`TokenForm`]) in a column, and an example of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldFormCounts {
    counts: [u64; FORMS],
    first: [Option<Box<FieldExample>>; FORMS],
    /// Whether the column has at least two different words; words are fields such as `nurse`.
    words_differ: bool,
}

/// Invalid field because of which a column cannot be read, and the text of the error.
pub(crate) struct ColumnProblem {
    pub(crate) example: FieldExample,
    pub(crate) problem: String,
}

impl FieldFormCounts {
    pub(crate) fn add_field(&mut self, form: TokenForm, field: &str, example: impl FnOnce() -> FieldExample) {
        let index = form as usize;
        match &self.first[index] {
            None => self.first[index] = Some(Box::new(example())),
            Some(first) if form == TokenForm::Word && !self.words_differ => {
                self.words_differ = first.field != field;
            }
            Some(_) => {}
        }
        self.counts[index] += 1;
    }

    fn count_fields_with_form(&self, has: impl Fn(TokenForm) -> bool) -> u64 {
        TokenForm::ALL.into_iter().filter(|&form| has(form)).map(|form| self.counts[form as usize]).sum()
    }

    fn first_field_with_form(&self, has: impl Fn(TokenForm) -> bool) -> Option<&FieldExample> {
        let forms = TokenForm::ALL.into_iter().filter(|&form| has(form));
        let found = forms.filter_map(|form| self.first[form as usize].as_deref());
        found.min_by_key(|example| (example.file, example.offset))
    }

    /// Number of fields, without those that may mark a missing value, such as `-`.
    fn n_nonmissing_fields(&self) -> u64 {
        self.count_fields_with_form(|form| form != TokenForm::MissingMark)
    }

    fn has_mostly_fields_with_form(&self, has: impl Fn(TokenForm) -> bool) -> bool {
        10 * self.count_fields_with_form(has) >= MOST_OF_TEN * self.n_nonmissing_fields()
    }

    /// Whether a feature is numeric; its fields must then be numbers or missing.
    ///
    /// A feature is numeric if at least 9 of 10 values are numbers. It is also numeric if at least half of
    /// the values are numbers with decimals or separators, and the others are numbers or one repeated word.
    /// This word probably marks missing values, and the error proposes to declare it as such a mark. Whole
    /// numbers do not count toward this half, because they may be codes of categories. The word may then be
    /// another category.
    fn is_numeric_column(&self) -> bool {
        let whole = [TokenForm::Whole, TokenForm::TooLargeInteger, TokenForm::WithUnitOrSign];
        let measured = self.count_fields_with_form(|form| form.is_number() && !whole.contains(&form));
        let numbers = self.count_fields_with_form(TokenForm::is_number);
        let words = self.count_fields_with_form(|form| form == TokenForm::Word);
        let one_mark = words > 1 && !self.words_differ && numbers + words == self.n_nonmissing_fields();
        numbers > 0
            && (self.has_mostly_fields_with_form(TokenForm::is_number)
                || (one_mark && 2 * measured >= self.n_nonmissing_fields()))
    }
}

/// Finds the decimal sign and the thousands separator, which all columns share.
///
/// `by_commas` is true if commas separate the fields in all files.
///
/// # Errors
/// Returns the index of a column and one of its fields, if that field is ambiguous or contradicts another
/// field.
pub(crate) fn find_number_notation(
    format: &TextFormat,
    names: &[String],
    form_counts: &[(usize, &FieldFormCounts)],
    by_commas: bool,
) -> Result<NumberNotation, (usize, ColumnProblem)> {
    let TextFormat { decimal, thousands, .. } = *format;
    if let Some(decimal) = decimal {
        return Ok(NumberNotation { decimal, thousands });
    }
    match thousands {
        Some('.') => return Ok(NumberNotation { decimal: ',', thousands }),
        Some(',') => return Ok(NumberNotation { decimal: '.', thousands }),
        _ => {}
    }
    let numeric: Vec<&(usize, &FieldFormCounts)> =
        form_counts.iter().filter(|(_, form_counts)| form_counts.is_numeric_column()).collect();
    let find = |forms: &[TokenForm]| {
        numeric.iter().find_map(|(column, form_counts)| {
            Some((*column, form_counts.first_field_with_form(|form| forms.contains(&form))?))
        })
    };
    let ambiguous = |found: Option<(usize, &FieldExample)>| match found {
        None => Ok(()),
        Some((column, example)) => {
            let (decimal, other) = if example.field.contains(',') { (',', '.') } else { ('.', ',') };
            let problem = format!(
                "holds `{}`, in which the separator may mark decimals or thousands; set the decimal sign (decimal={decimal:?} or \
                 decimal={other:?} with thousands={decimal:?}; --decimal, --thousands)",
                example.field
            );
            Err((column, ColumnProblem { example: example.clone(), problem }))
        }
    };
    let groups_of_points = find(&[TokenForm::PointGroups, TokenForm::PointGroupsComma]);
    let groups_of_commas = find(&[TokenForm::CommaGroups, TokenForm::CommaGroupsPoint]);
    let commas = find(&[TokenForm::Comma]).or(groups_of_points);
    let points = find(&[TokenForm::Point]).or(groups_of_commas);
    match (commas, points) {
        (None, None) => {
            ambiguous(find(&[TokenForm::CommaGroup]))?;
            // In files separated by commas, a point is the decimal sign. In other files, a field such as
            // 1.027 is ambiguous.
            if !by_commas {
                ambiguous(find(&[TokenForm::PointGroup]))?;
            }
            Ok(NumberNotation { decimal: '.', thousands })
        }
        (Some(_), None) => {
            let thousands = thousands.or(groups_of_points.map(|_| '.'));
            if thousands != Some('.') {
                ambiguous(find(&[TokenForm::PointGroup]))?;
            }
            Ok(NumberNotation { decimal: ',', thousands })
        }
        (None, Some(_)) => {
            let thousands = thousands.or(groups_of_commas.map(|_| ','));
            if thousands != Some(',') {
                ambiguous(find(&[TokenForm::CommaGroup]))?;
            }
            Ok(NumberNotation { decimal: '.', thousands })
        }
        (Some((column, comma)), Some((other, point))) => {
            let problem = format!(
                "holds `{}` and column `{}` holds `{}`, so points and commas both appear as decimal signs; set the \
                 decimal sign (decimal=, --decimal), or exclude one of the columns",
                comma.field, names[other], point.field
            );
            Err((column, ColumnProblem { example: comma.clone(), problem }))
        }
    }
}

/// Determines the type of a column from its fields and its declared role.
///
/// # Errors
/// Returns the first field that the type of the column does not allow, and the text of the error.
pub(crate) fn column_kind(
    form_counts: &FieldFormCounts,
    role: ColumnRole,
    name: &str,
    notation: NumberNotation,
) -> Result<TextColumnKind, ColumnProblem> {
    if role == ColumnRole::Skip {
        return Ok(TextColumnKind::Skipped);
    }
    if role == ColumnRole::Text {
        return Ok(TextColumnKind::Text);
    }
    let values = form_counts.n_nonmissing_fields();
    if values == 0 {
        // If all fields are marks such as `-`, the marks may be the levels of a text column.
        let marks = form_counts.count_fields_with_form(|form| form == TokenForm::MissingMark);
        return Ok(if marks == 0 || role == ColumnRole::Number {
            TextColumnKind::Empty
        } else {
            TextColumnKind::Text
        });
    }
    let fits = |form| notation.accepts(form);
    let (n_fits, n_booleans) = (
        form_counts.count_fields_with_form(fits),
        form_counts.count_fields_with_form(|form| form == TokenForm::Boolean),
    );
    let is_mark = |form| form == TokenForm::MissingMark;
    if role == ColumnRole::Label
        && form_counts.count_fields_with_form(is_mark) > 0
        && (n_fits == values || n_booleans == values)
    {
        return invalid_field_problem(form_counts, is_mark, |field| {
            format!(
                "holds the label `{field}`, which marks a missing value among numbers or booleans; drop these rows, \
                 or write this class as another word"
            )
        });
    }
    if n_fits == values {
        return numeric_kind(form_counts, role, name, notation);
    }
    if n_booleans == values {
        return Ok(TextColumnKind::Boolean);
    }
    match role {
        ColumnRole::Key => Ok(TextColumnKind::Text),
        ColumnRole::Number => {
            let odd = |form| !fits(form) && form != TokenForm::MissingMark;
            invalid_field_problem(form_counts, odd, |field| {
                format!(
                    "must be numeric, got `{field}`; {}",
                    suggest_reading_options(form_counts, odd, name, role)
                )
            })
        }
        // Class labels may be text that looks like numbers, such as `5 %` or a version.
        ColumnRole::Label
            if !form_counts.has_mostly_fields_with_form(|form| {
                form.is_number() && form != TokenForm::WithUnitOrSign
            }) =>
        {
            Ok(TextColumnKind::Text)
        }
        _ if form_counts.is_numeric_column() => {
            let odd = |form| !fits(form) && form != TokenForm::MissingMark;
            let odd_count = values - n_fits;
            invalid_field_problem(form_counts, odd, |field| {
                format!(
                    "holds numbers in most rows, but also `{field}` ({odd_count} of {values} values are not numbers in this notation); {}",
                    suggest_reading_options(form_counts, odd, name, role)
                )
            })
        }
        ColumnRole::Feature if form_counts.has_mostly_fields_with_form(|form| form == TokenForm::Date) => {
            invalid_field_problem(
                form_counts,
                |form| form == TokenForm::Date,
                |field| {
                    format!(
                        "holds dates, such as `{field}`, which are read as a feature only on request: dates=[{name:?}] \
                     (--dates {name}) reads them as days since 1970-01-01, with date_format= (--date-format) unless they are \
                     ISO 8601; categorical_features=[{name:?}] \
                     (--nominal {name}) as categories; or exclude the column (columns= with the others; --drop {name})"
                    )
                },
            )
        }
        _ => Ok(TextColumnKind::Text),
    }
}

fn numeric_kind(
    form_counts: &FieldFormCounts,
    role: ColumnRole,
    name: &str,
    notation: NumberNotation,
) -> Result<TextColumnKind, ColumnProblem> {
    let beyond = |form| form == TokenForm::TooLargeInteger;
    if form_counts.count_fields_with_form(beyond) > 0 {
        if role == ColumnRole::Key {
            return Ok(TextColumnKind::Text);
        }
        return invalid_field_problem(form_counts, beyond, |field| {
            format!(
                "holds the integer {field}, beyond 2**53, where float64 does not hold every integer; leave the column \
                 out (columns= with the others; --drop {name}) or read it as categorical (categorical_features=[{name:?}], --nominal {name})"
            )
        });
    }
    let infinite = |form| form == TokenForm::Infinite;
    if role == ColumnRole::Label && form_counts.count_fields_with_form(infinite) > 0 {
        return invalid_field_problem(form_counts, infinite, |field| {
            format!("holds the label `{field}`; class labels must be text, booleans or whole numbers")
        });
    }
    let whole = form_counts.count_fields_with_form(|form| notation.is_whole_number(form))
        == form_counts.n_nonmissing_fields();
    Ok(if whole { TextColumnKind::Integer } else { TextColumnKind::Float })
}

fn invalid_field_problem(
    form_counts: &FieldFormCounts,
    odd: impl Fn(TokenForm) -> bool,
    problem: impl FnOnce(&str) -> String,
) -> Result<TextColumnKind, ColumnProblem> {
    match form_counts.first_field_with_form(odd) {
        Some(example) => {
            let shown: String = example.field.chars().take(40).collect();
            Err(ColumnProblem { problem: problem(&shown), example: example.clone() })
        }
        // This is unreachable: the callers have counted at least one field for whose form `odd` returns true.
        None => Ok(TextColumnKind::Text),
    }
}

/// Text that suggests options with which a column with invalid fields can be read.
///
/// The invalid fields are those whose form makes `odd` return true.
fn suggest_reading_options(
    form_counts: &FieldFormCounts,
    odd: impl Fn(TokenForm) -> bool,
    name: &str,
    role: ColumnRole,
) -> String {
    let has = |forms: &[TokenForm]| {
        forms.iter().any(|&form| odd(form) && form_counts.count_fields_with_form(|other| other == form) > 0)
    };
    let nominal = if role == ColumnRole::Feature {
        format!("or read the column as categorical (categorical_features=[{name:?}], --nominal {name})")
    } else {
        "or leave out these rows".to_owned()
    };
    let decimal = "set the signs of the file (decimal=, thousands=; --decimal, --thousands)";
    let missing = "if it stands for a missing value, list it (na_values=, --na-values)";
    if has(&[TokenForm::OtherGroups]) {
        return format!("set the thousands separator (thousands=, --thousands), {nominal}");
    }
    if has(&[TokenForm::WithUnitOrSign]) {
        return format!("write it as a plain number, without units and with a leading minus sign, {nominal}");
    }
    if TokenForm::ALL.into_iter().any(|form| form.is_number() && odd(form) && has(&[form])) {
        return format!("{decimal}, {nominal}");
    }
    if has(&[TokenForm::Date]) && role == ColumnRole::Number {
        // The role `Number` is for columns that are needed, such as the features of a fitted model. So the
        // message must not suggest to exclude the column.
        return format!(
            "correct it, or, if the column had dates in the fit, read them in the same way: dates=[{name:?}] \
             (--dates {name}), with date_format= (--date-format) unless they are ISO 8601"
        );
    }
    if has(&[TokenForm::Date]) {
        return format!(
            "correct it, exclude the column (columns= with the others; --drop {name}), {nominal}; dates= (--dates) reads dates"
        );
    }
    format!("{missing}, correct it, {nominal}")
}

pub(crate) fn unreadable_column_error(
    name: &str,
    refusal: &ColumnProblem,
    at: impl FnOnce(&FieldExample, &str) -> Error,
) -> Error {
    at(&refusal.example, &format!("column `{name}` {}", refusal.problem))
}
