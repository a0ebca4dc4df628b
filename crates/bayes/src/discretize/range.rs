//! Range of the values of a column.

/// Extends a range to include all given numbers except NaN; `None` is the empty range.
pub(crate) fn extend_range(
    range: Option<(f64, f64)>,
    values: impl Iterator<Item = f64>,
) -> Option<(f64, f64)> {
    let (low, high) = range.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
    let wider = values.fold((low, high), |(low, high), value| {
        (if value < low { value } else { low }, if value > high { value } else { high })
    });
    // Adding 0 turns -0.0 into 0.0.
    (wider.0 <= wider.1).then_some((wider.0 + 0.0, wider.1 + 0.0))
}
