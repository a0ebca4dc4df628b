//! Weights of evidence: the contribution of each column to the log-odds of a class.

use super::member_network::MemberNetwork;
use super::model::{BayesModel, log_row_probability, log_sum_exp};
use crate::infer::{ClassPosterior, log_posterior_batch};
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::{Classifier, Frame, Result, RunContext, memory};

/// Log-odds are clipped to plus or minus this value, so that their sums stay finite.
const CERTAIN: f64 = 1000.0;

impl BayesModel {
    /// Contributions of the columns to the log-odds of `class`, and the prior log-odds.
    ///
    /// The log-odds compare `class` with all other classes together. The contributions form an array of
    /// `n_rows x n_columns`. The prior log-odds plus the contributions of a row are the log-odds of its
    /// prediction.
    ///
    /// This is the weight of evidence of Good (1950). Columns are treated as observed one after the other:
    /// parents before children in a single network, and in column order in an ensemble. The contribution of a
    /// column is the change of the log-odds when the column is observed in addition to all columns before it.
    ///
    /// Take a single network with two classes in which the class has no parents. A row without missing values
    /// then has the contributions `ln P(x | parents, class) - ln P(x | parents, other)`, where x is the value
    /// of the column. These contributions are the same for every order in which parents come before children.
    /// Missing values are summed out and contribute nothing, unless their column has a state for missing
    /// values. Log-odds are clipped to `[-1000, 1000]`.
    ///
    /// # Errors
    /// Same errors as [`Classifier::proba`].
    pub fn weights_of_evidence(
        &self,
        frame: &Frame<'_>,
        class: usize,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        frame.check_finite()?;
        let (n_rows, width) = (frame.n_rows(), frame.n_columns());
        let mut views: Vec<ObservedColumns<'_>> = Vec::with_capacity(self.members().len());
        for (at, member) in self.members().iter().enumerate() {
            let columns: Vec<usize> = member.columns.iter().map(|&column| column as usize).collect();
            let codes = self.discretizer(at).encode(frame, &columns, ctl)?;
            views.push(ObservedColumns::new(member, codes, n_rows, self.is_weighted_by_row_proba(), ctl)?);
        }
        let mut found = memory::filled(n_rows * width, 0.0, "answers")?;
        let mut before = self.log_odds(&views, class, n_rows)?;
        let base = before.first().copied().unwrap_or(0.0);
        let order = self.observation_order();
        for (done, &column) in order.iter().enumerate() {
            for view in &mut views {
                view.observe(column, ctl)?;
            }
            let now = self.log_odds(&views, class, n_rows)?;
            for (row, (now, before)) in now.iter().zip(&before).enumerate() {
                found[row * width + column as usize] = now - before;
            }
            before = now;
            ctl.report_progress("columns", done as u64 + 1, order.len() as u64);
        }
        Ok((found, base))
    }

    fn observation_order(&self) -> Vec<u32> {
        if let [MemberNetwork { columns, network }] = self.members() {
            return network
                .topological_order()
                .iter()
                .filter_map(|&v| columns.get(v as usize).copied())
                .collect();
        }
        let mut all: Vec<u32> = self.members().iter().flat_map(|member| &member.columns).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn log_odds(&self, views: &[ObservedColumns<'_>], class: usize, n_rows: usize) -> Result<Vec<f64>> {
        let c = self.n_classes();
        let mut odds = memory::try_with_capacity(n_rows, "answers")?;
        let mut joined = vec![0.0; c];
        for row in 0..n_rows {
            let weight = |view: &ObservedColumns<'_>, plain: f64| {
                if view.by_row { log_row_probability(&view.answer, row) } else { plain }
            };
            for (class, joined) in joined.iter_mut().enumerate() {
                let terms = views.iter().zip(self.member_log_weights());
                let term = |(view, &plain): (&ObservedColumns<'_>, &f64)| {
                    weight(view, plain) + view.answer.p[row * c + class]
                };
                *joined = log_sum_exp(&terms.map(term).collect::<Vec<_>>());
            }
            let own = joined[class];
            joined[class] = f64::NEG_INFINITY;
            let rest = log_sum_exp(&joined);
            odds.push(if own == rest { 0.0 } else { (own - rest).clamp(-CERTAIN, CERTAIN) });
        }
        Ok(odds)
    }
}

struct ObservedColumns<'m> {
    member: &'m MemberNetwork,
    hidden: Vec<Vec<u16>>,
    shown: DiscreteTable,
    answer: ClassPosterior,
    by_row: bool,
}

impl<'m> ObservedColumns<'m> {
    fn new(
        member: &'m MemberNetwork,
        hidden: Vec<Vec<u16>>,
        n_rows: usize,
        by_row: bool,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let column = |_| memory::filled(n_rows, MISSING, "codes of a column");
        let nothing = (0..=hidden.len()).map(column).collect::<Result<_>>()?;
        let shown = DiscreteTable::new(nothing, member.network.n_states_by_variable())?;
        let answer = log_posterior_batch(&member.network, member.class_variable(), &shown, by_row, ctl)?;
        Ok(Self { member, hidden, shown, answer, by_row })
    }

    fn observe(&mut self, column: u32, ctl: RunContext<'_>) -> Result<()> {
        let Some(at) = self.member.columns.iter().position(|&own| own == column) else { return Ok(()) };
        self.shown.replace_codes(at, std::mem::take(&mut self.hidden[at]));
        let MemberNetwork { network, .. } = self.member;
        self.answer =
            log_posterior_batch(network, self.member.class_variable(), &self.shown, self.by_row, ctl)?;
        Ok(())
    }
}
