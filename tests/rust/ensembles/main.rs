//! Forests, bagging, boosting and decompositions: reference outputs (`golden`) and properties of random data
//! (`properties`).

mod golden_boosting;
mod golden_ensembles;
mod properties_bagging;
mod properties_boosting;
mod properties_decompositions;
mod properties_forests;
mod properties_n_estimators_auto;
mod properties_shrinkage;
