//! The kind of every column, from the forms of all its fields, and the notation of numbers, from all columns.

use super::format::TextFormat;
use super::token::{FORMS, Form, Notation};
use imbcore_base::{Error, Result};

/// A column in which at least this many of ten values are numbers (or dates) is no column of names.
const MOST_OF_TEN: u64 = 9;

/// Use of a column, which decides about what it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A feature: numbers, truth values or text.
    Feature,
    /// Class labels: like a feature, but dates are text, and infinite numbers are refused.
    Label,
    /// Numbers only.
    Number,
    /// Text as it is written, even if it looks like numbers.
    Text,
    /// Codes, groups or times: numbers if all are, else text as it is written.
    Key,
    /// Not read.
    Skip,
}

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers, all written without decimals.
    Integer,
    /// Numbers.
    Float,
    /// Truth values, read as 1 and 0.
    Boolean,
    /// Text.
    Text,
    /// No value at all; read as missing numbers.
    Empty,
    /// Not read.
    Skipped,
}

/// First field of a form in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) file: usize,
    /// Byte at which its record begins.
    pub(crate) offset: u64,
    pub(crate) field: String,
}

/// Forms of the fields of one column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    counts: [u64; FORMS],
    first: [Option<Box<Example>>; FORMS],
}

/// A column that cannot be read as it is: the field, and what is wrong with it.
pub(crate) struct Refusal {
    pub(crate) example: Example,
    pub(crate) problem: String,
}

impl Tally {
    pub(crate) fn add(&mut self, form: Form, example: impl FnOnce() -> Example) {
        let at = form as usize;
        if self.counts[at] == 0 {
            self.first[at] = Some(Box::new(example()));
        }
        self.counts[at] += 1;
    }

    fn count(&self, has: impl Fn(Form) -> bool) -> u64 {
        Form::ALL.into_iter().filter(|&form| has(form)).map(|form| self.counts[form as usize]).sum()
    }

    /// The first field in the file whose form is one of those.
    fn example(&self, has: impl Fn(Form) -> bool) -> Option<&Example> {
        let forms = Form::ALL.into_iter().filter(|&form| has(form));
        let found = forms.filter_map(|form| self.first[form as usize].as_deref());
        found.min_by_key(|example| (example.file, example.offset))
    }

    /// Number of values: all fields but those that may stand for missing ones.
    fn values(&self) -> u64 {
        self.count(|form| form != Form::Mark)
    }

    /// Whether so many of the values are numbers, in any notation, that the rest must be a mistake.
    fn is_numeric(&self) -> bool {
        let numbers = self.count(Form::is_number);
        numbers > 0 && 10 * numbers >= MOST_OF_TEN * self.values()
    }
}

/// Finds the notation of the numbers of all columns; `by_commas` if commas separate the fields of all files.
///
/// # Errors
/// The column, and the field that can be read in two ways, or contradicts another.
pub(crate) fn notation(
    format: &TextFormat,
    names: &[String],
    tallies: &[(usize, &Tally)],
    by_commas: bool,
) -> Result<Notation, (usize, Refusal)> {
    let TextFormat { decimal, thousands, .. } = *format;
    if let Some(decimal) = decimal {
        return Ok(Notation { decimal, thousands });
    }
    match thousands {
        Some('.') => return Ok(Notation { decimal: ',', thousands }),
        Some(',') => return Ok(Notation { decimal: '.', thousands }),
        _ => {}
    }
    let numeric: Vec<&(usize, &Tally)> = tallies.iter().filter(|(_, tally)| tally.is_numeric()).collect();
    let find = |forms: &[Form]| {
        numeric
            .iter()
            .find_map(|(column, tally)| Some((*column, tally.example(|form| forms.contains(&form))?)))
    };
    let ambiguous = |found: Option<(usize, &Example)>| match found {
        None => Ok(()),
        Some((column, example)) => {
            let (decimal, other) = if example.field.contains(',') { (',', '.') } else { ('.', ',') };
            let problem = format!(
                "holds `{}`, which may have decimals or thousands; give the decimal sign (decimal={decimal:?} or \
                 decimal={other:?} with thousands={decimal:?}; --decimal, --thousands)",
                example.field
            );
            Err((column, Refusal { example: example.clone(), problem }))
        }
    };
    let groups_of_points = find(&[Form::PointGroups, Form::PointGroupsComma]);
    let groups_of_commas = find(&[Form::CommaGroups, Form::CommaGroupsPoint]);
    let commas = find(&[Form::Comma]).or(groups_of_points);
    let points = find(&[Form::Point]).or(groups_of_commas);
    match (commas, points) {
        (None, None) => {
            ambiguous(find(&[Form::CommaGroup]))?;
            // Commas between the fields leave the point for decimals; other separators come with either sign.
            if !by_commas {
                ambiguous(find(&[Form::PointGroup]))?;
            }
            Ok(Notation { decimal: '.', thousands })
        }
        (Some(_), None) => {
            let thousands = thousands.or(groups_of_points.map(|_| '.'));
            if thousands != Some('.') {
                ambiguous(find(&[Form::PointGroup]))?;
            }
            Ok(Notation { decimal: ',', thousands })
        }
        (None, Some(_)) => {
            let thousands = thousands.or(groups_of_commas.map(|_| ','));
            if thousands != Some(',') {
                ambiguous(find(&[Form::CommaGroup]))?;
            }
            Ok(Notation { decimal: '.', thousands })
        }
        (Some((column, comma)), Some((other, point))) => {
            let problem = format!(
                "holds `{}` and column `{}` holds `{}`, so that points and commas both seem to be decimal signs; give the \
                 decimal sign (decimal=, --decimal), or leave one of the columns out",
                comma.field, names[other], point.field
            );
            Err((column, Refusal { example: comma.clone(), problem }))
        }
    }
}

/// The kind of a column of this role.
///
/// # Errors
/// The field that the column should not hold.
pub(crate) fn kind(tally: &Tally, role: Role, name: &str, notation: Notation) -> Result<Kind, Refusal> {
    if role == Role::Skip {
        return Ok(Kind::Skipped);
    }
    if role == Role::Text {
        return Ok(Kind::Text);
    }
    let values = tally.values();
    if values == 0 {
        // Nothing tells that `-` alone is no name.
        let marks = tally.count(|form| form == Form::Mark);
        return Ok(if marks == 0 || role == Role::Number { Kind::Empty } else { Kind::Text });
    }
    let fits = |form| notation.has(form);
    if tally.count(fits) == values {
        return numbers(tally, role, name, notation);
    }
    if tally.count(|form| form == Form::Boolean) == values {
        return Ok(Kind::Boolean);
    }
    match role {
        Role::Key => Ok(Kind::Text),
        Role::Number => {
            let odd = |form| !fits(form) && form != Form::Mark;
            refuse(tally, odd, |field| {
                format!("must be numeric, got `{field}`; {}", advice(tally, odd, name))
            })
        }
        _ if tally.is_numeric() => {
            let odd = |form| !fits(form) && form != Form::Mark;
            let of = values - tally.count(fits);
            refuse(tally, odd, |field| {
                format!(
                    "holds numbers in almost all rows, and `{field}` ({of} of {values} values are no number so written); {}",
                    advice(tally, odd, name)
                )
            })
        }
        Role::Feature if 10 * tally.count(|form| form == Form::Date) >= MOST_OF_TEN * values => {
            let is_date = |form| form == Form::Date;
            refuse(tally, is_date, |field| {
                format!(
                    "holds dates, such as `{field}`, which become a feature only if asked for: dates=[{name:?}] \
                     (--dates {name}) reads them as days since 1970-01-01, categorical_features=[{name:?}] \
                     (--nominal {name}) as names; or leave the column out (--drop {name})"
                )
            })
        }
        _ => Ok(Kind::Text),
    }
}

fn numbers(tally: &Tally, role: Role, name: &str, notation: Notation) -> Result<Kind, Refusal> {
    let beyond = |form| form == Form::Beyond;
    if tally.count(beyond) > 0 {
        if role == Role::Key {
            return Ok(Kind::Text);
        }
        return refuse(tally, beyond, |field| {
            format!(
                "holds the integer {field}, beyond 2**53, where float64 does not hold every integer; leave the column \
                 out (--drop {name}) or read it as categorical (categorical_features=[{name:?}], --nominal {name})"
            )
        });
    }
    let infinite = |form| form == Form::Infinite;
    if role == Role::Label && tally.count(infinite) > 0 {
        return refuse(tally, infinite, |field| {
            format!("holds the label `{field}`; class labels are text, truth values or whole numbers")
        });
    }
    let whole = tally.count(|form| notation.is_whole(form)) == tally.values();
    Ok(if whole { Kind::Integer } else { Kind::Float })
}

fn refuse(
    tally: &Tally,
    odd: impl Fn(Form) -> bool,
    problem: impl FnOnce(&str) -> String,
) -> Result<Kind, Refusal> {
    match tally.example(odd) {
        Some(example) => {
            let shown: String = example.field.chars().take(40).collect();
            Err(Refusal { problem: problem(&shown), example: example.clone() })
        }
        // Callers count the forms first, so that there is one.
        None => Ok(Kind::Text),
    }
}

/// The option that helps a column whose odd fields have such forms.
fn advice(tally: &Tally, odd: impl Fn(Form) -> bool, name: &str) -> String {
    let has = |forms: &[Form]| forms.iter().any(|&form| odd(form) && tally.count(|other| other == form) > 0);
    let nominal = format!("or read the column as names (categorical_features=[{name:?}], --nominal {name})");
    let decimal = "give the signs of the file (decimal=, thousands=; --decimal, --thousands)";
    let missing = "if it stands for a missing value, list it (na_values=, --na-values)";
    if has(&[Form::OtherGroups]) {
        return format!("give the mark of thousands (thousands=, --thousands), {nominal}");
    }
    if Form::ALL.into_iter().any(|form| form.is_number() && odd(form) && has(&[form])) {
        return format!("{decimal}, {nominal}");
    }
    if has(&[Form::Date]) {
        return format!(
            "correct it, leave the column out (--drop {name}), {nominal}; dates= (--dates) reads dates"
        );
    }
    format!("{missing}, correct it, {nominal}")
}

/// The error of a refusal, by the place of its record.
pub(crate) fn refused(name: &str, refusal: &Refusal, at: impl FnOnce(&Example, &str) -> Error) -> Error {
    at(&refusal.example, &format!("column `{name}` {}", refusal.problem))
}
