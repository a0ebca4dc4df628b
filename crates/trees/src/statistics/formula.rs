//! Export of target statistics as lookup tables of a formula.

use crate::statistics::statistic_table::TargetStatisticTables;
use imbcore_export::{ExprBuilder, LookupTable};

impl TargetStatisticTables {
    /// Adds the lookup tables to a formula, and returns their indices in the formula.
    ///
    /// `columns` has, for every column of the data, the index of its feature in the formula.
    pub fn add_tables_to_formula(&self, builder: &mut ExprBuilder, columns: &[usize]) -> Vec<usize> {
        let lookup = |table: &crate::statistics::TargetStatisticTable| {
            let (levels, missing) = table.values.split_at(table.n_levels() as usize);
            builder.add_lookup_table(LookupTable {
                feature: columns[table.column as usize],
                values: levels.to_vec(),
                missing: missing.first().copied().unwrap_or_default(),
            })
        };
        self.tables().iter().map(lookup).collect()
    }
}
