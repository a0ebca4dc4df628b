//! What Python hands over about Bayesian networks, as the core wants it.

use crate::arrays::slice;
use imbcore_base::{
    Error, MISSING as NO_LEVEL, Params, Result, by_path, check_weights, parse_params, row_unit,
};
use imbcore_bayes::learn::NetworkPlan;
use imbcore_bayes::search::{StructureParams, StructureSettings};
use imbcore_bayes::{Dag, DiscreteTable, MISSING, Network, PriorParams, Variable, io};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde_json::{Map, Value};

/// Names of variables and of their states.
pub(crate) type Names = Vec<(String, Vec<String>)>;
/// Variables and the codes of their states.
pub(crate) type Evidence = Vec<(u32, u16)>;

/// What messages about parameters name.
pub(crate) const METHOD: &str = "bayesian_network";

/// A format of files.
pub(crate) struct Format {
    pub(crate) read: fn(&str) -> Result<io::Found>,
    pub(crate) write: fn(&Network) -> Result<String>,
}

/// The format with this name.
pub(crate) fn format_of(name: &str) -> Result<Format> {
    Ok(match name {
        "bif" => Format { read: io::read_bif, write: io::write_bif },
        "xmlbif" => Format { read: io::read_xmlbif, write: io::write_xmlbif },
        "net" => Format { read: io::read_net, write: io::write_net },
        "json" => Format { read: io::read_json, write: io::write_json },
        "dot" => Format {
            read: |_| Err(Error::Unsupported("a DOT file holds a graph only and cannot be read".into())),
            write: |network| Ok(io::write_dot(network)),
        },
        _ => return Err(Error::Internal(format!("there is no format {name}"))),
    })
}

/// Parameters from JSON.
pub(crate) fn parse<P: Params + Default>(text: &str) -> Result<P> {
    let given: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| Error::Internal(error.to_string()))?;
    let defaults = P::default();
    parse_params(METHOD, &defaults, &given).map_err(|error| by_path(&defaults, error))
}

/// Checked parameters of structure search.
pub(crate) fn settings(params: &str) -> Result<StructureSettings> {
    let located = |error| by_path(&StructureParams::default(), error);
    parse::<StructureParams>(params)?.check(METHOD).map_err(located)
}

/// Nominal columns, one a variable: codes of levels, and the number of levels.
pub(crate) type NominalColumns<'py> = Vec<(PyReadonlyArray1<'py, u32>, u32)>;

/// Nominal columns as a table of codes.
pub(crate) fn table_of(
    columns: &NominalColumns<'_>,
    weights: Option<&PyReadonlyArray1<'_, f64>>,
) -> Result<DiscreteTable> {
    let code = |&code: &u32| match code {
        NO_LEVEL => MISSING,
        // One that does not fit is beyond the levels of any table, and refused there.
        code => code.min(u32::from(MISSING) - 1) as u16,
    };
    let codes = columns.iter().map(|(codes, _)| slice(codes).iter().map(code).collect()).collect();
    let levels = columns.iter().map(|&(_, levels)| levels).collect();
    let table = DiscreteTable::new(codes, levels)?;
    let Some(weights) = weights else { return Ok(table) };
    let weights = slice(weights).into_owned();
    check_weights(Some(&weights), table.n_rows())?;
    // The core's rows have positive weights: a row of weight 0 is none.
    let rows: Vec<u32> = (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let kept: Vec<f64> = rows.iter().map(|&row| weights[row as usize]).collect();
    let unit = row_unit(kept.iter().copied())?;
    Ok(table.take(&rows).weighted(kept.into_iter().map(|weight| weight / unit).collect()))
}

/// Rows of a network to be learnt: an object with these attributes.
#[derive(FromPyObject)]
pub(crate) struct NamedRows<'py> {
    frame: NominalColumns<'py>,
    pub(crate) variables: Names,
    sample_weight: Option<PyReadonlyArray1<'py, f64>>,
}

impl NamedRows<'_> {
    pub(crate) fn table(&self) -> Result<DiscreteTable> {
        table_of(&self.frame, self.sample_weight.as_ref())
    }
}

/// Names and priors of a network to be learnt.
pub(crate) struct Learning {
    variables: Vec<Variable>,
    class: Option<u32>,
    prior: PriorParams,
}

impl Learning {
    pub(crate) fn new(variables: Names, class: Option<u32>, prior: &str) -> Result<Self> {
        let prior = parse::<PriorParams>(prior)?;
        prior.check(METHOD).map_err(|error| by_path(&prior, error))?;
        let variables = variables.into_iter().map(|(name, states)| Variable { name, states }).collect();
        Ok(Self { variables, class, prior })
    }

    pub(crate) fn plan(&self) -> NetworkPlan<'_> {
        NetworkPlan { variables: self.variables.clone(), class: self.class, prior: &self.prior }
    }
}

/// Arcs between named variables.
pub(crate) struct Graph {
    names: Vec<String>,
    arcs: Vec<(u32, u32)>,
}

impl Graph {
    pub(crate) fn new(names: Vec<String>, arcs: Vec<(u32, u32)>) -> Self {
        Self { names, arcs }
    }

    /// The graph; messages speak of names.
    pub(crate) fn dag(self) -> Result<Dag> {
        Dag::named(&self.names, &self.arcs)
    }
}
