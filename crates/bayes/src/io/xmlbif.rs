//! XMLBIF 0.3, the XML version of the Bayesian Interchange Format.

use super::NetworkWithWarnings;
use super::network_builder::{CellOrder, NetworkBuilder};
use super::printed_digits::PrintedPrecision;
use super::write::{all_rows_or_error, check_trimmed_name, escape_characters, format_numbers};
use crate::network::Network;
use imbcore_core::{Error, Result};
use roxmltree::{Document, Node, ParsingOptions};
use std::fmt::Write;

/// Reads a network in XMLBIF 0.3.
///
/// # Errors
/// [`Error::Format`], usually with the line, for a text that is not a valid XMLBIF network;
/// [`Error::Unsupported`] for a variable that is a decision or a utility.
pub fn read_xmlbif(text: &str) -> Result<NetworkWithWarnings> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Files with entities are rejected: nested entities can expand a short text exponentially, and networks
    // do not need them.
    if let Some(at) = text.find("<!ENTITY") {
        let line = 1 + text[..at].matches('\n').count();
        let what = "entities are not supported; replace them by their text";
        return Err(Error::Format(format!("line {line}: {what}")));
    }
    // Files of this format may contain a document type declaration, so the parser must accept one.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| Error::Format(format!("not well-formed XML: {error}")))?;
    let nodes = |name| document.descendants().filter(move |node: &Node<'_, '_>| node.has_tag_name(name));
    let mut builder = NetworkBuilder::default();
    for node in nodes("VARIABLE") {
        add_line_to_error(node, read_variable(node, &mut builder))?;
    }
    for node in nodes("DEFINITION").chain(nodes("PROBABILITY")) {
        add_line_to_error(node, read_definition(node, &mut builder))?;
    }
    builder.build()
}

fn add_line_to_error(node: Node<'_, '_>, result: Result<()>) -> Result<()> {
    result.map_err(|error| match error {
        Error::Format(what) => {
            let line = node.document().text_pos_at(node.range().start).row;
            Error::Format(format!("line {line}: {what}"))
        }
        other => other,
    })
}

fn child_texts(node: Node<'_, '_>, name: &str) -> Vec<String> {
    // A comment or a character reference may split the text of an element into several parts, which are
    // joined.
    let whole = |node: Node<'_, '_>| {
        let pieces = node.children().filter(Node::is_text).filter_map(|piece| piece.text());
        pieces.collect::<String>().trim().to_owned()
    };
    node.children().filter(|child| child.has_tag_name(name)).map(whole).collect()
}

fn child_text(node: Node<'_, '_>, name: &str) -> Result<String> {
    let mut found = child_texts(node, name);
    match found.pop() {
        Some(text) if found.is_empty() => Ok(text),
        _ => {
            let parent = node.tag_name().name();
            Err(Error::Format(format!("<{parent}> must have exactly one <{name}>")))
        }
    }
}

fn read_variable(node: Node<'_, '_>, builder: &mut NetworkBuilder) -> Result<()> {
    let name = child_text(node, "NAME")?;
    match node.attribute("TYPE") {
        None | Some("nature") => builder.add_variable(&name, child_texts(node, "OUTCOME")),
        Some(kind) => Err(Error::Unsupported(format!(
            "variable `{name}` is of type `{kind}`; only networks of `nature` variables are supported"
        ))),
    }
}

fn read_definition(node: Node<'_, '_>, builder: &mut NetworkBuilder) -> Result<()> {
    let child = builder.find_variable(&child_text(node, "FOR")?)?;
    let parents =
        child_texts(node, "GIVEN").iter().map(|name| builder.find_variable(name)).collect::<Result<_>>()?;
    let family = builder.prepare_family(child, parents)?;
    let mut digits = PrintedPrecision::default();
    let number = |word: &str| {
        digits.record_decimals(word);
        word.parse().map_err(|_| Error::Format(format!("expected a number in <TABLE>, found `{word}`")))
    };
    let cells: Vec<f64> = child_text(node, "TABLE")?.split_whitespace().map(number).collect::<Result<_>>()?;
    builder.set_table(&family, &cells, CellOrder::ChildFastest, &digits)
}

/// Writes a network in XMLBIF 0.3; numbers are exact.
///
/// # Errors
/// [`Error::Unsupported`] for a name that the format cannot represent, or a sparse table with too
/// many rows.
pub fn write_xmlbif(network: &Network) -> Result<String> {
    let name = |name: &str| {
        check_trimmed_name(name, "XMLBIF")?;
        Ok(escape_characters(name, &[('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;")]))
    };
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n<NAME>unknown</NAME>\n",
    );
    for variable in network.variables() {
        let _ = write!(text, "<VARIABLE TYPE=\"nature\">\n  <NAME>{}</NAME>\n", name(&variable.name)?);
        for state in &variable.states {
            let _ = writeln!(text, "  <OUTCOME>{}</OUTCOME>", name(state)?);
        }
        text.push_str("</VARIABLE>\n");
    }
    for (variable, cpt) in network.variables().iter().zip(network.cpts()) {
        let _ = write!(text, "<DEFINITION>\n  <FOR>{}</FOR>\n", name(&variable.name)?);
        for &parent in cpt.parents() {
            let parent = &network.variables()[parent as usize].name;
            let _ = writeln!(text, "  <GIVEN>{}</GIVEN>", name(parent)?);
        }
        text.push_str("  <TABLE>\n");
        for row in all_rows_or_error(cpt, &variable.name, "XMLBIF")? {
            text.push_str("    ");
            format_numbers(&mut text, row, " ");
            text.push('\n');
        }
        text.push_str("  </TABLE>\n</DEFINITION>\n");
    }
    text.push_str("</NETWORK>\n</BIF>\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network> {
        read_xmlbif(text).map(|(network, _)| network)
    }

    const DOG: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)> ]>\n<BIF VERSION=\"0.3\"><NETWORK>
        <NAME>dog</NAME><VARIABLE TYPE=\"nature\"><NAME> b </NAME><OUTCOME>&lt;5</OUTCOME><OUTCOME>5<!-- up --> or more</OUTCOME></VARIABLE>
        <VARIABLE TYPE=\"nature\"><NAME>a</NAME><OUTCOME>n</OUTCOME><OUTCOME>y</OUTCOME><OUTCOME>,{}</OUTCOME></VARIABLE>
        <VARIABLE TYPE=\"nature\"><NAME>c</NAME><OUTCOME>n</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>
        <DEFINITION><FOR>c</FOR><GIVEN>a</GIVEN><GIVEN>b</GIVEN>
        <TABLE>.01 .99 .02 .98 .11 .89 .12 .88 <!-- last --> .21 .79 .22 .78</TABLE></DEFINITION>
        <DEFINITION><FOR>a</FOR><TABLE>0.2 3e-1 .5</TABLE></DEFINITION>
        <DEFINITION><FOR>b</FOR><TABLE>0.333333 0.666666</TABLE></DEFINITION></NETWORK></BIF>";

    #[test]
    fn parents_come_in_any_order_and_names_are_free() {
        let network = read(DOG).unwrap();
        assert_eq!(network.variables()[0].states, ["<5", "5 or more"]);
        // The row with index 2 belongs to the parent states with code 2 of a and code 0 of b. In tables of
        // this crate, the state of the parent that is declared first, b, varies slowest.
        assert_eq!(network.cpts()[2].row(2), [0.21, 0.79]);
        assert_eq!(network.cpts()[2].row(3), [0.02, 0.98]);
        assert_eq!(read(&write_xmlbif(&network).unwrap()).unwrap(), network);
    }

    #[test]
    fn errors_say_where_and_what() {
        let fails = |from: &str, to: &str| {
            assert!(DOG.contains(from));
            read(&DOG.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert_eq!(fails("3e-1", "x"), "line 9: expected a number in <TABLE>, found `x`");
        assert_eq!(fails(".01 .99", ""), "line 7: the table of `c` has 10 numbers instead of 12");
        assert_eq!(fails("<FOR>a</FOR>", ""), "line 9: <DEFINITION> must have exactly one <FOR>");
        assert!(fails("TYPE=\"nature\"", "TYPE=\"utility\"").contains("only networks of `nature`"));
        assert!(fails("</TABLE>", "").contains("not well-formed XML"));
        assert!(fails("<GIVEN>a</GIVEN>", "<GIVEN>c</GIVEN>").contains("parent of itself"));
        assert!(read("<BIF/>").unwrap_err().to_string().contains("no variable"));
    }

    #[test]
    fn hostile_files_are_refused() {
        let deep = 1 << 18;
        assert!(read(&"<a>".repeat(deep)).is_err());
        assert!(read(&("<a>".repeat(deep) + &"</a>".repeat(deep))).is_err());
        let bomb = "<!DOCTYPE b [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\
            <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">]>\
            <BIF><VARIABLE><NAME>&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;</NAME></VARIABLE></BIF>";
        assert!(read(bomb).is_err());
        // A text without nested entities can also expand to a long text. Here, each of 2,000 references to an
        // entity stands for 2,000 characters.
        let flat = format!(
            "<!DOCTYPE BIF [\n<!ENTITY a \"{}\">]>\n<BIF><VARIABLE><NAME>{}</NAME></VARIABLE></BIF>",
            "x".repeat(2000),
            "&a;".repeat(2000)
        );
        assert_eq!(
            read(&flat).unwrap_err().to_string(),
            "line 2: entities are not supported; replace them by their text"
        );
    }
}
