//! Form of one field: a number, a boolean, a date, a missing mark, or a word.

use super::date;

/// Whole numbers above 2^53 are invalid as numbers: float64 cannot represent all of them.
const LARGEST_EXACT: u64 = 1 << 53;

/// Kind of text in a field, such as a date or a number with a comma; number kinds come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum TokenForm {
    /// `1027`.
    Whole,
    /// A whole number above 2^53, with or without thousands separators.
    TooLargeInteger,
    /// `30.44`, `.5` or `1.5e3`: the point can only be the decimal sign.
    Point,
    /// `1.027`: a decimal point, or a thousands separator.
    PointGroup,
    /// `30,44`: the comma can only be the decimal sign.
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
    /// `5e3`: a number with an exponent and without a decimal sign.
    Exponent,
    /// `inf`, or a number too large for float64.
    Infinite,
    /// A number with a sign or unit that the reader does not support.
    /// Examples are `$10.50`, `12 %`, `(1.5)`, `1.5-`, `1.0D+05`.
    WithUnitOrSign,
    /// `True` or `false`.
    Boolean,
    /// `2024-02-29`, `29.02.2024 12:30`.
    Date,
    /// A mark such as `-`: missing in a numeric or boolean column, a level in a text column.
    MissingMark,
    /// Anything else.
    Word,
}

pub(crate) const FORMS: usize = TokenForm::Word as usize + 1;

impl TokenForm {
    pub(crate) const ALL: [Self; FORMS] = [
        Self::Whole,
        Self::TooLargeInteger,
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
        Self::WithUnitOrSign,
        Self::Boolean,
        Self::Date,
        Self::MissingMark,
        Self::Word,
    ];

    /// Whether the form is a number in some notation, even one that the reader does not support.
    pub(crate) fn is_number(self) -> bool {
        (self as u8) <= Self::WithUnitOrSign as u8
    }
}

/// Marks of missing values in numeric and boolean columns, in lower case.
///
/// Databases, statistics programs and spreadsheets write these marks.
const MARKS: [&str; 49] = [
    "n/a", "none", "-", ".", "#n/a", "#n/a n/a", "#na", "#div/0!", "#null!", "#num!", "#value!", "#ref!",
    "#name?", "\\n", "<na>", "na", "nan", "-nan", "+nan", "null", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan",
    "--", "---", "—", "–", "*", "n.a.", "n.d.", "nil", "nat", "missing", "(null)", "<null>", "[null]",
    "(none)", "<none>", "(blank)", "#spill!", "#calc!", "#nv", "#wert!", "#bezug!", "#zahl!", "#n/d",
    "#valor!", "#valeur!",
];
const LONGEST_MARK: usize = 9;

/// Notation of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberNotation {
    /// Decimal sign.
    pub decimal: char,
    /// Thousands separator.
    pub thousands: Option<char>,
}

impl NumberNotation {
    /// Whether a field of this form is a number with this decimal sign and thousands separator.
    pub(crate) fn accepts(self, form: TokenForm) -> bool {
        let point = self.decimal == '.';
        match form {
            TokenForm::Whole | TokenForm::TooLargeInteger | TokenForm::Exponent | TokenForm::Infinite => true,
            TokenForm::Point => point,
            TokenForm::Comma => !point,
            TokenForm::PointGroup => point || self.thousands == Some('.'),
            TokenForm::CommaGroup => !point || self.thousands == Some(','),
            TokenForm::PointGroups => self.thousands == Some('.'),
            TokenForm::CommaGroups => self.thousands == Some(','),
            TokenForm::PointGroupsComma => !point && self.thousands == Some('.'),
            TokenForm::CommaGroupsPoint => point && self.thousands == Some(','),
            TokenForm::OtherGroups
            | TokenForm::WithUnitOrSign
            | TokenForm::Boolean
            | TokenForm::Date
            | TokenForm::MissingMark
            | TokenForm::Word => false,
        }
    }

    /// Whether a number of this form is a whole number when read with this decimal sign.
    pub(crate) fn is_whole_number(self, form: TokenForm) -> bool {
        match form {
            TokenForm::Whole
            | TokenForm::TooLargeInteger
            | TokenForm::PointGroups
            | TokenForm::CommaGroups => true,
            TokenForm::PointGroup => self.thousands == Some('.'),
            TokenForm::CommaGroup => self.thousands == Some(','),
            _ => false,
        }
    }

    /// Value of a field that is a number with this decimal sign and thousands separator.
    ///
    /// Thousands separators are removed without a check, because [`detect_form`] has checked their positions.
    pub(crate) fn parse_number(self, field: &str) -> Option<f64> {
        if self.decimal == '.' && self.thousands.is_none() {
            return parse_non_nan(field);
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
        parse_non_nan(&plain)
    }
}

fn parse_non_nan(plain: &str) -> Option<f64> {
    plain.parse::<f64>().ok().filter(|value| !value.is_nan())
}

/// Determines the form of a field without surrounding whitespace.
///
/// `thousands` is the separator that the user has set.
pub(crate) fn detect_form(field: &str, thousands: Option<char>) -> TokenForm {
    let bytes = field.as_bytes();
    let digits = bytes.strip_prefix(b"-").or_else(|| bytes.strip_prefix(b"+")).unwrap_or(bytes);
    match digits.first() {
        Some(b'0'..=b'9' | b'.' | b',') => {
            if let Some(form) = unsigned_number_form(digits) {
                return form;
            }
            if let Some(form) = grouped_thousands_form(field, thousands) {
                return form;
            }
            if date::is_numeric_date(bytes) {
                return TokenForm::Date;
            }
        }
        Some(b'i' | b'I') if parse_non_nan(field).is_some() => return TokenForm::Infinite,
        Some(b't' | b'T' | b'f' | b'F') if parse_boolean(field).is_some() => return TokenForm::Boolean,
        _ => {}
    }
    if bytes.len() <= LONGEST_MARK && MARKS.iter().any(|mark| mark.eq_ignore_ascii_case(field)) {
        return TokenForm::MissingMark;
    }
    if date::is_date_with_month_name(field) {
        TokenForm::Date
    } else if has_sign_or_unit(field, thousands) {
        TokenForm::WithUnitOrSign
    } else {
        TokenForm::Word
    }
}

/// Whether a field is a number with a sign or unit that the reader does not support.
/// Such a field has a currency sign, a percent sign, a minus sign at the end, parentheses for a negative
/// number, or an exponent as in Fortran.
fn has_sign_or_unit(field: &str, thousands: Option<char>) -> bool {
    const UNITS: [char; 7] = ['$', '€', '£', '¥', '₹', '%', '‰'];
    const SIGNS: [char; 3] = ['-', '+', '\u{2212}'];
    // A plus sign at the end is not the sign of a number: `3+` means three or more.
    const LAST_SIGNS: [char; 2] = ['-', '\u{2212}'];
    if !field.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let unit = |sign: char| sign.is_whitespace() || UNITS.contains(&sign);
    let inside = field.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(field);
    let unsigned = inside.trim_matches(unit);
    let unsigned =
        unsigned.strip_prefix(SIGNS).or_else(|| unsigned.strip_suffix(LAST_SIGNS)).unwrap_or(unsigned);
    let plain = unsigned.trim_matches(unit);
    if !plain.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '.' | ',')) {
        return false;
    }
    // Fortran writes exponents as in 1.5D-03. Without a point, as in 1D-3, the field may be a code.
    let exponent = plain.find(['D', 'd']).filter(|&at| plain[..at].contains('.'));
    let fortran = exponent.map(|at| format!("{}e{}", &plain[..at], &plain[at + 1..]));
    let plain = fortran.as_deref().unwrap_or(plain);
    unsigned_number_form(plain.as_bytes()).is_some() || grouped_thousands_form(plain, thousands).is_some()
}

pub(crate) fn parse_boolean(field: &str) -> Option<bool> {
    match field {
        "True" | "true" | "TRUE" => Some(true),
        "False" | "false" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Form of an unsigned number with points or commas; `None` if the field is no such number.
fn unsigned_number_form(digits: &[u8]) -> Option<TokenForm> {
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
        (0, 0) if exponent.is_some() => TokenForm::Exponent,
        (0, 0) => return Some(whole_number_or_too_large(body)),
        (1, 0) => {
            if exponent.is_none() && is_grouped_by_thousands(body, b'.') {
                TokenForm::PointGroup
            } else {
                TokenForm::Point
            }
        }
        (0, 1) => {
            if exponent.is_none() && is_grouped_by_thousands(body, b',') {
                TokenForm::CommaGroup
            } else {
                TokenForm::Comma
            }
        }
        _ if exponent.is_some() => return None,
        (_, 0) if is_grouped_by_thousands(body, b'.') => form_or_too_large(body, TokenForm::PointGroups),
        (0, _) if is_grouped_by_thousands(body, b',') => form_or_too_large(body, TokenForm::CommaGroups),
        (_, 1) if last.is_some_and(|at| body[at] == b',' && is_grouped_by_thousands(&body[..at], b'.')) => {
            TokenForm::PointGroupsComma
        }
        (1, _) if last.is_some_and(|at| body[at] == b'.' && is_grouped_by_thousands(&body[..at], b',')) => {
            TokenForm::CommaGroupsPoint
        }
        _ => return None,
    };
    Some(if points + commas <= 1 && too_large() { TokenForm::Infinite } else { form })
}

/// Whether `mark` separates the digits into thousands groups.
///
/// The first group has one to three digits without a leading 0, and each later group has three digits.
fn is_grouped_by_thousands(body: &[u8], mark: u8) -> bool {
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

fn whole_number_or_too_large(figures: &[u8]) -> TokenForm {
    form_or_too_large(figures, TokenForm::Whole)
}

/// Returns `form`, or [`TokenForm::TooLargeInteger`] if the number exceeds 2^53.
fn form_or_too_large(body: &[u8], form: TokenForm) -> TokenForm {
    if body.len() <= 15 {
        return form;
    }
    let mut value = 0_u64;
    for figure in body.iter().filter(|byte| byte.is_ascii_digit()) {
        let next = value.checked_mul(10).and_then(|ten| ten.checked_add(u64::from(figure - b'0')));
        match next.filter(|&next| next <= LARGEST_EXACT) {
            Some(next) => value = next,
            None => return TokenForm::TooLargeInteger,
        }
    }
    form
}

/// Form of a number whose thousands separator is, for example, a space or an apostrophe.
///
/// `None` if the field is not such a number.
fn grouped_thousands_form(field: &str, thousands: Option<char>) -> Option<TokenForm> {
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
    let form = unsigned_number_form(plain.as_bytes()).filter(|_| fits && rest && count > 0)?;
    Some(match form {
        _ if named.is_none() => TokenForm::OtherGroups,
        // The thousands separator is neither point nor comma, so a point or comma can only be the decimal
        // sign.
        TokenForm::PointGroup => TokenForm::Point,
        TokenForm::CommaGroup => TokenForm::Comma,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_fields() {
        for (field, form) in [
            ("1027", TokenForm::Whole),
            ("-007", TokenForm::Whole),
            ("9007199254740992", TokenForm::Whole),
            ("9007199254740993", TokenForm::TooLargeInteger),
            ("-9007199254740994", TokenForm::TooLargeInteger),
            ("9.007.199.254.740.993", TokenForm::TooLargeInteger),
            ("00000000000000000012", TokenForm::Whole),
            ("30.44", TokenForm::Point),
            (".5", TokenForm::Point),
            ("5.", TokenForm::Point),
            ("0.123", TokenForm::Point),
            ("1.5e3", TokenForm::Point),
            ("1.027", TokenForm::PointGroup),
            ("30,44", TokenForm::Comma),
            ("0,123", TokenForm::Comma),
            ("1,5e-3", TokenForm::Comma),
            ("1,027", TokenForm::CommaGroup),
            ("1.234.567", TokenForm::PointGroups),
            ("1,234,567", TokenForm::CommaGroups),
            ("-1.027,42", TokenForm::PointGroupsComma),
            ("1,027.42", TokenForm::CommaGroupsPoint),
            ("1 027", TokenForm::OtherGroups),
            ("1'027.5", TokenForm::OtherGroups),
            ("5e3", TokenForm::Exponent),
            ("1e400", TokenForm::Infinite),
            ("-Infinity", TokenForm::Infinite),
            ("TRUE", TokenForm::Boolean),
            ("2024-02-29", TokenForm::Date),
            ("29.02.2024 12:30", TokenForm::Date),
            ("2024-02-29T12:30:01Z", TokenForm::Date),
            ("1/2/24", TokenForm::Date),
            ("5 Jan 2024", TokenForm::Date),
            ("05-JAN-24", TokenForm::Date),
            ("January 5, 2024", TokenForm::Date),
            ("2024-Jan-05", TokenForm::Date),
            ("Mon, 05 Jan 2024 12:30:00 +0000", TokenForm::Date),
            ("5 May", TokenForm::Word),
            ("May 5 rooms", TokenForm::Word),
            ("12 Mar St 2024", TokenForm::Word),
            ("jan-2024", TokenForm::Word),
            ("1.2.3", TokenForm::Word),
            ("12.3456.1", TokenForm::Word),
            ("<na>", TokenForm::MissingMark),
            ("#DIV/0!", TokenForm::MissingMark),
            ("\\N", TokenForm::MissingMark),
            ("-", TokenForm::MissingMark),
            (".", TokenForm::MissingMark),
            ("NONE", TokenForm::MissingMark),
            ("n.d.", TokenForm::MissingMark),
            ("—", TokenForm::MissingMark),
            ("Missing", TokenForm::MissingMark),
            ("unknown", TokenForm::Word),
            ("-nan", TokenForm::MissingMark),
            ("$10.50", TokenForm::WithUnitOrSign),
            ("-$1,027.50", TokenForm::WithUnitOrSign),
            ("1.027,42 €", TokenForm::WithUnitOrSign),
            ("12 %", TokenForm::WithUnitOrSign),
            ("(1.5)", TokenForm::WithUnitOrSign),
            ("1.5-", TokenForm::WithUnitOrSign),
            ("\u{2212}1.5", TokenForm::WithUnitOrSign),
            ("1.0D+05", TokenForm::WithUnitOrSign),
            ("$", TokenForm::Word),
            ("%5B", TokenForm::Word),
            ("5 kg", TokenForm::Word),
            ("12D4", TokenForm::Word),
            ("1D-3", TokenForm::Word),
            ("1.0d+05", TokenForm::WithUnitOrSign),
            ("3+", TokenForm::Word),
            ("1,000+", TokenForm::Word),
            ("-5-", TokenForm::Word),
            ("1.2.10", TokenForm::Word),
            ("10.2.24", TokenForm::Word),
            ("0/0/2024", TokenForm::Word),
            ("13/13/2024", TokenForm::Word),
            ("13/12/2024 9:30", TokenForm::Date),
            ("10-12", TokenForm::Word),
            ("1_0", TokenForm::Word),
            ("0x1", TokenForm::Word),
            ("++1", TokenForm::Word),
            ("+", TokenForm::Word),
            ("e5", TokenForm::Word),
            ("12 Main", TokenForm::Word),
            ("1,2,3", TokenForm::Word),
            (",", TokenForm::Word),
        ] {
            assert_eq!(detect_form(field, None), form, "{field}");
        }
        assert_eq!(detect_form("1 027,5", Some(' ')), TokenForm::Comma);
        assert_eq!(detect_form("1 027", Some(' ')), TokenForm::Whole);
    }

    #[test]
    fn values_in_a_notation() {
        let comma = NumberNotation { decimal: ',', thousands: Some('.') };
        assert_eq!(comma.parse_number("-1.027,42"), Some(-1027.42));
        assert_eq!(comma.parse_number("1.027"), Some(1027.0));
        assert_eq!(NumberNotation { decimal: ',', thousands: None }.parse_number("1.5"), None);
        assert_eq!(NumberNotation { decimal: '.', thousands: None }.parse_number("+1e3"), Some(1000.0));
        assert_eq!(NumberNotation { decimal: '.', thousands: None }.parse_number("nan"), None);
    }
}
