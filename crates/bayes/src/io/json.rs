//! The native JSON format, with exact numbers and arbitrary names.
//!
//! Model files contain networks in this format.

use super::NetworkWithWarnings;
use super::network_builder::{CellOrder, NetworkBuilder};
use super::printed_digits::PrintedPrecision;
use crate::network::{Network, Variable};
use imbcore_core::{Error, Result};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

const FORMAT: &str = "imbcore network";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct NetworkDocument<N> {
    format: String,
    version: u32,
    network: N,
}

#[derive(Serialize, Deserialize)]
struct SerializedNetwork {
    variables: Vec<SerializedVariable>,
}

#[derive(Serialize, Deserialize)]
struct SerializedVariable {
    name: String,
    states: Vec<String>,
    parents: Vec<String>,
    /// Cells of the probability table, row by row.
    ///
    /// Rows are ordered by parent configuration, in which the state of the last parent varies fastest.
    p: Vec<f64>,
    /// For each stored row, the state of each parent; `None` if all rows are stored.
    ///
    /// Rows that are not stored are uniform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Vec<u32>>>,
}

impl From<&Network> for SerializedNetwork {
    fn from(network: &Network) -> Self {
        let form = |(variable, cpt): (&Variable, &crate::Cpt)| {
            let (keys, cells) = cpt.stored_rows();
            let name = |&parent: &u32| network.variables()[parent as usize].name.clone();
            SerializedVariable {
                name: variable.name.clone(),
                states: variable.states.clone(),
                parents: cpt.parents().iter().map(name).collect(),
                p: cells.to_vec(),
                rows: keys
                    .map(|keys| keys.iter().map(|&key| cpt.parent_states_of_configuration(key)).collect()),
            }
        };
        Self { variables: network.variables().iter().zip(network.cpts()).map(form).collect() }
    }
}

impl SerializedNetwork {
    fn into_network(self) -> Result<NetworkWithWarnings> {
        let form = self;
        let mut builder = NetworkBuilder::default();
        for variable in &form.variables {
            builder.add_variable(&variable.name, variable.states.clone())?;
        }
        for SerializedVariable { name, states, parents, p, rows } in form.variables {
            let parents =
                parents.iter().map(|parent| builder.find_variable(parent)).collect::<Result<Vec<_>>>()?;
            let family = builder.prepare_family(builder.find_variable(&name)?, parents)?;
            let mut digits = PrintedPrecision::default();
            for p in &p {
                digits.record_decimals(&p.to_string());
            }
            let Some(rows) = rows else {
                builder.set_table(&family, &p, CellOrder::ChildFastest, &digits)?;
                continue;
            };
            let fits = |row: &Vec<u32>| {
                row.len() == family.parents().len()
                    && row
                        .iter()
                        .zip(family.parents())
                        .all(|(&state, &parent)| state < builder.n_states(parent))
            };
            if !rows.iter().all(fits) || p.len() != rows.len() * states.len() {
                return Err(Error::Format(format!("the rows of `{name}` do not fit its parents")));
            }
            let cells = p.chunks_exact(states.len()).map(<[f64]>::to_vec);
            let listed: BTreeMap<_, _> = rows.iter().map(|row| family.row_number(row)).zip(cells).collect();
            if listed.len() < rows.len() {
                return Err(Error::Format(format!("`{name}` has two rows for the same parents")));
            }
            let uniform = vec![1.0 / states.len() as f64; states.len()];
            for p in &uniform {
                digits.record_decimals(&p.to_string());
            }
            builder.set_rows(&family, listed, Some(uniform), &digits)?;
        }
        builder.build()
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        SerializedNetwork::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let form = SerializedNetwork::deserialize(deserializer)?;
        form.into_network().map(|(network, _)| network).map_err(D::Error::custom)
    }
}

/// Reads a network written by [`write_json`].
///
/// # Errors
/// [`Error::Format`] for text in another format, or if the tables do not form a network.
pub fn read_json(text: &str) -> Result<NetworkWithWarnings> {
    let broken = |error: serde_json::Error| Error::Format(format!("not a network in JSON: {error}"));
    let file: NetworkDocument<serde_json::Value> = serde_json::from_str(text).map_err(broken)?;
    if (file.format.as_str(), file.version) != (FORMAT, VERSION) {
        let found = format!("`{}`, version {}", file.format, file.version);
        return Err(Error::Format(format!(
            "a file in format {found}; `{FORMAT}`, version {VERSION} can be read"
        )));
    }
    serde_json::from_value::<SerializedNetwork>(file.network).map_err(broken)?.into_network()
}

/// Writes a network as JSON; numbers and names are exact.
///
/// # Errors
/// [`Error::Internal`] if the writer fails.
pub fn write_json(network: &Network) -> Result<String> {
    let file = NetworkDocument {
        format: FORMAT.into(),
        version: VERSION,
        network: SerializedNetwork::from(network),
    };
    serde_json::to_string(&file).map_err(|error| Error::Internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpt::Cpt;

    fn read(text: &str) -> Result<Network> {
        read_json(text).map(|(network, _)| network)
    }

    fn network() -> Network {
        let variable = |name: &str, states: &[&str]| Variable {
            name: name.into(),
            states: states.iter().map(|&state| state.into()).collect(),
        };
        let parents: Vec<u32> = (0..17).collect();
        let mut variables: Vec<_> =
            (0..17).map(|at| variable(&format!("v{at}\n"), &["", "(0, 1]\"}"])).collect();
        variables.push(variable("last", &["a", "b", "c"]));
        let mut cpts: Vec<_> = (0..17)
            .map(|at| {
                Cpt::from_dense_cells(
                    vec![],
                    vec![],
                    2,
                    vec![0.1 * f64::from(at) / 2.0, 1.0 - 0.1 * f64::from(at) / 2.0],
                )
                .unwrap()
            })
            .collect();
        cpts.push(
            Cpt::from_sparse_rows(
                parents,
                vec![2; 17],
                3,
                vec![3, 70_000],
                vec![0.1, 0.2, 0.7, 1.0, 0.0, 0.0],
            )
            .unwrap(),
        );
        Network::new(variables, cpts).unwrap()
    }

    #[test]
    fn everything_comes_back() {
        let network = network();
        assert_eq!(read(&write_json(&network).unwrap()).unwrap(), network);
        let embedded: Network = serde_json::from_str(&serde_json::to_string(&network).unwrap()).unwrap();
        assert_eq!(embedded, network);
    }

    #[test]
    fn broken_files_are_refused() {
        let text = write_json(&network()).unwrap();
        let fails = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            read(&text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(fails("\"version\":1", "\"version\":2").contains("version 2; `imbcore network`, version 1"));
        assert!(fails("0.7,1.0", "0.7").contains("the rows of `last` do not fit"));
        assert!(
            fails("[0.1,0.2,0.7", "[0.5,0.2,0.7").contains("the table of `last`: a row of probabilities")
        );
        assert!(fails(",\"rows\":[[0,", ",\"rows\":[[2,").contains("do not fit"));
        assert!(
            fails("\"parents\":[]", "\"parents\":[\"last\"]").contains("`v0\n` has 2 numbers instead of 6")
        );
        assert!(fails("\"states\":[\"a\"", "\"states\":[\"b\"").contains("the state `b` twice"));
        assert!(fails("{", "").contains("not a network in JSON"));
        assert!(read(&"[".repeat(1 << 20)).is_err());
    }
}
