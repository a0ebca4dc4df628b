//! Serialization of logistic regression.

use crate::encoding::{Basis, ColumnEncoding, TableEncoding};
use crate::model::{LogisticModel, ScorePredictor};
use imbcore_core::{ArrayReader, ArrayWriter, Error, Feature, FeatureKind, Persist, Result, Schema};

impl Persist for LogisticModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let predictor = &self.predictor;
        file.write_json("linear.encoding", &predictor.encoding.columns)?;
        file.write_u32s("linear.classes", &predictor.present);
        file.write_f64s("linear.coefficients", &predictor.coefficients);
        file.write_f64s("linear.c", &[self.c]);
        let (values, losses): (Vec<f64>, Vec<f64>) = self.path.iter().copied().unzip();
        file.write_f64s("linear.candidates", &values);
        file.write_f64s("linear.losses", &losses);
        file.write_f64s("linear.means", &self.means);
        file.write_f64s("linear.spreads", &self.spreads);
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let columns: Vec<ColumnEncoding> = file.read_json("linear.encoding")?;
        if columns.len() != schema.features.len()
            || !columns
                .iter()
                .zip(&schema.features)
                .all(|(column, feature)| column.basis.is_valid_for(feature))
        {
            return Err(Error::damaged("its encoding does not match the columns"));
        }
        let encoding = TableEncoding::new(columns);
        let (n_classes, present) = (schema.classes.len(), file.read_u32s("linear.classes")?);
        if present.len() < 2
            || !present.is_sorted_by(|a, b| a < b)
            || present.last().is_some_and(|&class| class as usize >= n_classes)
        {
            return Err(Error::damaged("its scores do not match the classes"));
        }
        let n_scores = if present.len() == 2 { 1 } else { present.len() };
        let coefficients = file.read_f64s("linear.coefficients")?;
        let (means, spreads) = (file.read_f64s("linear.means")?, file.read_f64s("linear.spreads")?);
        let [c] = file.read_f64_array("linear.c")?;
        let (values, losses) = (file.read_f64s("linear.candidates")?, file.read_f64s("linear.losses")?);
        let numbers = coefficients.iter().chain(&means).chain(&spreads).chain(&values).chain(&losses);
        let n_columns = schema.features.len();
        let sizes = coefficients.len() == n_scores * (encoding.width + 1)
            && means.len() == n_scores * n_columns
            && spreads.len() == n_columns
            && values.len() == losses.len();
        let finite = numbers.into_iter().all(|number| number.is_finite());
        let scales = spreads.iter().all(|spread| *spread >= 0.0) && c > 0.0 && c.is_finite();
        if !(sizes && finite && scales) {
            return Err(Error::damaged("the coefficients do not match the encoding"));
        }
        let predictor = ScorePredictor::new(encoding, present, n_classes, coefficients);
        Ok(Self { predictor, c, path: values.into_iter().zip(losses).collect(), means, spreads })
    }
}

impl Basis {
    fn is_valid_for(&self, feature: &Feature) -> bool {
        let ascend = |numbers: &[f64]| {
            numbers.iter().all(|number| number.is_finite()) && numbers.is_sorted_by(|a, b| a < b)
        };
        match (self, &feature.kind) {
            (Self::Nothing, _) => true,
            (Self::Linear { unit, center, factor }, FeatureKind::Numeric) => {
                *unit > 0.0 && [unit, center, factor].into_iter().all(|number| number.is_finite())
            }
            (Self::Spline { knots, reference }, FeatureKind::Numeric) => {
                let finite = knots.windows(2).all(|pair| (pair[1] - pair[0]).is_finite());
                knots.len() > 1 && ascend(knots) && finite && *reference < knots.len()
            }
            (Self::Bins { cuts }, FeatureKind::Numeric) => !cuts.is_empty() && ascend(cuts),
            (Self::Levels { known }, FeatureKind::Nominal { levels }) => {
                known.is_sorted_by(|a, b| a < b)
                    && known.last().is_some_and(|&level| (level as usize) < levels.len())
            }
            _ => false,
        }
    }
}
