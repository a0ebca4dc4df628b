//! Fitted ensembles of selected members.

use super::leaderboard::Leaderboard;
use crate::generic::{Ensemble, FittedMembers, VotingRule, VotingScheme};
use crate::model::OutOfBag;
use imbcore_core::{Classifier, Error, Frame, PriorShift, Result, RunContext};
use std::sync::Arc;

/// Weighted mean of the members' probabilities, with calibrated mean probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedEnsemble<M> {
    /// Models of all members; the models of a member, usually one per fold, share its weight.
    ensemble: Ensemble<M>,
    calibration: Option<PriorShift>,
    leaderboard: Leaderboard,
}

impl<M> SelectedEnsemble<M> {
    /// Combines models, which are in the order of the leaderboard, with one weight each.
    ///
    /// # Errors
    /// [`Error::Format`] if the models do not match the leaderboard.
    pub fn new(
        (models, weights): (Vec<M>, Vec<f64>),
        n_classes: usize,
        calibration: Option<PriorShift>,
        leaderboard: Leaderboard,
        out_of_bag: Option<OutOfBag>,
    ) -> Result<Self> {
        let n_models = models.len();
        let voting = VotingScheme {
            rule: VotingRule::Soft,
            votes: weights,
            errors: Vec::new(),
            columns: vec![Vec::new(); n_models],
            n_classes,
            shift: None,
        };
        let samples: Vec<Arc<[u32]>> = Vec::new();
        let ensemble = Ensemble::new(FittedMembers { members: models, voting, out_of_bag, samples })?;
        Self::from_parts(ensemble, calibration, leaderboard)
    }

    pub(super) fn from_parts(
        ensemble: Ensemble<M>,
        calibration: Option<PriorShift>,
        leaderboard: Leaderboard,
    ) -> Result<Self> {
        if ensemble.voting().rule != VotingRule::Soft || ensemble.voting().shift.is_some() {
            return Err(Error::damaged("its members must be combined by the mean of their probabilities"));
        }
        let leaderboard = leaderboard.validated(ensemble.members().len())?;
        Ok(Self { ensemble, calibration, leaderboard })
    }

    /// Ensemble of the models of all members, with their weights.
    pub fn ensemble(&self) -> &Ensemble<M> {
        &self.ensemble
    }

    /// Correction that calibrates the mean probabilities, if there is one.
    pub fn calibration(&self) -> Option<&PriorShift> {
        self.calibration.as_ref()
    }

    /// All candidates with their held-out scores.
    pub fn leaderboard(&self) -> &Leaderboard {
        &self.leaderboard
    }

    /// Replaces the row numbers of held-out predictions by those of the whole table.
    ///
    /// The whole table has `n_rows` rows, including rows of weight 0 that the fit did not get. For each row
    /// of the fit, `rows` has its number in the whole table.
    pub fn map_out_of_bag_rows(&mut self, rows: &[u32], n_rows: usize) {
        self.ensemble.map_out_of_bag_rows(rows, n_rows);
    }

    /// Removes held-out predictions that the fit needed, but the user did not request.
    pub fn discard_out_of_bag(&mut self) {
        self.ensemble.discard_out_of_bag();
    }
}

impl<M: Classifier> Classifier for SelectedEnsemble<M> {
    fn n_classes(&self) -> usize {
        self.ensemble.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let mut proba = self.ensemble.proba(frame, ctl)?;
        if let Some(calibration) = &self.calibration {
            calibration.apply(&mut proba);
        }
        Ok(proba)
    }
}
