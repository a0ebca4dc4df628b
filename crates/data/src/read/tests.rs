use super::*;
use flate2::{Compression, write::GzEncoder};
use imbcore_base::{MISSING, Observer, Progress};
use proptest::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A file that goes when the test ends.
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

fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    read_table(&Scrap::new("t.csv", bytes).0, options, RunCtl::silent())
}

fn read(text: &str) -> Result<Table> {
    read_with(text.as_bytes(), &ReadOptions::default())
}

fn complaint(bytes: &[u8]) -> String {
    match read_with(bytes, &ReadOptions::default()) {
        Err(Error::Data(message)) => message,
        other => panic!("expected a data error, got {other:?}"),
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

fn text(codes: &[u32], levels: &[&str]) -> ColumnText {
    ColumnText::Text { codes: codes.to_vec(), levels: levels.iter().map(|&word| word.to_owned()).collect() }
}

#[test]
fn numbers_words_and_gaps() {
    let table = read("age, job ,z\n31, nurse,?\n,cook,NA\n-inf,nurse,\n").unwrap();
    assert_eq!(table.names, ["age", "job", "z"]);
    assert_eq!(table.n_rows(), 3);
    let ColumnText::Numeric(age) = &table.columns[0] else { panic!("age is numeric") };
    assert!(age[0] == 31.0 && age[1].is_nan() && age[2] == f64::NEG_INFINITY);
    assert_eq!(table.columns[1], text(&[1, 0, 1], &["cook", "nurse"]));
    assert!(matches!(&table.columns[2], ColumnText::Numeric(z) if z.iter().all(|value| value.is_nan())));
}

#[test]
fn a_late_word_makes_the_whole_column_text_with_its_spelling_kept() {
    let table = read("a,b\n1.0,1\n01,x\n1.0,2\nq,3\n").unwrap();
    assert_eq!(table.columns[0], text(&[1, 0, 1, 2], &["01", "1.0", "q"]));
    assert_eq!(table.columns[1], text(&[0, 3, 1, 2], &["1", "2", "3", "x"]));
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
fn the_delimiter_is_found_or_given() {
    let comma = read("a,b\n1,2\n").unwrap();
    assert_eq!(read("a;b\n1;2\n").unwrap(), comma);
    assert_eq!(read("a\tb\n1\t2\n").unwrap(), comma);
    let bar = ReadOptions { delimiter: Some(b'|'), ..ReadOptions::default() };
    assert_eq!(read_with(b"a|b\n1|2\n", &bar).unwrap(), comma);
}

#[test]
fn without_a_header_columns_are_numbered() {
    let options = ReadOptions { has_header: false, ..ReadOptions::default() };
    let table = read_with(b"1,2\n3,4\n", &options).unwrap();
    assert_eq!(table.names, ["x0", "x1"]);
    assert_eq!(table.columns[1], ColumnText::Numeric(vec![2.0, 4.0]));
}

#[test]
fn kinds_can_be_forced_and_missing_words_chosen() {
    let options = ReadOptions {
        text: vec!["code".into()],
        numeric: vec!["v".into()],
        missing: vec![String::new()],
        ..ReadOptions::default()
    };
    let table = read_with(b"code,v,w\n007,1,NA\n,,x\n", &options).unwrap();
    assert_eq!(table.columns[0], text(&[0, MISSING], &["007"]));
    assert_eq!(table.columns[2], text(&[0, 1], &["NA", "x"]));
    let Err(Error::Data(message)) = read_with(b"code,v\n1,1\n\n2,NA\n", &options) else {
        panic!("NA is no number")
    };
    assert!(message.contains("line 4: column `v` must be numeric, got `NA`"), "{message}");
    let unknown = ReadOptions { text: vec!["cod".into()], ..ReadOptions::default() };
    assert!(
        matches!(read_with(b"code,v\n", &unknown), Err(Error::Unknown { hint, .. }) if hint.contains("`code`"))
    );
}

#[test]
fn header_only_is_a_table_without_rows() {
    let table = read("a,b\n").unwrap();
    assert_eq!((table.n_rows(), table.names.len()), (0, 2));
}

#[test]
fn complaints_name_the_line() {
    assert!(complaint(b"a,b\n1,2\n\n3\n4,5\n").contains("line 4: 1 field where the header has 2"));
    assert!(complaint(b"a,b\r\n1,2\r\n\r\n3,4,5\r\n").contains("line 4: 3 fields where the header has 2"));
    assert!(complaint(b"a,b\n\"1\n1\",2\n3\n").contains("line 4: 1 field"));
    assert!(complaint(b"a,b\nx,2\nM\xfcller,3\n").contains("line 3: column `a` is not UTF-8"));
    assert!(complaint(b"a,b\n1,2\n2,\"x\n3,4\n").contains("line 3: a quote opened here is never closed"));
    assert!(complaint(b"a,b\n1,2\n2,\"x").contains("line 3: a quote opened here is never closed"));
    assert!(complaint(b"a,b,a\n").contains("line 1: two columns are called `a`"));
    assert!(complaint(b"a,,b\n").contains("line 1: column 2 of the header has no name"));
    assert!(complaint(b"\xfc,b\n").contains("line 1: the header is not UTF-8"));
}

#[test]
fn files_that_are_no_table() {
    assert!(complaint(b"").contains("is empty"));
    assert!(complaint(b"\n\n").contains("blank lines only"));
    assert!(complaint(b"PK\x03\x04rest").contains("zip archive"));
    assert!(complaint(b"\xff\xfea\0,\0").contains("UTF-16"));
    assert!(complaint(&gzip(b"")).contains("is empty"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_device_is_refused() {
    let zeros = read_table(Path::new("/dev/zero"), &ReadOptions::default(), RunCtl::silent());
    assert!(matches!(zeros, Err(Error::Data(message)) if message.contains("longer than 64 MiB")));
}

#[test]
fn gzip_is_known_by_its_bytes() {
    let plain = read("a,b\n1,x\n").unwrap();
    let packed = gzip(b"\xef\xbb\xbfa,b\n1,x\n");
    assert_eq!(read_with(&packed, &ReadOptions::default()).unwrap(), plain);
    let misnamed = Scrap::new("plain.csv.gz", b"a,b\n1,x\n");
    assert_eq!(read_table(&misnamed.0, &ReadOptions::default(), RunCtl::silent()).unwrap(), plain);
    assert!(complaint(&gzip(b"a,b\n1,2\n3\n")).contains("line 3"));
}

#[test]
fn damaged_gzip_is_told_from_bad_rows() {
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
    let gone = read_table(Path::new("no/such/file.csv"), &ReadOptions::default(), RunCtl::silent());
    assert!(
        matches!(gone, Err(Error::Io { kind: std::io::ErrorKind::NotFound, path, .. }) if path.contains("file.csv"))
    );
    let folder = read_table(&std::env::temp_dir(), &ReadOptions::default(), RunCtl::silent());
    assert!(matches!(folder, Err(Error::Io { .. })), "{folder:?}");
}

#[test]
fn a_stopped_run_ends_and_a_watched_one_reports() {
    struct Heard(AtomicU64);
    impl Observer for Heard {
        fn progress(&self, progress: Progress) {
            assert!(progress.done <= progress.total);
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let file = Scrap::new("long.csv", ["a\n".to_owned(), "1\n".repeat(20_000)].concat().as_bytes());
    let (heard, stop) = (Heard(AtomicU64::new(0)), AtomicBool::new(false));
    let ctl = RunCtl::new(&heard, &stop);
    assert_eq!(read_table(&file.0, &ReadOptions::default(), ctl).unwrap().n_rows(), 20_000);
    assert_eq!(heard.0.load(Ordering::Relaxed), 20_000 / PACE);
    stop.store(true, Ordering::Relaxed);
    assert_eq!(read_table(&file.0, &ReadOptions::default(), ctl), Err(Error::Cancelled));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_the_csv_crate_writes_comes_back(
        rows in prop::collection::vec(("[a-z\",;\n\u{e4}][a-z\",;\n \u{e4}]{0,6}[a-z\"]", -1e9..1e9_f64), 1..30)
    ) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["word", "value"]).unwrap();
        for (word, value) in &rows {
            writer.write_record([word.as_str(), &value.to_string()]).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let options = ReadOptions { text: vec!["word".into()], missing: Vec::new(), ..ReadOptions::default() };
        let table = read_with(&bytes, &options).unwrap();
        let ColumnText::Text { codes, levels } = &table.columns[0] else { panic!("word is text") };
        let words: Vec<&str> = codes.iter().map(|&code| levels[code as usize].as_str()).collect();
        prop_assert_eq!(words, rows.iter().map(|(word, _)| word.trim_ascii()).collect::<Vec<_>>());
        let values = rows.iter().map(|(_, value)| *value).collect();
        prop_assert_eq!(&table.columns[1], &ColumnText::Numeric(values));
    }
}
