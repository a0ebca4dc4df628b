use super::*;
use flate2::{Compression, write::GzEncoder};
use imbcore_core::{MISSING, Observer, Progress};
use proptest::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

struct Scrap(PathBuf);

impl Scrap {
    fn new(name: &str, bytes: &[u8]) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("imbcore-{}-{number}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Table {
    names: Vec<String>,
    kinds: Vec<TextColumnKind>,
    columns: Vec<TextColumnValues>,
}

impl Table {
    fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, TextColumnValues::len)
    }

    fn numbers(&self, column: usize) -> &[f64] {
        let TextColumnValues::Numeric(values) = &self.columns[column] else {
            panic!("column {column} is text")
        };
        values
    }
}

fn read_as(
    input: TextInput,
    format: &TextFormat,
    roles: &[(&str, ColumnRole)],
    ctl: RunContext<'_>,
) -> Result<Table> {
    let table = Arc::new(TextTable::open(&[input], format.clone())?);
    let role = |name: &String| {
        roles.iter().find(|(known, _)| known == name).map_or(ColumnRole::Feature, |&(_, role)| role)
    };
    let roles: Vec<ColumnRole> = table.names().iter().map(role).collect();
    let scan = table.detect_column_kinds(&roles, ctl)?;
    let read: Vec<usize> = (0..roles.len()).filter(|&column| roles[column] != ColumnRole::Skip).collect();
    let columns = scan.read_all(&read, ctl)?;
    // Batches of any length give the same columns.
    let whole: Vec<_> = columns.iter().map(values).collect();
    for most in [1, 3, 1000] {
        let mut batches = scan.open_batches(0, &read)?;
        let mut n_rows = 0;
        while let Some(batch) = batches.read_next_rows(most)? {
            for (whole, part) in whole.iter().zip(&batch) {
                assert_eq!(values(part), whole[n_rows..n_rows + part.len()]);
            }
            n_rows += batch.first().map_or(0, TextColumnValues::len);
        }
        assert_eq!(n_rows as u64, scan.n_rows_per_file()[0]);
    }
    let names = read.iter().map(|&column| table.names()[column].clone()).collect();
    let kinds = read.iter().map(|&column| scan.column_kinds()[column]).collect();
    Ok(Table { names, kinds, columns })
}

fn values(column: &TextColumnValues) -> Vec<Option<String>> {
    match column {
        TextColumnValues::Numeric(values) => {
            values.iter().map(|v| (!v.is_nan()).then(|| v.to_string())).collect()
        }
        TextColumnValues::Text { codes, levels } => {
            codes.iter().map(|&code| levels.get(code as usize).cloned()).collect()
        }
    }
}

fn read_with(bytes: &[u8], format: &TextFormat, roles: &[(&str, ColumnRole)]) -> Result<Table> {
    let scrap = Scrap::new("t.csv", bytes);
    read_as(TextInput::open(&scrap.0)?, format, roles, RunContext::silent())
}

fn read_bytes(bytes: &[u8]) -> Result<Table> {
    let scrap = Scrap::new("t.csv", bytes);
    read_as(TextInput::open(&scrap.0)?, &TextFormat::default(), &[], RunContext::silent())
}

fn read(text: &str) -> Result<Table> {
    read_bytes(text.as_bytes())
}

fn complaint(bytes: &[u8]) -> String {
    match read_bytes(bytes) {
        Err(Error::Data(message)) => message,
        other => panic!("expected a data error, got {other:?}"),
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

fn text(codes: &[u32], levels: &[&str]) -> TextColumnValues {
    TextColumnValues::Text {
        codes: codes.to_vec(),
        levels: levels.iter().map(|&word| word.to_owned()).collect(),
    }
}

#[test]
fn numbers_text_and_missing_values() {
    let table = read("age, job ,z\n31, nurse,?\n,cook,NA\n-inf,nurse,\n").unwrap();
    assert_eq!(table.names, ["age", "job", "z"]);
    assert_eq!(table.kinds, [TextColumnKind::Float, TextColumnKind::Text, TextColumnKind::Empty]);
    assert_eq!(table.n_rows(), 3);
    let age = table.numbers(0);
    assert!(age[0] == 31.0 && age[1].is_nan() && age[2] == f64::NEG_INFINITY);
    assert_eq!(table.columns[1], text(&[1, 0, 1], &["cook", "nurse"]));
    assert!(table.numbers(2).iter().all(|value| value.is_nan()));
}

#[test]
fn a_late_word_makes_the_whole_column_text() {
    let table = read("a,b\n1.0,1\n01,x\n1.0,2\nq,3\n").unwrap();
    assert_eq!(table.columns[0], text(&[1, 0, 1, 2], &["01", "1.0", "q"]));
    assert_eq!(table.columns[1], text(&[0, 3, 1, 2], &["1", "2", "3", "x"]));
}

#[test]
fn decimal_signs_and_thousands_are_detected_or_refused() {
    let table = read("a;b\n30,44;1.027,42\n0,5;12\n").unwrap();
    assert_eq!((table.numbers(0), table.numbers(1)), (&[30.44, 0.5][..], &[1027.42, 12.0][..]));
    assert_eq!(read("a,b\n1.027,1\n").unwrap().numbers(0), [1.027]);
    // Another column determines the decimal sign.
    assert_eq!(read("a;b\n1.027;0.5\n").unwrap().numbers(0), [1.027]);
    assert_eq!(read("a;b\n1,027;0,5\n").unwrap().numbers(0), [1.027]);
    assert_eq!(read("a;b\n1,027;1,027.5\n").unwrap().numbers(0), [1027.0]);
    assert_eq!(read("a;b\n1.234.567;1\n").unwrap().numbers(0), [1_234_567.0]);
    assert_eq!(read("a,b\n\"30,44\",1\n").unwrap().numbers(0), [30.44]);
    for (file, part) in [
        (
            "a;b\n1;2\n3;1,027\n",
            "line 3: column `b` holds `1,027`, in which the separator may mark decimals or thousands",
        ),
        (
            "a;b\n0,5;2\n3;1.027\n",
            "line 3: column `b` holds `1.027`, in which the separator may mark decimals or thousands",
        ),
        (
            "a;b\n0.5;2\n3;1,027\n",
            "line 3: column `b` holds `1,027`, in which the separator may mark decimals or thousands",
        ),
        (
            "a;b\n1;2\n3;1.027\n",
            "line 3: column `b` holds `1.027`, in which the separator may mark decimals or thousands",
        ),
        ("a;b\n0,5;2\n3;0.5\n", "line 2: column `a` holds `0,5` and column `b` holds `0.5`"),
        ("a;b\n1 027;2\n", "line 2: column `a` holds numbers in most rows, but also `1 027`"),
    ] {
        let found = complaint(file.as_bytes());
        assert!(found.contains(part), "{found}");
    }
    let given = |decimal, thousands| TextFormat { decimal, thousands, ..TextFormat::default() };
    let ambiguous = b"a;b\n1;2\n3;1,027\n";
    assert_eq!(read_with(ambiguous, &given(Some(','), None), &[]).unwrap().numbers(1), [2.0, 1.027]);
    assert_eq!(read_with(ambiguous, &given(None, Some(',')), &[]).unwrap().numbers(1), [2.0, 1027.0]);
    assert_eq!(read_with(b"a;b\n1 027,5;2\n", &given(None, Some(' ')), &[]).unwrap().numbers(0), [1027.5]);
    let wrong = read_with(b"a;b\n30.44;2\n", &given(Some(','), None), &[]);
    assert!(matches!(wrong, Err(Error::Data(message)) if message.contains("decimal=")));
    // Values in columns with the role `Key` do not decide the decimal sign of the file.
    let roles = [("a", ColumnRole::Key)];
    assert_eq!(read_with(b"a;b\n1.5;0,5\n", &TextFormat::default(), &roles).unwrap().numbers(1), [0.5]);
}

#[test]
fn numbers_with_units_and_quotes_that_are_not_doubled_are_refused() {
    for (file, part) in [
        ("a,y\n$10.5,p\n$11,n\n", "line 2: column `a` holds numbers in most rows, but also `$10.5`"),
        ("a;y\n3;p\n10,5 €;p\n11,0 €;n\n", "line 3: column `a` holds numbers"),
        ("a,y\n10%,p\n5%,n\n", "write it as a plain number, without units"),
        ("a,b\n\"x \\\"q\\\" y\",1\nz,2\n", "line 2: text follows the closing quote of a value"),
        ("a,\"b\"c\n1,2\n", "line 1: text follows the closing quote of a value"),
    ] {
        let found = complaint(file.as_bytes());
        assert!(found.contains(part), "{found}");
    }
    // These columns have few numbers. A repeated word among numbers with decimals may mark missing values, so
    // it is an error. Two different words, a word among integer codes, and a word in most rows are levels.
    let found = complaint(b"a\n1.5\nk.A.\n2.5\nk.A.\n");
    assert!(
        found.contains("line 3: column `a` holds numbers in") && found.contains("--na-values"),
        "{found}"
    );
    for levels in ["a\n1.5\nx\n2.5\ny\n", "a\n1\nx\n2\nx\n", "a\n1.5\nx\nx\n"] {
        assert_eq!(read(levels).unwrap().kinds, [TextColumnKind::Text]);
    }
    let labels = read_with(b"y\n5%\n10%\n", &TextFormat::default(), &[("y", ColumnRole::Label)]).unwrap();
    assert_eq!(labels.kinds, [TextColumnKind::Text]);
    let blanks = read("a,b\n\"x\" ,1\n").unwrap();
    assert_eq!(values(&blanks.columns[0])[0].as_deref(), Some("x"));
}

#[test]
fn missing_marks_among_numbers_are_levels_elsewhere() {
    let marks = [
        "n/a", "NONE", "-", ".", "#N/A", "#DIV/0!", "\\n", "<na>", "NAN", "n.d.", "Missing", "*", "—",
        "(null)", "#NV",
    ];
    for mark in marks {
        let table = read(&format!("a,b,c\n1,x,True\n{mark},{mark},{mark}\n")).unwrap();
        assert!(table.numbers(0)[1].is_nan() && table.numbers(2)[1].is_nan(), "{mark}");
        assert_eq!(values(&table.columns[1])[1].as_deref(), Some(mark));
        assert_eq!(values(&read(&format!("a\n{mark}\n")).unwrap().columns[0])[0].as_deref(), Some(mark));
    }
    let given = TextFormat { missing: ["-999", "none"].map(str::to_owned).to_vec(), ..TextFormat::default() };
    let table = read_with(b"a,b\n1,x\n-999.0,none\n-999,y\n", &given, &[]).unwrap();
    assert!(table.numbers(0)[1..].iter().all(|value| value.is_nan()));
    assert_eq!(values(&table.columns[1])[1], None);
}

#[test]
fn a_column_of_almost_only_numbers_is_not_text() {
    let rows = |n: usize, odd: &str| format!("a,b\n{}{odd},0\n", "1,0\n".repeat(n));
    let found = complaint(rows(9, "x").as_bytes());
    assert!(
        found.contains("line 11: column `a` holds numbers in most rows, but also `x` (1 of 10"),
        "{found}"
    );
    assert!(found.contains("--na-values") && found.contains("--nominal a"), "{found}");
    assert_eq!(read(&rows(8, "x")).unwrap().kinds, [TextColumnKind::Text, TextColumnKind::Integer]);
    for role in [ColumnRole::Key, ColumnRole::Text] {
        let found = read_with(rows(9, "x").as_bytes(), &TextFormat::default(), &[("a", role)]).unwrap();
        assert_eq!(found.kinds[0], TextColumnKind::Text);
    }
}

#[test]
fn integers_beyond_float64_are_refused_unless_categorical() {
    for wrong in ["9007199254740993", "-9007199254740994", "123456789012345678901"] {
        let found = complaint(format!("a\n1\n{wrong}\n").as_bytes());
        let expected = format!(
            "line 3: column `a` holds the integer {wrong}, beyond 2**53, where float64 does not hold every"
        );
        assert!(found.contains(&expected), "{found}");
        let file = format!("a\n1\n{wrong}\n");
        let names = read_with(file.as_bytes(), &TextFormat::default(), &[("a", ColumnRole::Key)]).unwrap();
        assert_eq!(values(&names.columns[0])[1].as_deref(), Some(wrong));
    }
    let fine = read("a,b\n9007199254740992,9007199254740994.0\n-9007199254740992,1e300\n").unwrap();
    assert_eq!(fine.numbers(0), [9_007_199_254_740_992.0, -9_007_199_254_740_992.0]);
    for label in ["inf", "1e400", "9007199254740993"] {
        let file = format!("a\n1\n{label}\n");
        let found = read_with(file.as_bytes(), &TextFormat::default(), &[("a", ColumnRole::Label)]);
        assert!(matches!(found, Err(Error::Data(message)) if message.contains("line 3: column `a` holds")));
    }
}

#[test]
fn truth_values_are_numbers_and_dates_are_features_only_on_request() {
    let table = read("a,b\nTrue,true\nFALSE,x\n").unwrap();
    assert_eq!(table.kinds, [TextColumnKind::Boolean, TextColumnKind::Text]);
    assert_eq!(table.numbers(0), [1.0, 0.0]);
    let found = complaint(b"day,b\n2024-02-29,1\n2024-03-01 12:00,2\n");
    assert!(found.contains("line 2: column `day` holds dates, such as `2024-02-29`"), "{found}");
    assert!(found.contains("--dates day"), "{found}");
    for role in [ColumnRole::Key, ColumnRole::Label, ColumnRole::Text] {
        let file = b"day,b\n29.02.2024,1\n01/03/24,2\n";
        assert_eq!(
            read_with(file, &TextFormat::default(), &[("day", role)]).unwrap().kinds[0],
            TextColumnKind::Text
        );
    }
}

#[test]
fn line_ends_marks_quotes_and_missing_last_line_end() {
    let plain = read("a,b\n1,x y\n2,\"q, \"\"r\"\"\"\n").unwrap();
    for other in ["\u{feff}a,b\r\n1,x y\r\n2,\"q, \"\"r\"\"\"\r\n", "a,b\n\n1,x y\n\r\n2,\"q, \"\"r\"\"\""] {
        assert_eq!(read(other).unwrap(), plain);
    }
    assert_eq!(plain.columns[1], text(&[1, 0], &["q, \"r\"", "x y"]));
}

#[test]
fn the_separator_is_detected_or_given() {
    let comma = read("a,b\n1,2\n").unwrap();
    for other in ["a;b\n1;2\n", "a\tb\n1\t2\n", "a|b\n1|2\n", "sep=;\na;b\n1;2\n", "sep=:\r\na:b\r\n1:2\r\n"]
    {
        assert_eq!(read(other).unwrap(), comma, "{other}");
    }
    let colon = TextFormat { separator: Some(b':'), ..TextFormat::default() };
    assert_eq!(read_with(b"a:b\n1:2\n", &colon, &[]).unwrap(), comma);
    assert!(complaint(b"sep=;\na;b\n1;2\n3\n").contains("line 4: 1 field"));
}

#[test]
fn without_a_header_columns_are_numbered() {
    let format = TextFormat { has_header: false, ..TextFormat::default() };
    let table = read_with(b"1,2\n3,4\n", &format, &[]).unwrap();
    assert_eq!(table.names, ["x0", "x1"]);
    assert_eq!(table.numbers(1), [2.0, 4.0]);
}

#[test]
fn a_column_without_a_name_is_named_and_can_be_skipped() {
    let scrap = Scrap::new("t.csv", b",a\n0,x\n");
    let table = TextTable::open(&[TextInput::open(&scrap.0).unwrap()], TextFormat::default()).unwrap();
    assert_eq!(
        (table.names(), table.generated_column_names()),
        (&["Unnamed: 0".into(), "a".into()][..], &["Unnamed: 0".into()][..])
    );
    let roles = [("Unnamed: 0", ColumnRole::Skip)];
    assert_eq!(read_with(b",a\n0,x\n", &TextFormat::default(), &roles).unwrap().names, ["a"]);
}

#[test]
fn headers_may_hold_line_ends_and_be_long() {
    let table = read("\"height\nin cm\",\"a \"\"b\"\"\"\n1,2\n").unwrap();
    assert_eq!(table.names, ["height\nin cm", "a \"b\""]);
    assert!(complaint(b"\"height\nin cm\",b\n1,2\n3\n").contains("line 4: 1 field"));
    let name = "n".repeat(3 << 20);
    assert_eq!(read(&format!("{name},b\n1,2\n")).unwrap().names, [name.as_str(), "b"]);
}

#[test]
fn encodings_are_decoded_and_others_are_refused() {
    let latin = b"na\xefve,b\nM\xfcller,1\nx,2\n";
    let given = |name: &str| TextFormat { encoding: Some(name.into()), ..TextFormat::default() };
    let table = read_with(latin, &given("latin-1"), &[]).unwrap();
    assert_eq!(table.names, ["na\u{ef}ve", "b"]);
    assert_eq!(values(&table.columns[0])[0].as_deref(), Some("M\u{fc}ller"));
    let wide: Vec<u8> = "a;b\r\n\u{4e2d};1,5\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &wide].concat();
    for (bytes, format) in
        [(&wide, given("utf-16")), (&marked, given("utf-16")), (&marked, TextFormat::default())]
    {
        let table = read_with(bytes, &format, &[]).unwrap();
        assert_eq!(
            (values(&table.columns[0])[0].as_deref(), table.numbers(1)),
            (Some("\u{4e2d}"), &[1.5][..])
        );
    }
    assert!(complaint(&wide).contains("UTF-16"));
    let proposed = complaint(b"a,b\nM\xfcller,1\n");
    assert!(proposed.contains("line 2: column `a` is not UTF-8 text"));
    assert!(proposed.contains("encoding=\"cp1252\" (--encoding cp1252), which reads `M\u{fc}ller`"));
    assert!(complaint(b"a,b\nM\x81ller,1\n").contains("the encoding of the file (encoding=, --encoding)"));
    let wrong = read_with(b"a,b\nx,1\n\xd6,2\n", &given("gbk"), &[]);
    assert!(
        matches!(wrong, Err(Error::Data(message)) if message.contains("line 3: bytes that are not GBK text"))
    );
    assert!(
        matches!(read_with(latin, &given("klingon"), &[]), Err(Error::Parameter { name, .. }) if name == "encoding")
    );
}

#[test]
fn roles_decide_about_columns_and_missing_marks_can_be_chosen() {
    let format = TextFormat { missing: vec![String::new()], ..TextFormat::default() };
    let roles = [("code", ColumnRole::Text), ("v", ColumnRole::Number)];
    let table = read_with(b"code,v,w\n007,1,NA\n,,x\n", &format, &roles).unwrap();
    assert_eq!(table.columns[0], text(&[0, MISSING], &["007"]));
    assert_eq!(table.columns[2], text(&[0, 1], &["NA", "x"]));
    let Err(Error::Data(message)) = read_with(b"code,v\n1,1\n\n2,big\n", &format, &roles) else {
        panic!("big is not a number")
    };
    assert!(message.contains("line 4: column `v` must be numeric, got `big`"), "{message}");
}

#[test]
fn header_only_is_a_table_without_rows() {
    let table = read("a,b\n").unwrap();
    assert_eq!((table.n_rows(), table.names.len()), (0, 2));
}

#[test]
fn complaints_name_the_line() {
    assert!(complaint(b"a,b\n1,2\n\n3\n4,5\n").contains("line 4: 1 field, but the header has 2"));
    assert!(complaint(b"a,b\r\n1,2\r\n\r\n3,4,5\r\n").contains("line 4: 3 fields, but the header has 2"));
    assert!(complaint(b"a,b\r1,2\r\r3\r").contains("line 4: 1 field"));
    assert!(complaint(b"a,b\n\"1\n1\",2\n3\n").contains("line 4: 1 field"));
    assert!(complaint(b"a,b\n1,2\n2,\"x\n3,4\n").contains("line 3: a quote opened here is never closed"));
    assert!(complaint(b"a,b\n1,2\n2,\"x").contains("line 3: a quote opened here is never closed"));
    assert!(complaint(b"a,b,a\n").contains("line 1: two columns are called `a`"));
    assert!(complaint(b"\xfc,b\n").contains("line 1: the header is not UTF-8"));
}

#[test]
fn files_that_are_not_tables() {
    assert!(complaint(b"").contains("is empty"));
    assert!(complaint(b"\n\n").contains("only blank lines"));
    assert!(complaint(b"PK\x03\x04rest").contains("zip archive"));
    assert!(complaint(&gzip(b"")).contains("is empty"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_device_is_refused() {
    let zeros = TextInput::open(Path::new("/dev/zero"));
    assert!(matches!(zeros, Err(Error::Data(message)) if message.contains("longer than 64 MiB")));
}

#[test]
fn gzip_is_known_by_its_bytes() {
    let plain = read("a,b\n1,x\n").unwrap();
    let packed = gzip(b"\xef\xbb\xbfa,b\n1,x\n");
    assert_eq!(read_bytes(&packed).unwrap(), plain);
    // In a gzip file, zero bytes after a member are padding, and another member may follow.
    let padded = [&packed[..], &[0; 1000], &gzip(b"2,y\n"), &[0; 3]].concat();
    assert_eq!(read_bytes(&padded).unwrap(), read("a,b\n1,x\n2,y\n").unwrap());
    assert!(complaint(&[&packed[..], b"rest of another file"].concat()).contains("gzip file is damaged"));
    let misnamed = Scrap::new("plain.csv.gz", b"a,b\n1,x\n");
    let input = TextInput::open(&misnamed.0).unwrap();
    assert_eq!(read_as(input, &TextFormat::default(), &[], RunContext::silent()).unwrap(), plain);
    assert!(complaint(&gzip(b"a,b\n1,2\n3\n")).contains("line 3"));
}

#[test]
fn damaged_gzip_differs_from_bad_rows() {
    let rows = (0..20_000).map(|row| format!("{row},{}\n", row * 7 % 1000)).collect::<Vec<_>>().concat();
    let whole = gzip(format!("a,b\n{rows}").as_bytes());
    assert!(complaint(&whole[..whole.len() / 2]).contains("gzip file ends too early"));
    assert!(complaint(&whole[..5]).contains("gzip file ends too early"));
    let mut flipped = whole;
    let tail = flipped.len() - 6;
    flipped[tail] ^= 0xff;
    assert!(complaint(&flipped).contains("gzip file is damaged"));
}

#[test]
fn system_errors_keep_their_kind_and_the_path() {
    let gone = TextInput::open(Path::new("no/such/file.csv"));
    assert!(
        matches!(gone, Err(Error::Io { kind: std::io::ErrorKind::NotFound, path, .. }) if path.contains("file.csv"))
    );
    let folder = TextTable::open(&[TextInput::File(std::env::temp_dir())], TextFormat::default());
    assert!(matches!(folder, Err(Error::Io { .. })), "{folder:?}");
}

#[test]
fn a_cancelled_run_ends_and_an_observed_one_reports() {
    struct ProgressCounter(AtomicU64);
    impl Observer for ProgressCounter {
        fn progress(&self, progress: Progress) {
            assert!(progress.done <= progress.total);
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let file = Scrap::new("long.csv", ["a\n".to_owned(), "1\n".repeat(20_000)].concat().as_bytes());
    let (counter, stop) = (ProgressCounter(AtomicU64::new(0)), AtomicBool::new(false));
    let ctl = RunContext::new(&counter, &stop);
    let input = TextInput::open(&file.0).unwrap();
    assert_eq!(read_as(input.clone(), &TextFormat::default(), &[], ctl).unwrap().n_rows(), 20_000);
    assert!(counter.0.load(Ordering::Relaxed) >= 2 * (20_000 / PACE));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(read_as(input, &TextFormat::default(), &[], ctl), Err(Error::Cancelled));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn output_of_the_csv_crate_is_read_back(
        rows in prop::collection::vec(("[a-z\",;\n\u{e4}][a-z\",;\n \u{e4}]{0,6}[a-z\"]", -1e9..1e9_f64), 1..30)
    ) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["word", "value"]).unwrap();
        for (word, value) in &rows {
            writer.write_record([word.as_str(), &value.to_string()]).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let format = TextFormat { separator: Some(b','), missing: Vec::new(), ..TextFormat::default() };
        let table = read_with(&bytes, &format, &[("word", ColumnRole::Text)]).unwrap();
        let TextColumnValues::Text { codes, levels } = &table.columns[0] else { panic!("word is text") };
        let words: Vec<&str> = codes.iter().map(|&code| levels[code as usize].as_str()).collect();
        prop_assert_eq!(words, rows.iter().map(|(word, _)| word.trim_ascii()).collect::<Vec<_>>());
        let values = rows.iter().map(|(_, value)| *value).collect();
        prop_assert_eq!(&table.columns[1], &TextColumnValues::Numeric(values));
    }
}
