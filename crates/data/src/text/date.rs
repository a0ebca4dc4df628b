//! Detection of dates in text files.

/// Whether a field is a numeric date, with or without a time of day.
pub(super) fn is_numeric_date(field: &[u8]) -> bool {
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
    // Whether two numbers are a day and a month, in any order.
    let day_and_month = |one: &[u8], other: &[u8]| {
        let short =
            |part: &[u8]| part.len() <= 2 && figures(part, 31) && part.iter().any(|&byte| byte != b'0');
        short(one) && short(other) && (figures(one, 12) || figures(other, 12))
    };
    let year_first = first.len() == 4 && figures(first, 9999) && day_and_month(second, third);
    // A two-digit year after points needs a two-digit day and month. So versions such as 1.2.10 are not
    // dates.
    let short_year = third.len() == 2 && (mark != b'.' || first.len() == 2 && second.len() == 2);
    let year_last = day_and_month(first, second) && (third.len() == 4 || short_year) && figures(third, 9999);
    let clock = |text: &[u8]| {
        let hours = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let minutes = text.get(hours + 1..hours + 3);
        matches!(hours, 1 | 2)
            && text[hours..].first() == Some(&b':')
            && minutes.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
            && text.len() <= 40
    };
    (year_first || year_last) && time.is_none_or(clock)
}

/// Whether a field is a date with the English name of its month.
/// Examples are `5 Jan 2024` and `Mon, 05-Jan-24 12:30:00`.
pub(super) fn is_date_with_month_name(field: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let named = |part: &str, names: &[&str]| {
        let lower = part.to_ascii_lowercase();
        lower.len() >= 3 && names.iter().any(|name| name.starts_with(&lower))
    };
    if field.len() > 40 || !field.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut parts = field.split([' ', '-', '/', '.', ',']).filter(|part| !part.is_empty()).peekable();
    parts.next_if(|part| named(part, &DAYS));
    let (mut months, mut numbers) = (0, Vec::new());
    for part in parts.by_ref().take(3) {
        if named(part, &MONTHS) {
            months += 1;
        } else {
            numbers.push(part);
        }
    }
    let short = |part: &str| part.len() <= 2 && part.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    let year = |part: &str| matches!(part.len(), 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
    let date = match numbers[..] {
        [first, second] => {
            (short(first) && year(second)) || (first.len() == 4 && year(first) && short(second))
        }
        _ => false,
    };
    let clock = parts.next().is_none_or(|time| time.contains(':') && time.as_bytes()[0].is_ascii_digit());
    months == 1 && date && clock
}
