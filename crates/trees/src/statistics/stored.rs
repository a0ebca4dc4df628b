//! Serialization of target statistics.

use crate::statistics::statistic_table::{TargetStatisticTable, TargetStatisticTables};
use crate::tree::ColumnKind;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Result};

impl TargetStatisticTables {
    /// Writes the lookup tables to a file, if there are any.
    pub fn write(&self, file: &mut ArrayWriter) {
        if self.tables().is_empty() {
            return;
        }
        let of_tables =
            |number: fn(&TargetStatisticTable) -> u32| self.tables().iter().map(number).collect::<Vec<_>>();
        file.write_u32s("statistics.columns", &of_tables(|table| table.column));
        file.write_u32s("statistics.classes", &of_tables(|table| table.class));
        let values = self.tables().iter().flat_map(|table| &table.values).copied().collect::<Vec<f64>>();
        file.write_f64s("statistics.values", &values);
    }

    /// Reads the lookup tables; `columns` has the kinds of the columns of the data.
    ///
    /// # Errors
    /// [`Error::Format`] for tables that do not match the columns or classes.
    pub fn read(file: &ArrayReader<'_>, columns: &[ColumnKind], n_classes: usize) -> Result<Self> {
        if !file.has_array("statistics.columns") {
            return Ok(Self::default());
        }
        let (of_tables, classes) =
            (file.read_u32s("statistics.columns")?, file.read_u32s("statistics.classes")?);
        let values = file.read_f64s("statistics.values")?;
        let (mut rest, mut tables) = (&values[..], Vec::new());
        let damaged = || Error::damaged("the target statistics do not match the columns and classes");
        if classes.len() != of_tables.len() || !values.iter().all(|value| value.is_finite()) {
            return Err(damaged());
        }
        for (&column, class) in of_tables.iter().zip(classes) {
            let Some(&ColumnKind::Nominal(levels)) = columns.get(column as usize) else {
                return Err(damaged());
            };
            let (own, others) = rest.split_at_checked(levels as usize + 1).ok_or_else(damaged)?;
            if class as usize >= n_classes {
                return Err(damaged());
            }
            rest = others;
            tables.push(TargetStatisticTable { column, class, values: own.to_vec() });
        }
        if rest.is_empty() { Ok(Self::new(tables)) } else { Err(damaged()) }
    }
}
