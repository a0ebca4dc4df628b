//! `SMOTEBoost`: boosting with rows made anew in each round (Chawla, Lazarevic, Hall and Bowyer 2003).

use super::params::{Loss, base, boosting_params, is_rate, require};
use super::rounds::{Rounds, boost, rows_with_weight};
use super::rusboost::judged;
use crate::committee::{Assembled, Assembly, Bag, Teacher, Training};
use imbcore_base::{Params, Recalibrate, Result, tags};
use imbcore_sample::{Added, Goal, Kind, Ratio, Strategy, Synthesis, Task, Which};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a made row weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyntheticWeight {
    /// As much as the rows of its class on average.
    Mean,
    /// As much as all rows on average.
    Uniform,
}

boosting_params! {
    /// Parameters of `SMOTEBoost`.
    pub struct SmoteBoostParams {
        members 50, "a whole number of at least 1", "Most members; a member without a mistake ends boosting.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor of all votes: smaller ones need more members.";
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Nearest rows of the same class, of which one is the other end of a made row; fewer where the class has fewer.";
        sampling_strategy: Strategy = Strategy::Named(Which::Auto),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows a class" naming Classes,
            "Of which classes rows are made in each round, and how many rows of them there are then. \"auto\": all but the \
             largest, to its size; a number: the smaller to the larger of two classes.";
        ratio: Ratio = Ratio::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "What a number as `sampling_strategy` is: the smaller class to the larger one, or to all rows.";
        percent: Option<f64> = None, "None or a number of at least 0",
            "Made rows in percent of the rows of each class of the strategy, whose numbers then do not count (the paper's N).";
        synthetic_weight: SyntheticWeight = SyntheticWeight::Mean, "\"mean\" or \"uniform\"",
            "What a made row weighs in its round: as much as a row of its class on average, or as any row; the paper leaves \
             it open.";
        loss: Loss = Loss::M2, "\"m2\" or \"samme\"",
            "How the rows judge a member: by its probabilities (AdaBoost.M2, the paper), or by its answers.";
        attempts: u32 = 10, "a whole number of at least 1",
            "How often a round whose member is no better than chance is drawn anew before boosting stops.";
        recalibrate: Recalibrate = Recalibrate::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities go back from the class shares of the rows with the made ones to those of the data. \
             \"none\": what the members say.";
    }
}

impl SmoteBoostParams {
    /// Rows to make of each class, ascending.
    fn goal(&self, method: &str, task: &Task<'_>) -> Result<Goal> {
        let goal = self.sampling_strategy.goal(method, self.ratio, Kind::Over, task)?;
        let Some(percent) = self.percent else { return Ok(goal) };
        #[allow(clippy::cast_sign_loss)] // A positive share of a count.
        let share = |class: u32| (percent / 100.0 * task.count(class) as f64).floor() as u64;
        Ok(goal.into_iter().map(|(class, _)| (class, share(class))).collect())
    }
}

impl Assembly for SmoteBoostParams {
    fn base(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require(about, self.n_estimators >= 1, "n_estimators", self.n_estimators)?;
        require(about, self.attempts >= 1, "attempts", self.attempts)?;
        require(about, self.k_neighbors >= 1, "k_neighbors", self.k_neighbors)?;
        let percent = self.percent.unwrap_or(0.0);
        require(about, percent.is_finite() && percent >= 0.0, "percent", percent)?;
        require(about, is_rate(self.learning_rate), "learning_rate", self.learning_rate)
    }

    fn assemble<T: Teacher>(
        &self,
        method: &'static str,
        teacher: &T,
        training: &Training<'_, '_>,
    ) -> Result<Assembled<T::Member>> {
        let data = training.data;
        let rows = rows_with_weight(data);
        let classes: Vec<u32> = rows.iter().map(|&row| data.classes()[row as usize]).collect();
        let goal = self.goal(method, &Task::new(None, &classes, training.labels)?)?;
        let of_class = |class: u32| -> Vec<u32> {
            rows.iter().copied().filter(|&row| data.classes()[row as usize] == class).collect()
        };
        let pools: Vec<(u32, Vec<u32>)> =
            goal.iter().filter(|(_, n)| *n > 0).map(|&(class, _)| (class, of_class(class))).collect();
        let bases: Vec<(u32, &[u32])> = pools.iter().map(|(class, rows)| (*class, &**rows)).collect();
        let k = self.k_neighbors as usize;
        let synthesis = Synthesis::new(data.frame(), &bases, k, training.ctl)?;
        let (judge, rule) = judged(self.loss, data.n_classes(), self.learning_rate);
        let rounds = Rounds { judge, n: self.n_estimators, attempts: self.attempts, restarts: false };
        let boosted = boost(teacher, training, &rows, &rounds, training.key, |weights, key| {
            let mut made = Added::default();
            for &(class, n) in goal.iter().filter(|(_, n)| *n > 0) {
                let key = key.child(tags::bag::SAMPLER, 0);
                synthesis.make(class, n as usize, key, (&mut made, training.ctl))?;
            }
            let of_made = self.weights_of_made(&made, weights, &classes, data.n_classes());
            let shares = weights.iter().copied().chain(of_made).collect();
            Ok(Some(Bag::of_shares(rows.clone(), made, shares)))
        })?
        .some(method)?;
        let given = data.class_masses();
        let mut learnt = given.clone();
        for (class, n) in goal {
            let class = class as usize;
            let n_rows = classes.iter().filter(|&&of| of as usize == class).count();
            learnt[class] *= 1.0 + n as f64 / n_rows.max(1) as f64;
        }
        let shift = self.recalibrate.shift(&learnt, &given);
        Ok(boosted.assembled(rule, data.n_classes(), shift))
    }
}

impl SmoteBoostParams {
    /// Weight of each made row, in the unit of the given ones.
    fn weights_of_made(&self, made: &Added, weights: &[f64], classes: &[u32], n_classes: usize) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); n_classes];
        for (&weight, &class) in weights.iter().zip(classes) {
            let (mass, count) = &mut sums[class as usize];
            *mass += weight;
            *count += 1.0;
        }
        let weight = |class: u32| match self.synthetic_weight {
            SyntheticWeight::Mean => sums[class as usize].0 / sums[class as usize].1,
            SyntheticWeight::Uniform => 1.0 / weights.len() as f64,
        };
        made.classes.iter().map(|&class| weight(class)).collect()
    }
}
