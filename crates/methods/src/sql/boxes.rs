//! Box drawings: the class of the boxes in them, and the score of the first box that holds a row.

use super::said::{Own, Said};
use imbcore_base::sql::Query;
use imbcore_base::{Result, Schema};
use imbcore_boxes::{BoxModel, NO_BOX};

/// What boxes say of a row.
pub(super) fn of_boxes(boxes: &BoxModel, query: &mut Query, schema: &Schema) -> Result<Said> {
    let (dialect, rules) = (query.dialect(), boxes.rules(schema, true));
    let n_boxes = boxes.drawing().n_boxes();
    let tests =
        (0..n_boxes).map(|number| rules.box_sql(number, dialect, true)).collect::<Result<Vec<_>>>()?;
    let positive = boxes.positive() as usize;
    let first = |says: &dyn Fn(u32) -> String| {
        let case = |(number, test): (usize, &String)| format!("WHEN {test} THEN {}", says(number as u32));
        let cases: Vec<String> = tests.iter().enumerate().map(case).collect();
        if cases.is_empty() {
            return says(NO_BOX);
        }
        format!("CASE {} ELSE {} END", cases.join(" "), says(NO_BOX))
    };
    let own = query.add(first(&|number| {
        if number == NO_BOX { (1 - positive).to_string() } else { positive.to_string() }
    }))?;
    let Some(scores) = boxes.box_scores() else {
        query.close()?;
        return Ok(Said { proba: None, own: Own::Code(own), lacking: Vec::new() });
    };
    let score = |number: u32| scores.get(number as usize).or(scores.last()).copied().unwrap_or_default();
    let p = query.add(first(&|number| dialect.number(score(number))))?;
    query.close()?;
    let other = query.add(format!("{} - {p}", dialect.number(1.0)))?;
    query.close()?;
    let proba = if positive == 1 { vec![other, p] } else { vec![p, other] };
    Ok(Said { proba: Some(proba), own: Own::Code(own), lacking: Vec::new() })
}
