//! Serialization of selected ensembles.

use super::model::SelectedEnsemble;
use crate::generic::Ensemble;
use imbcore_core::{ArrayReader, ArrayWriter, Classifier, Persist, PriorShift, Result, Schema};

const CALIBRATION: &str = "selected.calibration";
const LEADERBOARD: &str = "selected.leaderboard";

impl<M: Classifier + Persist> Persist for SelectedEnsemble<M> {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        self.ensemble().write(file)?;
        file.write_f64s(CALIBRATION, self.calibration().map_or(&[], PriorShift::factors));
        file.write_json(LEADERBOARD, self.leaderboard())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let ensemble = Ensemble::read(file, schema)?;
        let calibration = PriorShift::from_factors(file.read_f64s(CALIBRATION)?, schema.classes.len())?;
        Self::from_parts(ensemble, calibration, file.read_json(LEADERBOARD)?)
    }
}
