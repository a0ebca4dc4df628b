//! The Bayesian Interchange Format (BIF).
//!
//! State names are free text. Commas separate them, a closing bracket ends the list, and blanks around a name
//! are ignored. The reader also supports the dialect of `JavaBayes`: quoted names, lists of names separated by
//! blanks, and families without the bar between child and parents, in which the first name is the child.

use super::NetworkWithWarnings;
use super::bif_names::{NameList, read_family, skip_block, skip_property};
use super::network_builder::{CellOrder, FileFamily, NetworkBuilder};
use super::printed_digits::PrintedPrecision;
use super::scan::Scanner;
use super::write::{self, check_unquoted_name};
use crate::network::Network;
use imbcore_core::Result;
use std::collections::BTreeMap;
use std::fmt::Write;

const REMARKS: &[(&str, &str)] = &[("//", "\n"), ("/*", "*/")];

/// Reads a network in the Bayesian Interchange Format.
///
/// Parents may be listed in any order. In a `table` that lists all cells, the state of the child varies
/// slowest, then the state of the first parent. A row whose sum differs from 1 because of rounded digits is
/// normalized, with a warning if the difference is large. Properties are skipped.
///
/// # Errors
/// [`imbcore_core::Error::Format`], usually with the line, for a text that is not a valid BIF network or has a
/// variable that is not discrete.
pub fn read_bif(text: &str) -> Result<NetworkWithWarnings> {
    let mut scanner = Scanner::new(text, REMARKS);
    let mut builder = NetworkBuilder::default();
    // Tables are stored until all variables are read, because a table may precede the declarations of its
    // variables.
    let mut tables = Vec::new();
    while !scanner.is_at_end() {
        let start = scanner.position();
        match scanner.next_word() {
            "network" => skip_block(&mut scanner)?,
            "variable" => read_variable(&mut scanner, &mut builder)?,
            "property" => skip_property(&mut scanner)?,
            "probability" => {
                tables.push(scanner.position());
                skip_block(&mut scanner)?;
            }
            _ => {
                scanner.seek(start);
                return scanner.unexpected_text_error("`network`, `variable` or `probability`");
            }
        }
    }
    for at in tables {
        scanner.seek(at);
        read_table(&mut scanner, &mut builder)?;
    }
    builder.build()
}

fn read_variable(scanner: &mut Scanner<'_>, builder: &mut NetworkBuilder) -> Result<()> {
    let name = if scanner.is_at_quote() {
        let name = scanner.read_quoted()?;
        scanner.consume_expected('{')?;
        name
    } else {
        scanner.read_until('{', "a variable's name")?.to_owned()
    };
    let mut states = None;
    while !scanner.consume_if('}') {
        match scanner.next_word() {
            "property" => skip_property(scanner)?,
            "type" => {
                let kind = scanner.next_word();
                if kind != "discrete" {
                    return scanner.error_at_line(format!(
                        "variable `{name}` is `{kind}`; only `discrete` is supported"
                    ));
                }
                scanner.consume_expected('[')?;
                let count = scanner.read_number()?;
                scanner.consume_expected(']')?;
                scanner.consume_expected('{')?;
                let list = NameList::read(scanner, '}', "a list of states")?;
                scanner.consume_if(';');
                let found = list.names(count);
                if count != found.len() as f64 {
                    let listed = found.len();
                    return scanner.error_at_line(format!(
                        "variable `{name}` declares {count} states and lists {listed}"
                    ));
                }
                if name.is_empty() || found.contains(&String::new()) {
                    return scanner
                        .error_at_line(format!("variable `{name}` or one of its states has no name"));
                }
                states = Some(found);
            }
            _ => return scanner.unexpected_text_error("`type`, `property` or `}`"),
        }
    }
    match states {
        Some(states) => scanner.add_line_to_error(builder.add_variable(&name, states)),
        None => scanner.error_at_line(format!("variable `{name}` has no type")),
    }
}

fn read_table(scanner: &mut Scanner<'_>, builder: &mut NetworkBuilder) -> Result<()> {
    let (child, parents) = read_family(scanner, builder)?;
    let family = scanner.add_line_to_error(builder.prepare_family(child, parents))?;
    let mut digits = PrintedPrecision::default();
    let (mut rows, mut default, mut cells) = (BTreeMap::new(), None, None);
    while !scanner.consume_if('}') {
        if scanner.consume_if('(') {
            let number = read_parents_as_row_number(scanner, builder, &family)?;
            if rows.insert(number, read_numbers(scanner, &mut digits)?).is_some() {
                return scanner.error_at_line(format!(
                    "`{}` has two rows for the same parents",
                    builder.variable_name(child)
                ));
            }
            continue;
        }
        let start = scanner.position();
        let slot = match scanner.next_word() {
            "table" => &mut cells,
            "default" => &mut default,
            "property" => {
                skip_property(scanner)?;
                continue;
            }
            _ => {
                scanner.seek(start);
                return scanner.unexpected_text_error("`(`, `table`, `default`, `property` or `}`");
            }
        };
        if slot.replace(read_numbers(scanner, &mut digits)?).is_some() {
            return scanner
                .error_at_line(format!("the table of `{}` is given twice", builder.variable_name(child)));
        }
    }
    match cells {
        Some(cells) if rows.is_empty() => {
            scanner.add_line_to_error(builder.set_table(&family, &cells, CellOrder::ChildSlowest, &digits))
        }
        Some(_) => {
            scanner.error_at_line(format!("`{}` has both a `table` and rows", builder.variable_name(child)))
        }
        None => scanner.add_line_to_error(builder.set_rows(&family, rows, default, &digits)),
    }
}

fn read_parents_as_row_number(
    scanner: &mut Scanner<'_>,
    builder: &NetworkBuilder,
    family: &FileFamily,
) -> Result<u64> {
    let start = scanner.position();
    match read_parent_states(scanner, builder, family) {
        Ok(states) => Ok(family.row_number(&states)),
        Err(error) => {
            let end = scanner.position();
            scanner.seek(start);
            let names = NameList::read(scanner, ')', "states of the parents")
                .map_or_else(|_| Vec::new(), |list| list.names(family.parents().len() as f64));
            let states: Option<Vec<u32>> = names
                .iter()
                .zip(family.parents())
                .map(|(name, &parent)| builder.find_state(parent, name))
                .collect();
            let fits = names.len() == family.parents().len();
            if let Some(states) = states.filter(|states| fits && states.len() == names.len()) {
                return Ok(family.row_number(&states));
            }
            scanner.seek(end);
            Err(error)
        }
    }
}

fn read_parent_states(
    scanner: &mut Scanner<'_>,
    builder: &NetworkBuilder,
    family: &FileFamily,
) -> Result<Vec<u32>> {
    let mut states = Vec::with_capacity(family.parents().len());
    for (at, &parent) in family.parents().iter().enumerate() {
        let rest = scanner.remaining_text();
        let last = at + 1 == family.parents().len();
        let mut found = None;
        for (end, _) in rest.match_indices(if last { ')' } else { ',' }) {
            found = builder.find_state(parent, rest[..end].trim()).map(|state| (end, state)).or(found);
            // A state name may itself contain a bracket, so the longest text that is a state name is taken as
            // the name.
            if !last || !builder.is_state_prefix(parent, rest[..=end].trim_start()) {
                break;
            }
        }
        let Some((end, state)) = found else {
            return scanner.unexpected_text_error(&format!("a state of `{}`", builder.variable_name(parent)));
        };
        states.push(state);
        scanner.seek(scanner.position() + end + 1);
    }
    Ok(states)
}

fn read_numbers(scanner: &mut Scanner<'_>, digits: &mut PrintedPrecision) -> Result<Vec<f64>> {
    let mut numbers = Vec::new();
    while !scanner.consume_if(';') {
        numbers.push(scanner.read_number_and_decimals(digits)?);
        scanner.consume_if(',');
    }
    Ok(numbers)
}

/// Writes a network in the Bayesian Interchange Format; numbers are exact.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] for a name that the format cannot represent.
pub fn write_bif(network: &Network) -> Result<String> {
    let variables = network.variables();
    for variable in variables {
        check_unquoted_name(&variable.name, &['{', '}', ',', '|'], REMARKS, "BIF")?;
        for state in &variable.states {
            check_unquoted_name(state, &['{', '}', ','], REMARKS, "BIF")?;
        }
    }
    let mut text = String::from("network unknown {\n}\n");
    for variable in variables {
        let (count, states) = (variable.states.len(), variable.states.join(", "));
        let _ =
            write!(text, "variable {} {{\n  type discrete [ {count} ] {{ {states} }};\n}}\n", variable.name);
    }
    for (variable, cpt) in variables.iter().zip(network.cpts()) {
        let _ = write!(text, "probability ( {}", variable.name);
        for (at, &parent) in cpt.parents().iter().enumerate() {
            let _ = write!(text, "{}{}", if at == 0 { " | " } else { ", " }, variables[parent as usize].name);
        }
        text.push_str(" ) {\n");
        let (keys, cells) = cpt.stored_rows();
        for (at, row) in cells.chunks_exact(cpt.n_child_states() as usize).enumerate() {
            text.push_str("  ");
            if cpt.parents().is_empty() {
                text.push_str("table");
            } else {
                let states = cpt.parent_states_of_configuration(keys.map_or(at as u64, |keys| keys[at]));
                let named = cpt.parents().iter().zip(states);
                let named = named.map(|(&parent, state)| &*variables[parent as usize].states[state as usize]);
                let _ = write!(text, "({})", named.collect::<Vec<_>>().join(", "));
            }
            write_row(&mut text, row);
        }
        if keys.is_some() {
            text.push_str("  default");
            write_row(&mut text, &vec![1.0 / f64::from(cpt.n_child_states()); cpt.n_child_states() as usize]);
        }
        text.push_str("}\n");
    }
    Ok(text)
}

fn write_row(text: &mut String, row: &[f64]) {
    text.push(' ');
    write::format_numbers(text, row, ", ");
    text.push_str(";\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network> {
        read_bif(text).map(|(network, _)| network)
    }

    const DOG: &str = "// a remark\nnetwork dog { property author me; }\n\
        variable b { type discrete [ 3 ] { <5, Asy/Patch, f(x) }; property position = (1, 2); }\n\
        variable a{type discrete[2]{no,yes}}\n/*/ here\n too */\n\
        probability ( c (years) | b, a ) {\n default 0.25, 0.75;\n (f(x), no) 0.1 0.9; // last\n (<5, yes) 0.333, 0.667;\n}\n\
        variable c (years) { type discrete [ 2 ] { 0; 1//2, x y }; }\n\
        probability (a) { table 1e-3, 0.999; }\nprobability (b) { table 0.2, 0.3, 0.5; }\n";

    #[test]
    fn parents_come_in_any_order_and_names_are_free() {
        let network = read(DOG).unwrap();
        let names: Vec<_> = network.variables().iter().map(|variable| variable.name.as_str()).collect();
        assert_eq!(names, ["b", "a", "c (years)"]);
        assert_eq!(network.variables()[2].states, ["0; 1//2", "x y"]);
        let child = &network.cpts()[2];
        assert_eq!((child.parents(), child.n_states_by_parent()), (&[0, 1][..], &[3, 2][..]));
        assert_eq!((child.row(0), child.row(4)), (&[0.25, 0.75][..], &[0.1, 0.9][..]));
        assert_eq!(child.row(1), [0.333, 0.667]);
        assert_eq!(read(&write_bif(&network).unwrap()).unwrap(), network);
    }

    #[test]
    fn of_the_names_before_a_bracket_the_longest_is_meant() {
        let text =
            "variable a { type discrete [ 3 ] { x, x), x) 5 }; } variable b { type discrete [ 2 ] { n, y }; }
            probability (a) { table .2 .3 .5; }
            probability (b | a) { (x)) .3 .7; ( x ) .2 .8; (x) 5) .4 .6; }";
        let network = read(text).unwrap();
        let rows: Vec<f64> = (0..3).map(|row| network.cpts()[1].row(row)[0]).collect();
        assert_eq!(rows, [0.2, 0.3, 0.4]);
        assert_eq!(read(&write_bif(&network).unwrap()).unwrap(), network);
    }

    /// If a `table` lists all cells, they are in the order of `JavaBayes`, pgmpy and pyAgrum.
    #[test]
    fn the_child_of_a_whole_table_is_slowest_and_its_last_parent_fastest() {
        let text =
            "variable a { type discrete [ 2 ] { n, y }; } variable b { type discrete [ 3 ] { u, v, w }; }
            variable c { type discrete [ 2 ] { n, y }; }
            probability (a) { table .5 .5; } probability (b) { table .2 .3 .5; }
            probability (c | b, a) { table .01 .02 .11 .12 .21 .22 .99 .98 .89 .88 .79 .78; }";
        let network = read(text).unwrap();
        // The row with index 1 + 3 belongs to the parent states a = y (code 1) and b = v (code 1). In tables
        // of this crate, the state of the lower-numbered parent, a, varies slowest.
        assert_eq!(network.cpts()[2].row(1 + 3), [0.12, 0.88]);
        // If the cells are in another order, the rows do not sum to 1.
        let wrong = text.replace(".01 .02 .11", ".01 .99 .02");
        assert!(read(&wrong).unwrap_err().to_string().contains("instead of 1"));
    }

    #[test]
    fn the_dialect_of_javabayes_is_read() {
        let text = "// Bayesian network
            network \"Dog-Problem\" { //2 variables and 2 probability distributions
                property \"credal-set constant-density-bounded 1.1; } \" ;
            }
            variable  \"light on\" { //2 values
                type discrete[2] {  \"true\"  \"fa} l,se\" };
                property \"position = (218, 195)\" ;
            }
            variable  family-out { type discrete[3] { yes  no  perhaps }; }
            variable  bark { type discrete[2] { yes  \"n o\" }; }
            probability (  \"family-out\" ) { //1 variable(s) and 3 values
                table 0.15 0.25 0.6 ; }
            probability (  \"light on\"  \"family-out\" ) { table 0.6 0.05 0.1 0.4 0.95 0.9 ; }
            probability ( bark family-out \"light on\" ) {
                (yes \"true\") 0.25 0.75; ( \"no\", \"fa} l,se\" ) 0.5 0.5; default 0.1 0.9; }";
        let network = read(text).unwrap();
        assert_eq!(network.variables()[0].states, ["true", "fa} l,se"]);
        assert_eq!(network.variables()[2].states, ["yes", "n o"]);
        assert_eq!(network.cpts()[0].row(1), [0.05, 0.95]);
        // The parent "light on" is declared first, so its state varies slowest in the table.
        assert_eq!(
            (network.cpts()[2].row(0), network.cpts()[2].row(4)),
            (&[0.25, 0.75][..], &[0.5, 0.5][..])
        );
        assert_eq!(network.cpts()[2].row(1), [0.1, 0.9]);
        let bar = text.replace("( bark family-out", "( bark | family-out");
        assert_eq!(read(&bar).unwrap(), network);
        for (from, to) in [
            ("\"light on\" { //2", "\"light on { //2"),
            ("\"fa} l,se\" };", "\"fa} l,se };"),
            ("yes  no  perhaps", "yes  no"),
            ("yes  \"n o\"", "yes  n o"),
            ("bark family-out", "bark family-in"),
            ("(yes \"true\")", "(yes \"maybe\")"),
            ("(yes \"true\")", "(yes \"true\" \"true\")"),
            ("(yes \"true\")", "(yes \"true"),
        ] {
            assert!(text.contains(from));
            let error = read(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with("line "), "{from} -> {to}: {error}");
        }
        for hostile in [
            "\" ".repeat(1 << 18),
            "probability (\"".repeat(1 << 16),
            "variable \"a\" { type discrete [ 2 ] { \"".to_owned(),
        ] {
            assert!(read(&hostile).is_err());
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let fails = |from: &str, to: &str| {
            assert!(DOG.contains(from));
            read(&DOG.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert_eq!(fails("[2]", "[3]"), "line 4: variable `a` declares 3 states and lists 2");
        assert_eq!(fails("no,yes", "no,no"), "line 4: variable `a` has the state `no` twice");
        assert_eq!(
            fails("(f(x), no)", "(f, no)"),
            "line 9: expected a state of `b`, found `f, no) 0.1 0.9; // last`"
        );
        assert_eq!(fails("0.1 0.9", "0.1 0.9 0"), "line 11: a row of `c (years)` has 3 numbers instead of 2");
        assert_eq!(fails("0.1 0.9", "0.1 x"), "line 9: expected a number, found `x; // last`");
        assert!(fails("0.1 0.9", "0.1 0.2").contains("adds up to 0.30000000000000004 instead of 1"));
        assert!(fails("0.1 0.9", "-0.1 1.1").contains("-0.1 is not a probability"));
        assert!(fails("0.1 0.9", "NaN 1").contains("NaN is not a probability"));
        assert!(fails("default 0.25, 0.75;", "").contains("4 of 6 rows are missing"));
        assert!(fails("| b, a", "| b, b").contains("has the parent `b` twice"));
        assert!(fails("| b, a", "| b, q").contains("line 7: no variable is named `q`"));
        assert!(fails("probability (a) { table 1e-3, 0.999; }", "").contains("`a` has no probability table"));
        assert!(fails("type discrete[2]", "type continuous[2]").contains("only `discrete`"));
        assert!(fails("(a) {", "(a | c (years)) { default .5 .5;").contains("line 13"));
        assert!(read("variable a {").unwrap_err().to_string().contains("the file ends"));
        assert!(read("").unwrap_err().to_string().contains("no variable"));
        let cycle = "variable a { type discrete [1] { n }; } variable b { type discrete [1] { n }; }
            probability (a | b) { default 1; } probability (b | a) { default 1; }";
        assert!(read(cycle).unwrap_err().to_string().contains("cycle: b -> a -> b"));
    }

    #[test]
    fn a_few_bytes_cannot_ask_for_much_memory() {
        use std::fmt::Write;
        let mut text = String::new();
        for at in 0..40 {
            let _ = writeln!(text, "variable v{at} {{ type discrete [ 4 ] {{ a, b, c, d }}; }}");
        }
        let parents = |n: usize| (0..n).map(|at| format!("v{at}")).collect::<Vec<_>>().join(", ");
        let with = |n, row: &str| read(&format!("{text}probability (v39 | {}) {{ {row} }}", parents(n)));
        let message = |n, row| with(n, row).unwrap_err().to_string();
        assert!(message(39, "default 1 0 0 0;").contains("too many parents"));
        assert!(message(20, "default 1 0 0 0;").contains("applies to too many rows"));
        assert!(message(20, "table 1 0 0 0;").contains("4 numbers instead of"));
        assert!(message(20, "").contains("1099511627776 of"));
        assert!(message(20, "default .25 .25 .25 .25;").contains("`v0` has no probability table"));
        assert!(read("variable a { type discrete [ 99999999999 ] { x }; }").is_err());
        assert!(read(&"(".repeat(1 << 20)).is_err() && read(&"/*".repeat(1 << 20)).is_err());
    }

    #[test]
    fn a_large_table_that_is_mostly_uniform_comes_back() {
        let declare = |at| format!("variable v{at} {{ type discrete [ 2 ] {{ n, y }}; }}\n");
        let root = |at| format!("probability (v{at}) {{ table .5 .5; }}\n");
        let text: String = (0..18).map(declare).chain((0..17).map(root)).collect();
        let parents = (0..17).map(|at| format!("v{at}")).collect::<Vec<_>>().join(", ");
        let row = vec!["y"; 17].join(", ");
        let last = format!("probability (v17 | {parents}) {{ ({row}) 0.1 0.9; default .5 .5; }}");
        let network = read(&(text + &last)).unwrap();
        assert_eq!(network.cpts()[17].stored_rows(), (Some(&[(1_u64 << 17) - 1][..]), &[0.1, 0.9][..]));
        assert_eq!(read(&write_bif(&network).unwrap()).unwrap(), network);
    }

    #[test]
    fn names_that_would_not_come_back_are_refused() {
        let named = |name: &str| {
            read(DOG)
                .map(|network| {
                    let mut variables = network.variables().to_vec();
                    variables[1].states[0] = name.into();
                    write_bif(&Network::new(variables, network.cpts().to_vec()).unwrap())
                })
                .unwrap()
        };
        for name in ["(0, 1]", "{", "", " x", "a // b", "a\nb", "\"a", "a (\"b"] {
            assert!(named(name).unwrap_err().to_string().contains("a BIF file cannot represent"), "{name}");
        }
        assert!(named("(0; 1]").is_ok() && named("5\"").is_ok() && named("http://x").is_ok());
    }
}
