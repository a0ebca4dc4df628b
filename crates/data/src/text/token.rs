//! Form of one field: a number, a boolean, a date, a missing mark, or a word.

/// Whole numbers above this magnitude are refused. float64 does not represent all of them.
const LARGEST_EXACT: u64 = 1 << 53;

/// Form of a field. Forms of numbers come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Form {
    /// `1027`.
    Whole,
    /// A whole number beyond 2^53, with or without groups.
    Beyond,
    /// `30.44`, `.5`, or with an exponent: the point can only be a decimal sign.
    Point,
    /// `1.027`: a decimal point, or a thousands separator.
    PointGroup,
    /// `30,44`: the comma can only be a decimal sign.
    Comma,
    /// `1,027`: a decimal comma, or a thousands separator.
    CommaGroup,
    /// `1.234.567`.
    PointGroups,
    /// `1,234,567`.
    CommaGroups,
    /// `1.027,42`.
    PointGroupsComma,
    /// `1,027.42`.
    CommaGroupsPoint,
    /// `1 027` or `1'027.4`.
    OtherGroups,
    /// `5e3`: no decimal sign, but not a whole number.
    Exponent,
    /// `inf`, or a number too large for float64.
    Infinite,
    /// `True` or `false`.
    Boolean,
    /// `2024-02-29`, `29.02.2024 12:30`.
    Date,
    /// A mark that is missing among numbers and a level elsewhere.
    Mark,
    /// Anything else.
    Word,
}

/// Number of forms.
pub(crate) const FORMS: usize = Form::Word as usize + 1;

impl Form {
    pub(crate) const ALL: [Self; FORMS] = [
        Self::Whole,
        Self::Beyond,
        Self::Point,
        Self::PointGroup,
        Self::Comma,
        Self::CommaGroup,
        Self::PointGroups,
        Self::CommaGroups,
        Self::PointGroupsComma,
        Self::CommaGroupsPoint,
        Self::OtherGroups,
        Self::Exponent,
        Self::Infinite,
        Self::Boolean,
        Self::Date,
        Self::Mark,
        Self::Word,
    ];

    /// Whether it is a number in some notation.
    pub(crate) fn is_number(self) -> bool {
        (self as u8) <= Self::Infinite as u8
    }
}

/// Marks of missing values in columns whose other values are numbers, in lower case.
const MARKS: [&str; 25] = [
    "n/a", "none", "-", ".", "#n/a", "#n/a n/a", "#na", "#div/0!", "#null!", "#num!", "#value!", "#ref!",
    "#name?", "\\n", "<na>", "na", "nan", "-nan", "+nan", "null", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan",
    "--",
];
const LONGEST_MARK: usize = 9;

/// Notation of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Decimal sign.
    pub decimal: char,
    /// Thousands separator.
    pub thousands: Option<char>,
}

impl Notation {
    /// Whether a number of this form is valid in this notation.
    pub(crate) fn has(self, form: Form) -> bool {
        let point = self.decimal == '.';
        match form {
            Form::Whole | Form::Beyond | Form::Exponent | Form::Infinite => true,
            Form::Point => point,
            Form::Comma => !point,
            Form::PointGroup => point || self.thousands == Some('.'),
            Form::CommaGroup => !point || self.thousands == Some(','),
            Form::PointGroups => self.thousands == Some('.'),
            Form::CommaGroups => self.thousands == Some(','),
            Form::PointGroupsComma => !point && self.thousands == Some('.'),
            Form::CommaGroupsPoint => point && self.thousands == Some(','),
            Form::OtherGroups | Form::Boolean | Form::Date | Form::Mark | Form::Word => false,
        }
    }

    /// Whether a number of this form has no decimals.
    pub(crate) fn is_whole(self, form: Form) -> bool {
        match form {
            Form::Whole | Form::Beyond | Form::PointGroups | Form::CommaGroups => true,
            Form::PointGroup => self.thousands == Some('.'),
            Form::CommaGroup => self.thousands == Some(','),
            _ => false,
        }
    }

    /// Value of a number in this notation.
    ///
    /// Thousands groups were checked when the form was determined.
    pub(crate) fn value(self, field: &str) -> Option<f64> {
        if self.decimal == '.' && self.thousands.is_none() {
            return finite_or_infinite(field);
        }
        let mut plain = String::with_capacity(field.len());
        for sign in field.chars() {
            if Some(sign) == self.thousands {
                continue;
            }
            if sign == '.' && self.decimal == ',' {
                return None;
            }
            plain.push(if sign == self.decimal { '.' } else { sign });
        }
        finite_or_infinite(&plain)
    }
}

fn finite_or_infinite(plain: &str) -> Option<f64> {
    plain.parse::<f64>().ok().filter(|value| !value.is_nan())
}

/// Determines the form of a field without surrounding whitespace.
///
/// `thousands` is set by the user.
pub(crate) fn form_of(field: &str, thousands: Option<char>) -> Form {
    let bytes = field.as_bytes();
    let digits = bytes.strip_prefix(b"-").or_else(|| bytes.strip_prefix(b"+")).unwrap_or(bytes);
    match digits.first() {
        Some(b'0'..=b'9' | b'.' | b',') => {
            if let Some(form) = number_form(digits) {
                return form;
            }
            if let Some(form) = grouped_form(field, thousands) {
                return form;
            }
            if is_date(bytes) {
                return Form::Date;
            }
        }
        Some(b'i' | b'I') if finite_or_infinite(field).is_some() => return Form::Infinite,
        Some(b't' | b'T' | b'f' | b'F') if truth_of(field).is_some() => return Form::Boolean,
        _ => {}
    }
    if bytes.len() <= LONGEST_MARK && MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(field)) {
        return Form::Mark;
    }
    Form::Word
}

/// Parses a boolean.
pub(crate) fn truth_of(field: &str) -> Option<bool> {
    match field {
        "True" | "true" | "TRUE" => Some(true),
        "False" | "false" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Form of an unsigned number with points and commas, if it is one.
fn number_form(digits: &[u8]) -> Option<Form> {
    let (body, exponent) = match digits.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        None => (digits, None),
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
    };
    if let Some(exponent) = exponent {
        let figures = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
        if figures.is_empty() || !figures.iter().all(u8::is_ascii_digit) {
            return None;
        }
    }
    let (mut points, mut commas, mut figures, mut last) = (0_usize, 0_usize, 0_usize, None);
    for (i, byte) in body.iter().enumerate() {
        match byte {
            b'0'..=b'9' => figures += 1,
            b'.' => (points, last) = (points + 1, Some(i)),
            b',' => (commas, last) = (commas + 1, Some(i)),
            _ => return None,
        }
    }
    if figures == 0 {
        return None;
    }
    let too_large = || {
        if exponent.is_none() && figures <= 300 {
            return false;
        }
        let plain: String =
            digits.iter().map(|&byte| if byte == b',' { '.' } else { char::from(byte) }).collect();
        plain.parse::<f64>().is_ok_and(f64::is_infinite)
    };
    let form = match (points, commas) {
        (0, 0) if exponent.is_some() => Form::Exponent,
        (0, 0) => return Some(whole(body)),
        (1, 0) => {
            if exponent.is_none() && groups(body, b'.') {
                Form::PointGroup
            } else {
                Form::Point
            }
        }
        (0, 1) => {
            if exponent.is_none() && groups(body, b',') {
                Form::CommaGroup
            } else {
                Form::Comma
            }
        }
        _ if exponent.is_some() => return None,
        (_, 0) if groups(body, b'.') => checked(body, Form::PointGroups),
        (0, _) if groups(body, b',') => checked(body, Form::CommaGroups),
        (_, 1) if last.is_some_and(|at| body[at] == b',' && groups(&body[..at], b'.')) => {
            Form::PointGroupsComma
        }
        (1, _) if last.is_some_and(|at| body[at] == b'.' && groups(&body[..at], b',')) => {
            Form::CommaGroupsPoint
        }
        _ => return None,
    };
    Some(if points + commas <= 1 && too_large() { Form::Infinite } else { form })
}

/// Whether the digits form groups of three after a first group.
///
/// The first group has one to three digits without leading 0.
fn groups(body: &[u8], mark: u8) -> bool {
    let mut parts = body.split(|&byte| byte == mark);
    let first = parts.next().unwrap_or_default();
    let first_fits = (1..=3).contains(&first.len()) && first[0] != b'0';
    let mut count = 0;
    let rest = parts.all(|part| {
        count += 1;
        part.len() == 3 && part.iter().all(u8::is_ascii_digit)
    });
    first_fits && rest && count > 0
}

fn whole(figures: &[u8]) -> Form {
    checked(figures, Form::Whole)
}

/// Returns the form, or `Beyond` if the number exceeds 2^53.
fn checked(body: &[u8], form: Form) -> Form {
    if body.len() <= 15 {
        return form;
    }
    let mut value = 0_u64;
    for figure in body.iter().filter(|byte| byte.is_ascii_digit()) {
        let next = value.checked_mul(10).and_then(|ten| ten.checked_add(u64::from(figure - b'0')));
        match next.filter(|&next| next <= LARGEST_EXACT) {
            Some(next) => value = next,
            None => return Form::Beyond,
        }
    }
    form
}

/// Form of a number with a thousands separator other than point and comma.
fn grouped_form(field: &str, thousands: Option<char>) -> Option<Form> {
    let marks = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}', '_'];
    let named = thousands.filter(|mark| !matches!(mark, '.' | ','));
    let mark = match named {
        Some(mark) => mark,
        None => marks.into_iter().find(|&mark| field.contains(mark))?,
    };
    let unsigned = field.strip_prefix(['-', '+']).unwrap_or(field);
    let end = unsigned.find(['.', ',']).unwrap_or(unsigned.len());
    let mut parts = unsigned[..end].split(mark);
    let first = parts.next()?;
    let fits = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && first.bytes().all(|b| b.is_ascii_digit());
    let mut count = 0;
    let rest = parts.all(|part| {
        count += 1;
        part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let plain: String = unsigned.chars().filter(|&sign| sign != mark).collect();
    let form = number_form(plain.as_bytes()).filter(|_| fits && rest && count > 0)?;
    Some(match form {
        _ if named.is_none() => Form::OtherGroups,
        // After groups of another mark, a point or comma can only be the decimal sign.
        Form::PointGroup => Form::Point,
        Form::CommaGroup => Form::Comma,
        other => other,
    })
}

/// Whether a field is a numeric date, with or without a time of day.
fn is_date(field: &[u8]) -> bool {
    let end = field.iter().position(|byte| matches!(byte, b' ' | b'T')).unwrap_or(field.len());
    let (day, time) = (&field[..end], field.get(end + 1..));
    let Some(&mark) = day.iter().find(|byte| !byte.is_ascii_digit()) else { return false };
    if !matches!(mark, b'-' | b'/' | b'.') {
        return false;
    }
    let parts: Vec<&[u8]> = day.split(|&byte| byte == mark).collect();
    let [first, second, third] = parts[..] else { return false };
    let figures = |part: &[u8], most: u32| {
        (1..=4).contains(&part.len())
            && part.iter().all(u8::is_ascii_digit)
            && part.iter().fold(0, |sum, byte| 10 * sum + u32::from(byte - b'0')) <= most
    };
    let short = |part: &[u8]| part.len() <= 2 && figures(part, 31);
    let year_first = first.len() == 4 && figures(first, 9999) && short(second) && short(third);
    let year_last = short(first) && short(second) && matches!(third.len(), 2 | 4) && figures(third, 9999);
    let clock = |text: &[u8]| {
        let part = |range: std::ops::Range<usize>| {
            text.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
        };
        part(0..2) && text.get(2) == Some(&b':') && part(3..5) && text.len() <= 40
    };
    (year_first || year_last) && time.is_none_or(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_fields() {
        for (field, form) in [
            ("1027", Form::Whole),
            ("-007", Form::Whole),
            ("9007199254740992", Form::Whole),
            ("9007199254740993", Form::Beyond),
            ("-9007199254740994", Form::Beyond),
            ("9.007.199.254.740.993", Form::Beyond),
            ("00000000000000000012", Form::Whole),
            ("30.44", Form::Point),
            (".5", Form::Point),
            ("5.", Form::Point),
            ("0.123", Form::Point),
            ("1.5e3", Form::Point),
            ("1.027", Form::PointGroup),
            ("30,44", Form::Comma),
            ("0,123", Form::Comma),
            ("1,5e-3", Form::Comma),
            ("1,027", Form::CommaGroup),
            ("1.234.567", Form::PointGroups),
            ("1,234,567", Form::CommaGroups),
            ("-1.027,42", Form::PointGroupsComma),
            ("1,027.42", Form::CommaGroupsPoint),
            ("1 027", Form::OtherGroups),
            ("1'027.5", Form::OtherGroups),
            ("5e3", Form::Exponent),
            ("1e400", Form::Infinite),
            ("-Infinity", Form::Infinite),
            ("TRUE", Form::Boolean),
            ("2024-02-29", Form::Date),
            ("29.02.2024 12:30", Form::Date),
            ("2024-02-29T12:30:01Z", Form::Date),
            ("1/2/24", Form::Date),
            ("1.2.3", Form::Word),
            ("12.3456.1", Form::Word),
            ("<na>", Form::Mark),
            ("#DIV/0!", Form::Mark),
            ("\\N", Form::Mark),
            ("-", Form::Mark),
            (".", Form::Mark),
            ("NONE", Form::Mark),
            ("-nan", Form::Mark),
            ("1_0", Form::Word),
            ("0x1", Form::Word),
            ("++1", Form::Word),
            ("+", Form::Word),
            ("e5", Form::Word),
            ("12 Main", Form::Word),
            ("1,2,3", Form::Word),
            (",", Form::Word),
        ] {
            assert_eq!(form_of(field, None), form, "{field}");
        }
        assert_eq!(form_of("1 027,5", Some(' ')), Form::Comma);
        assert_eq!(form_of("1 027", Some(' ')), Form::Whole);
    }

    #[test]
    fn values_in_a_notation() {
        let comma = Notation { decimal: ',', thousands: Some('.') };
        assert_eq!(comma.value("-1.027,42"), Some(-1027.42));
        assert_eq!(comma.value("1.027"), Some(1027.0));
        assert_eq!(Notation { decimal: ',', thousands: None }.value("1.5"), None);
        assert_eq!(Notation { decimal: '.', thousands: None }.value("+1e3"), Some(1000.0));
        assert_eq!(Notation { decimal: '.', thousands: None }.value("nan"), None);
    }
}
