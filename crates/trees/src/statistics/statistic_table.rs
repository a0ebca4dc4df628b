//! Lookup tables of target statistics.

use std::sync::Arc;

/// Lookup table with the statistic of every level of a nominal column, for one class.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetStatisticTable {
    /// Index of the nominal column.
    pub column: u32,
    /// Class whose proportion the statistic describes.
    pub class: u32,
    /// Statistic of every level; the last entry is that of missing and unseen values.
    pub values: Vec<f64>,
}

impl TargetStatisticTable {
    /// Returns the statistic of a level code.
    /// Missing values have the code [`imbcore_core::MISSING`].
    #[inline]
    pub fn value(&self, code: u32) -> f64 {
        let last = self.values.len() - 1;
        self.values[(code as usize).min(last)]
    }

    /// Number of levels of the column.
    pub fn n_levels(&self) -> u32 {
        self.values.len() as u32 - 1
    }
}

/// Lookup tables of target statistics, which all trees of a model share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TargetStatisticTables(Arc<Vec<TargetStatisticTable>>);

impl TargetStatisticTables {
    pub(crate) fn new(tables: Vec<TargetStatisticTable>) -> Self {
        Self(Arc::new(tables))
    }

    /// Lookup tables in the order of their indices.
    pub fn tables(&self) -> &[TargetStatisticTable] {
        &self.0
    }

    #[inline]
    pub(crate) fn table(&self, index: u32) -> &TargetStatisticTable {
        &self.0[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::MISSING;

    #[test]
    fn missing_values_have_the_last_entry() {
        let table = TargetStatisticTable { column: 3, class: 1, values: vec![0.1, 0.2, -0.5] };
        assert_eq!([0, 1, MISSING].map(|code| table.value(code)), [0.1, 0.2, -0.5]);
        assert_eq!(table.n_levels(), 2);
    }
}
