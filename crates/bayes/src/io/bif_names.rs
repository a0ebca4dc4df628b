//! Lists of names in BIF files, including the dialect of `JavaBayes`.

use super::network_builder::NetworkBuilder;
use super::scan::Scanner;
use imbcore_core::Result;

enum NameToken {
    Quoted(String),
    Free(String),
}

pub(super) struct NameList(Vec<NameToken>);

impl NameList {
    /// Within quotation marks, the character `stop` is part of a name.
    pub(super) fn read(scanner: &mut Scanner<'_>, stop: char, wanted: &str) -> Result<Self> {
        let mut pieces = Vec::new();
        while !scanner.consume_if(stop) {
            if scanner.is_at_quote() {
                pieces.push(NameToken::Quoted(scanner.read_quoted()?));
                scanner.consume_if(',');
                continue;
            }
            let rest = scanner.remaining_text();
            let Some(end) = rest.find([stop, ',']) else {
                return scanner.unexpected_text_error(&format!("{wanted} and then `{stop}`"));
            };
            // In text without quotes, a quotation mark at the start of a word starts a new item.
            let quote = rest[..end].char_indices().zip(rest[..end].chars().skip(1));
            let quote = quote
                .filter(|((_, blank), next)| blank.is_whitespace() && *next == '"')
                .map(|((at, _), _)| at)
                .next();
            let end = quote.unwrap_or(end);
            pieces.push(NameToken::Free(rest[..end].trim().to_owned()));
            scanner.seek(scanner.position() + end);
            scanner.consume_if(',');
        }
        Ok(Self(pieces))
    }

    /// The names of the list; `count` is the expected number of names.
    ///
    /// The names are the texts between commas. If their number is not `count`, but the list has `count` words
    /// between blanks, the names are these words.
    pub(super) fn names(&self, count: f64) -> Vec<String> {
        let words = |piece: &NameToken| match piece {
            NameToken::Quoted(name) => vec![name.clone()],
            NameToken::Free(text) => text.split_whitespace().map(str::to_owned).collect(),
        };
        let whole = |piece: &NameToken| match piece {
            NameToken::Quoted(name) | NameToken::Free(name) => name.clone(),
        };
        let words: Vec<String> = self.0.iter().flat_map(words).collect();
        if self.0.len() as f64 != count && words.len() as f64 == count {
            return words;
        }
        self.0.iter().map(whole).collect()
    }
}

/// Reads `(child | parent, parent)`, or a list of names separated by blanks, commas or a bar.
pub(super) fn read_family(scanner: &mut Scanner<'_>, builder: &NetworkBuilder) -> Result<(u32, Vec<u32>)> {
    scanner.consume_expected('(')?;
    let start = scanner.position();
    if !scanner.is_at_quote() {
        let header = scanner.read_until('{', "a list of variables")?;
        let found = parse_unquoted_family(scanner, builder, header);
        if found.is_ok() || !header.contains('"') {
            return found;
        }
    }
    scanner.seek(start);
    let mut found = Vec::new();
    while !scanner.consume_if(')') {
        let name =
            if scanner.is_at_quote() { scanner.read_quoted()? } else { scanner.next_word().to_owned() };
        if name.is_empty() {
            return scanner.unexpected_text_error("the name of a variable");
        }
        found.push(scanner.add_line_to_error(builder.find_variable(&name))?);
        let _ = scanner.consume_if(',') || scanner.consume_if('|');
    }
    scanner.consume_expected('{')?;
    if found.is_empty() {
        return scanner.error_at_line("a family has no variable");
    }
    let parents = found.split_off(1);
    Ok((found[0], parents))
}

fn parse_unquoted_family(
    scanner: &Scanner<'_>,
    builder: &NetworkBuilder,
    header: &str,
) -> Result<(u32, Vec<u32>)> {
    let Some(header) = header.strip_suffix(')') else {
        return scanner.error_at_line("expected `)` before `{`");
    };
    let (child, parents) = header.split_once('|').unwrap_or((header, ""));
    let mut found = scanner.add_line_to_error(parse_variables(builder, child.trim()))?;
    for name in parents.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        found.extend(scanner.add_line_to_error(parse_variables(builder, name))?);
    }
    let parents = found.split_off(1);
    Ok((found[0], parents))
}

/// The variable named `text`, or else the variables listed in `text` by commas or blanks.
fn parse_variables(builder: &NetworkBuilder, text: &str) -> Result<Vec<u32>> {
    builder.find_variable(text).map(|variable| vec![variable]).or_else(|error| {
        let words = text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
        let found: Option<Vec<u32>> = words.map(|word| builder.find_variable(word).ok()).collect();
        found.filter(|found| !found.is_empty()).ok_or(error)
    })
}

pub(super) fn skip_property(scanner: &mut Scanner<'_>) -> Result<()> {
    if scanner.is_at_quote() {
        skip_quoted(scanner);
    }
    scanner.skip_until(';')
}

/// Skips a block up to and including its closing bracket.
///
/// Brackets in quoted text do not close the block, if the quotation mark is at the start of a word.
pub(super) fn skip_block(scanner: &mut Scanner<'_>) -> Result<()> {
    while !scanner.consume_if('}') {
        scanner.consume_if('(');
        if scanner.is_at_quote() && skip_quoted(scanner) {
            continue;
        }
        let rest = scanner.remaining_text();
        let Some(first) = rest.chars().next() else { return scanner.unexpected_text_error("`}`") };
        let first = first.len_utf8();
        let word = rest[first..].find(|c: char| c == '}' || c.is_whitespace());
        if rest.starts_with('}') {
            continue;
        }
        scanner.seek(scanner.position() + word.map_or(rest.len(), |word| first + word));
    }
    Ok(())
}

/// Skips a quoted text; skips nothing if the closing quotation mark is missing.
fn skip_quoted(scanner: &mut Scanner<'_>) -> bool {
    let start = scanner.position();
    let closed = scanner.read_quoted().is_ok();
    if !closed {
        scanner.seek(start);
    }
    closed
}
