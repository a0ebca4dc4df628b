//! Graphs as text for Graphviz.

use super::write::escape_characters;
use crate::network::Network;
use std::fmt::Write;

/// The graph in the DOT language: one node per variable, one edge per arc.
pub fn write_dot(network: &Network) -> String {
    let quoted = |name: &str| {
        format!("\"{}\"", escape_characters(name, &[('"', "\\\""), ('\\', "\\\\"), ('\n', "\\n")]))
    };
    let name = |variable: u32| quoted(&network.variables()[variable as usize].name);
    let mut text = String::from("digraph {\n");
    for variable in 0..network.n_variables() as u32 {
        let _ = writeln!(text, "  {};", name(variable));
    }
    for (from, to) in network.dag().arcs() {
        let _ = writeln!(text, "  {} -> {};", name(from), name(to));
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::read_bif;

    #[test]
    fn names_are_quoted() {
        let text = "variable a \"b\" { type discrete [1] {x}; } variable c\\ { type discrete [1] {x}; }
            probability (a \"b\") { table 1; } probability (c\\ | a \"b\") { (x) 1; }";
        let dot = write_dot(&read_bif(text).unwrap().0);
        assert_eq!(dot, "digraph {\n  \"a \\\"b\\\"\";\n  \"c\\\\\";\n  \"a \\\"b\\\"\" -> \"c\\\\\";\n}\n");
    }
}
