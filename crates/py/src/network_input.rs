//! Conversion of Python inputs for Bayesian networks.

use crate::arrays::contiguous_values;
use imbcore_bayes::learn::NetworkSpec;
use imbcore_bayes::search::{StructureParams, StructureSettings};
use imbcore_bayes::{Dag, DiscreteTable, MISSING, Network, PriorParams, Variable, io};
use imbcore_core::{
    Error, MISSING as NO_LEVEL, Params, Result, check_weights, parse_params, weight_counted_as_one_row,
    with_param_path,
};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde_json::{Map, Value};

/// For each variable, its name and the names of its states.
pub(crate) type VariableAndStateNames = Vec<(String, Vec<String>)>;
/// Observed variables, each with the code of its state.
pub(crate) type Evidence = Vec<(u32, u16)>;

/// Method name for error messages about parameters.
pub(crate) const METHOD: &str = "bayesian_network";

pub(crate) struct NetworkFormat {
    pub(crate) read: fn(&str) -> Result<io::NetworkWithWarnings>,
    pub(crate) write: fn(&Network) -> Result<String>,
}

pub(crate) fn parse_format(name: &str) -> Result<NetworkFormat> {
    Ok(match name {
        "bif" => NetworkFormat { read: io::read_bif, write: io::write_bif },
        "xmlbif" => NetworkFormat { read: io::read_xmlbif, write: io::write_xmlbif },
        "net" => NetworkFormat { read: io::read_net, write: io::write_net },
        "json" => NetworkFormat { read: io::read_json, write: io::write_json },
        "dot" => NetworkFormat {
            read: |_| Err(Error::Unsupported("a DOT file has only a graph and cannot be read".into())),
            write: |network| Ok(io::write_dot(network)),
        },
        _ => return Err(Error::Internal(format!("there is no format {name}"))),
    })
}

pub(crate) fn parse_params_json<P: Params + Default>(text: &str) -> Result<P> {
    let given: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| Error::Internal(error.to_string()))?;
    let defaults = P::default();
    parse_params(METHOD, &defaults, &given).map_err(|error| with_param_path(&defaults, error))
}

pub(crate) fn parse_structure_settings(params: &str) -> Result<StructureSettings> {
    let located = |error| with_param_path(&StructureParams::default(), error);
    parse_params_json::<StructureParams>(params)?.check(METHOD).map_err(located)
}

/// Nominal columns, one per variable: level codes and number of levels.
pub(crate) type NominalColumns<'py> = Vec<(PyReadonlyArray1<'py, u32>, u32)>;

pub(crate) fn nominal_table(
    columns: &NominalColumns<'_>,
    weights: Option<&PyReadonlyArray1<'_, f64>>,
) -> Result<DiscreteTable> {
    let code = |&code: &u32| match code {
        NO_LEVEL => MISSING,
        // A code that does not fit into 16 bits is replaced by a code that is invalid in every table. Then
        // `DiscreteTable::new` returns an error.
        code => code.min(u32::from(MISSING) - 1) as u16,
    };
    let codes =
        columns.iter().map(|(codes, _)| contiguous_values(codes).iter().map(code).collect()).collect();
    let levels = columns.iter().map(|&(_, levels)| levels).collect();
    let table = DiscreteTable::new(codes, levels)?;
    let Some(weights) = weights else { return Ok(table) };
    let weights = contiguous_values(weights).into_owned();
    check_weights(Some(&weights), table.n_rows())?;
    // Rows of weight 0 are dropped, because the core requires positive weights.
    let rows: Vec<u32> = (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let kept: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
    let unit = weight_counted_as_one_row(kept.iter().copied())?;
    Ok(table.select_rows(&rows).with_weights(kept.into_iter().map(|weight| weight / unit).collect()))
}

#[derive(FromPyObject)]
pub(crate) struct NamedRows<'py> {
    frame: NominalColumns<'py>,
    pub(crate) variables: VariableAndStateNames,
    sample_weight: Option<PyReadonlyArray1<'py, f64>>,
}

impl NamedRows<'_> {
    pub(crate) fn table(&self) -> Result<DiscreteTable> {
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        Ok(nominal_table(&self.frame, self.sample_weight.as_ref())?.with_names(&names))
    }
}

pub(crate) struct LearningArg {
    variables: Vec<Variable>,
    class: Option<u32>,
    prior: PriorParams,
}

impl LearningArg {
    pub(crate) fn new(variables: VariableAndStateNames, class: Option<u32>, prior: &str) -> Result<Self> {
        let prior = parse_params_json::<PriorParams>(prior)?;
        prior.check(METHOD).map_err(|error| with_param_path(&prior, error))?;
        let variables = variables.into_iter().map(|(name, states)| Variable { name, states }).collect();
        Ok(Self { variables, class, prior })
    }

    pub(crate) fn network_spec(&self) -> NetworkSpec<'_> {
        NetworkSpec { variables: self.variables.clone(), class: self.class, prior: &self.prior }
    }
}

pub(crate) struct GraphArg {
    names: Vec<String>,
    arcs: Vec<(u32, u32)>,
}

impl GraphArg {
    pub(crate) fn new(names: Vec<String>, arcs: Vec<(u32, u32)>) -> Self {
        Self { names, arcs }
    }

    /// Builds the graph; errors contain the names of the variables.
    pub(crate) fn dag(self) -> Result<Dag> {
        Dag::from_named_arcs(&self.names, &self.arcs)
    }
}
