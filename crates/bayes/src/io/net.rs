//! The format of Hugin, with the file extension .net.
//!
//! Nodes are named by identifiers, and the reader ignores labels. If the name of a variable is not an
//! identifier, its node gets a numbered identifier. The name is then written as the attribute `imbcore_name`,
//! which other programs ignore.

use super::NetworkWithWarnings;
use super::network_builder::{CellOrder, NetworkBuilder};
use super::printed_digits::PrintedPrecision;
use super::scan::Scanner;
use super::write::{all_rows_or_error, escape_characters, format_numbers};
use crate::network::Network;
use imbcore_core::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const REMARKS: &[(&str, &str)] = &[("%", "\n")];
const NAME: &str = "imbcore_name";

/// Reads a network in the .net format of Hugin.
///
/// # Errors
/// [`Error::Format`], usually with the line, for a text that is not a valid .net network;
/// [`Error::Unsupported`] for nodes that are continuous, decisions, utilities or functions, and for `class`
/// blocks (object-oriented networks).
pub fn read_net(text: &str) -> Result<NetworkWithWarnings> {
    let mut scanner = Scanner::new(text, REMARKS);
    let mut builder = NetworkBuilder::default();
    let mut names = BTreeMap::new();
    while !scanner.is_at_end() {
        let start = scanner.position();
        match scanner.next_word() {
            "net" => {
                scanner.consume_expected('{')?;
                read_attributes(&mut scanner, |_, _| Ok(false))?;
            }
            "node" => read_node(&mut scanner, &mut builder, &mut names)?,
            "discrete" => {
                if scanner.next_word() != "node" {
                    return scanner.unexpected_text_error("`node` after `discrete`");
                }
                read_node(&mut scanner, &mut builder, &mut names)?;
            }
            "potential" => read_potential(&mut scanner, &mut builder, &names)?,
            kind @ ("continuous" | "decision" | "utility" | "function" | "class") => {
                return Err(Error::Unsupported(format!("only discrete nodes are supported, not `{kind}`")));
            }
            _ => {
                scanner.seek(start);
                return scanner.unexpected_text_error("`net`, `node` or `potential`");
            }
        }
    }
    builder.build()
}

/// Reads `attribute = value;` entries up to and including the closing bracket.
///
/// `read` returns false for an attribute that it does not handle; the value is then skipped.
fn read_attributes<'a>(
    scanner: &mut Scanner<'a>,
    mut read: impl FnMut(&str, &mut Scanner<'a>) -> Result<bool>,
) -> Result<()> {
    while !scanner.consume_if('}') {
        let name = scanner.next_word();
        scanner.consume_expected('=')?;
        if !read(name, scanner)? {
            while !matches!(scanner.remaining_text().chars().next(), None | Some(';')) {
                read_value(scanner)?;
                scanner.skip_blanks_and_comments();
            }
        }
        scanner.consume_expected(';')?;
    }
    Ok(())
}

/// Reads a string or a word; if there is none, skips one character and returns `None`.
fn read_value(scanner: &mut Scanner<'_>) -> Result<Option<String>> {
    scanner.skip_blanks_and_comments();
    if scanner.remaining_text().starts_with('"') {
        return scanner.read_quoted().map(Some);
    }
    let word = scanner.next_word();
    if word.is_empty() {
        scanner.skip_char();
        return Ok(None);
    }
    Ok(Some(word.to_owned()))
}

fn read_node(
    scanner: &mut Scanner<'_>,
    builder: &mut NetworkBuilder,
    names: &mut BTreeMap<String, String>,
) -> Result<()> {
    let id = scanner.next_word().to_owned();
    scanner.consume_expected('{')?;
    let (mut name, mut states) = (id.clone(), None);
    read_attributes(scanner, |attribute, scanner| {
        match attribute {
            "states" => {
                let mut found = Vec::new();
                scanner.consume_expected('(')?;
                while !scanner.consume_if(')') {
                    match read_value(scanner)? {
                        Some(state) => found.push(state),
                        None => return scanner.unexpected_text_error("a list of states"),
                    }
                }
                states = Some(found);
            }
            NAME => name = scanner.read_quoted()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some(states) = states else {
        return scanner.error_at_line(format!("node `{id}` has no states"));
    };
    scanner.add_line_to_error(builder.add_variable(&name, states))?;
    match names.insert(id, name) {
        Some(name) => scanner.error_at_line(format!("the node of `{name}` is declared twice")),
        None => Ok(()),
    }
}

fn read_potential(
    scanner: &mut Scanner<'_>,
    builder: &mut NetworkBuilder,
    names: &BTreeMap<String, String>,
) -> Result<()> {
    let variable = |scanner: &mut Scanner<'_>| {
        let id = scanner.next_word();
        match names.get(id) {
            Some(name) => builder.find_variable(name),
            None => scanner.error_at_line(format!("no node is named `{id}`")),
        }
    };
    scanner.consume_expected('(')?;
    let child = variable(scanner)?;
    let mut parents = Vec::new();
    if scanner.consume_if('|') {
        while !scanner.consume_if(')') {
            parents.push(variable(scanner)?);
        }
    } else {
        scanner.consume_expected(')')?;
    }
    let family = scanner.add_line_to_error(builder.prepare_family(child, parents))?;
    scanner.consume_expected('{')?;
    let (mut cells, mut digits) = (None, PrintedPrecision::default());
    read_attributes(scanner, |attribute, scanner| {
        if attribute != "data" {
            return Ok(false);
        }
        let mut found = Vec::new();
        // Brackets around numbers are skipped, because they do not change the order in which the numbers are
        // listed.
        loop {
            if scanner.consume_if('(') || scanner.consume_if(')') {
                continue;
            }
            if scanner.remaining_text().starts_with(';') {
                break;
            }
            found.push(scanner.read_number_and_decimals(&mut digits)?);
        }
        cells = Some(found);
        Ok(true)
    })?;
    match cells {
        Some(cells) => {
            scanner.add_line_to_error(builder.set_table(&family, &cells, CellOrder::ChildFastest, &digits))
        }
        None => {
            scanner.error_at_line(format!("the potential of `{}` has no data", builder.variable_name(child)))
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn node_identifiers(network: &Network) -> Vec<String> {
    let mut taken: BTreeSet<String> =
        network.variables().iter().map(|variable| variable.name.clone()).collect();
    let mut numbers = 0_u64..;
    let identifier = |name: &String| {
        if is_identifier(name) {
            return name.clone();
        }
        let free =
            numbers.by_ref().map(|number| format!("node_{number}")).find(|id| taken.insert(id.clone()));
        free.unwrap_or_default()
    };
    network.variables().iter().map(|variable| &variable.name).map(identifier).collect()
}

/// Writes a network in the .net format of Hugin; numbers are exact.
///
/// # Errors
/// [`Error::Unsupported`] for a sparse table with too many rows.
pub fn write_net(network: &Network) -> Result<String> {
    let quoted = |name: &str| format!("\"{}\"", escape_characters(name, &[('"', "\\\""), ('\\', "\\\\")]));
    let ids = node_identifiers(network);
    let mut text = String::from("net\n{\n}\n");
    for (variable, id) in network.variables().iter().zip(&ids) {
        let states: Vec<_> = variable.states.iter().map(|state| quoted(state)).collect();
        let _ = write!(text, "node {id}\n{{\n  states = ({});\n", states.join(" "));
        if *id != variable.name {
            let _ = writeln!(text, "  {NAME} = {};", quoted(&variable.name));
        }
        text.push_str("}\n");
    }
    for ((variable, id), cpt) in network.variables().iter().zip(&ids).zip(network.cpts()) {
        let _ = write!(text, "potential ({id}");
        for (at, &parent) in cpt.parents().iter().enumerate() {
            let _ = write!(text, "{} {}", if at == 0 { " |" } else { "" }, ids[parent as usize]);
        }
        text.push_str(")\n{\n  data = ");
        // A pair of brackets encloses all states of a parent: it opens before the first state and closes
        // after the last.
        let edges = |row: u64| {
            let levels = cpt.n_states_by_parent().iter().rev();
            levels
                .scan(1_u64, |block, &levels| {
                    *block *= u64::from(levels);
                    Some(*block)
                })
                .take_while(move |block| row.is_multiple_of(*block))
                .count()
        };
        for (row, p) in (0_u64..).zip(all_rows_or_error(cpt, &variable.name, "Hugin")?) {
            let _ = write!(text, "{}(", "(".repeat(edges(row)));
            format_numbers(&mut text, p, " ");
            let _ = write!(text, "){}", ")".repeat(edges(row + 1)));
            text.push_str(if row + 1 < cpt.n_rows() { "\n    " } else { ";\n}\n" });
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network> {
        read_net(text).map(|(network, _)| network)
    }

    const DOG: &str = "% a remark\nnet { node_size = (80 40); name = \"a; b }\"; }\n\
        node b { states = (\"<5\" \"f(x)\" \"1; \\\"2\"); position = (10 20); }\n\
        discrete node a\n{\n  label = \"}\"; % another\n  states = (no yes);\n}\n\
        node c { states = (\"0\" \"1\"); imbcore_name = \"c (years)\"; }\n\
        potential (c | a b) { data = ((( .01 .99)(.02 .98)(.11 .89))\n((.12 .88)(.21 .79)(.22 .78))); }\n\
        potential (a) { data = (1e-3 0.999); }\npotential (b | ) { data = (.2 .3 .5); }\n";

    #[test]
    fn parents_come_in_any_order_and_names_are_free() {
        let network = read(DOG).unwrap();
        assert_eq!(network.variables()[0].states, ["<5", "f(x)", "1; \"2"]);
        assert_eq!(network.variables()[2].name, "c (years)");
        // The row with index 1 belongs to the parent states with code 1 of a and code 0 of b. In tables of
        // this crate, the state of the lower-numbered parent, b, varies slowest.
        assert_eq!(network.cpts()[2].row(1), [0.12, 0.88]);
        assert_eq!(network.cpts()[2].row(4), [0.11, 0.89]);
        let text = write_net(&network).unwrap();
        assert!(
            text.contains(
                "potential (node_0 | b a)\n{\n  data = (((0.01 0.99)\n    (0.12 0.88))\n    ((0.02"
            )
        );
        assert!(text.contains("(0.22 0.78)));\n}"));
        assert_eq!(read(&text).unwrap(), network);
    }

    #[test]
    fn errors_say_where_and_what() {
        let fails = |from: &str, to: &str| {
            assert!(DOG.contains(from));
            read(&DOG.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert_eq!(fails("(no yes)", "(no no)"), "line 8: variable `a` has the state `no` twice");
        assert_eq!(fails("1e-3", "x"), "line 12: expected a number, found `x 0.999); }`");
        assert_eq!(fails("| a b", "| a q"), "line 10: no node is named `q`");
        assert_eq!(fails("\\\"2\")", "\\\"2)"), "line 6: expected a list of states, found `\"; % another`");
        assert!(fails(".01", "").contains("the table of `c (years)` has 11 numbers instead of 12"));
        assert!(fails("discrete", "continuous").contains("not `continuous`"));
        assert!(fails("data = (1e-3 0.999);", "").contains("the potential of `a` has no data"));
        assert!(fails("node b", "node a").contains("declared twice"));
        assert!(fails("net {", "nut {").starts_with("line 2: expected `net`"));
        for text in [
            "net",
            "net {",
            "net { a",
            "net { a =",
            "node a { states = (",
            "node a { states = \"",
            "potential (",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(
            read(&("node a { states = (x); } potential (a) { data = ".to_owned() + &"(".repeat(1 << 20)))
                .is_err()
        );
    }
}
