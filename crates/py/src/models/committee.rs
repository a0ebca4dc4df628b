//! Committees: how their members are heard, and what the rows out of the bags say.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::to_python;
use crate::committee::{BallotOut, out_of_bag, samples_of};
use crate::models::model::Model;
use imbcore_ensemble::committee::Committee;
use imbcore_methods::Fitted;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

/// A model of members of any make.
#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct CommitteeModel;

impl CommitteeModel {
    /// The model, whose members are models of any family.
    pub(crate) fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn committee<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Committee<Fitted>> {
        let model = &Self::model(this).0;
        model.fitted().committee().ok_or_else(|| to_python(model.is_not("is not a committee")))
    }
}

#[pymethods]
impl CommitteeModel {
    /// Number of members.
    #[getter]
    fn n_members(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::committee(this)?.members().len())
    }

    /// How the members are heard.
    #[getter]
    fn ballot<'py>(this: &Bound<'py, Self>) -> PyResult<BallotOut<'py>> {
        BallotOut::new(this.py(), Self::committee(this)?.ballot())
    }

    /// Rows in the bags of the members; none where the model comes out of a file.
    #[getter]
    fn samples<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
        Ok(samples_of(this.py(), Self::committee(this)?.samples()))
    }

    /// How far the members lean: a number a row of two classes, or one a row and class.
    fn decision_function<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let committee = Self::committee(this)?;
        let found = Self::model(this).ask(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check(frame)?;
            committee.decision(frame, ctl)
        })?;
        Ok(found.into_pyarray(this.py()))
    }

    /// Score and answers of the rows that members did not see.
    #[allow(clippy::type_complexity)]
    fn out_of_bag<'py>(this: &Bound<'py, Self>) -> PyResult<Option<(f64, Bound<'py, PyArray2<f64>>)>> {
        let (found, n_classes) = (Self::committee(this)?.out_of_bag(), Self::model(this).0.n_classes());
        found.map(|found| out_of_bag(this.py(), found, n_classes)).transpose()
    }
}
