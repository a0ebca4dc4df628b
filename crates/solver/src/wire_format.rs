//! Protocol between a fit and its solver process; both sides validate all received bytes.
//!
//! Integers and `f64` are little-endian. "f64 per column" means one `f64` for each variable, and so on.
//!
//! ```text
//! greeting, from the process, at once: "imbcore-solver " version "\n"
//! frame of a request or result: mark (4 bytes), length of the body (u64), body
//! request, to the process, once; mark "IMBQ"; body:
//!     seconds (f64), gap (f64), constant (f64), careful (u8), sense (u8: 0 maximize, 1 minimize),
//!     numbers of columns, rows and entries (u64 each),
//!     lower (f64 per column), upper (f64 per column), cost (f64 per column),
//!     whether a column is integer (u8 per column: 0 or 1),
//!     index of the entry after the last entry of a row (u64 per row), upper (f64 per row),
//!     column (u32 per entry), weight (f64 per entry)
//! result, from the process, once; mark "IMBA"; body:
//!     kind (u8: 0 a point, 1 infeasible, 2 nothing found, 3 failed), and then
//!     for a point: finished (u8: 0 or 1), bound (f64), x (f64 per column)
//!     if nothing was found: bound (f64)
//!     for a failure: reason (UTF-8)
//! ```
//!
//! The length of a body must agree with the counts in it. Memory is allocated only for bytes that have
//! arrived.

use crate::model::{MipModel, ModelVariable, Sense};
use std::io::{Error, ErrorKind, Read, Result, Write};

/// Greeting of a solver process.
///
/// It contains the hash of the sources of this crate, because another build may use another protocol.
pub(crate) const GREETING: &str =
    concat!("imbcore-solver ", env!("CARGO_PKG_VERSION"), "-", env!("IMBCORE_SOLVER_BUILD"), "\n");

const REQUEST: [u8; 4] = *b"IMBQ";
const ANSWER: [u8; 4] = *b"IMBA";
/// Maximum length of a request: 16 GiB, far above the sizes that CBC can solve.
const LONGEST_REQUEST: u64 = 1 << 34;
const LONGEST_WORDS: usize = 4096;

/// Result of the solver as received, before it is verified.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SolverResponse {
    /// A point, with a bound on the objective; `finished` is true if CBC reports it as optimal.
    Point {
        x: Vec<f64>,
        finished: bool,
        bound: f64,
    },
    Infeasible,
    Nothing {
        bound: f64,
    },
    Failed(String),
}

#[derive(Clone, Debug)]
pub(crate) struct SolverRequest {
    pub model: MipModel,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Maximum difference between objective and bound at which a solution counts as optimal.
    pub gap: f64,
    /// Whether to disable features of CBC that are known to crash it; solving is then slower.
    pub careful: bool,
}

pub(crate) fn read_greeting(from: &mut impl Read) -> Result<()> {
    let mut received = Vec::new();
    // The greeting is read byte by byte, because the following bytes belong to the result.
    while received.last() != Some(&b'\n') && received.len() < 200 {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        received.push(byte[0]);
    }
    if received == GREETING.as_bytes() {
        return Ok(());
    }
    let received = String::from_utf8_lossy(&received);
    Err(match received.strip_prefix("imbcore-solver ") {
        Some(version) => invalid_data_error(&format!(
            "its version is {}, this is {}",
            version.trim(),
            GREETING.trim_start_matches("imbcore-solver ").trim()
        )),
        None => invalid_data_error("it does not send the greeting of a solver"),
    })
}

/// An encoded request without its time limit, which is added when the request is sent.
pub(crate) struct EncodedRequest(Vec<u8>);

impl EncodedRequest {
    pub(crate) fn new(model: &MipModel, gap: f64, careful: bool) -> Self {
        let mut body = Vec::new();
        write_f64s(&mut body, &[gap, model.constant]);
        body.push(u8::from(careful));
        body.push(u8::from(model.sense == Sense::Minimize));
        for count in [model.n_cols(), model.n_rows(), model.entries.len()] {
            body.extend((count as u64).to_le_bytes());
        }
        write_f64s(&mut body, &model.lower);
        write_f64s(&mut body, &model.upper);
        write_f64s(&mut body, &model.cost);
        body.extend(model.whole.iter().map(|&whole| u8::from(whole)));
        body.extend(model.row_start[1..].iter().flat_map(|&end| (end as u64).to_le_bytes()));
        write_f64s(&mut body, &model.row_upper);
        body.extend(model.entries.iter().flat_map(|(col, _)| col.0.to_le_bytes()));
        body.extend(model.entries.iter().flat_map(|(_, weight)| weight.to_le_bytes()));
        Self(body)
    }

    pub(crate) fn write(&self, seconds: f64, to: &mut impl Write) -> Result<()> {
        to.write_all(&encode_frame_header(REQUEST, self.0.len() + size_of::<f64>()))?;
        to.write_all(&seconds.to_le_bytes())?;
        to.write_all(&self.0)?;
        to.flush()
    }
}

pub(crate) fn read_request(from: &mut impl Read) -> Result<SolverRequest> {
    let body = read_frame(from, REQUEST, LONGEST_REQUEST)?;
    let request = decode_request(&mut ByteReader(&body))
        .ok_or_else(|| invalid_data_error("a request is inconsistent"))?;
    let bad = request.model.check().err().map(|error| error.to_string());
    let bad = bad.or_else(|| {
        let (seconds, gap) = (request.seconds, request.gap);
        let fine = seconds > 0.0 && seconds < 1e9 && gap >= 0.0 && gap.is_finite();
        (!fine).then(|| format!("{seconds} seconds or a gap of {gap}"))
    });
    bad.map_or(Ok(request), |why| Err(invalid_data_error(&why)))
}

fn decode_request(body: &mut ByteReader<'_>) -> Option<SolverRequest> {
    let [seconds, gap, constant] = body.read_f64s(3)?[..] else { return None };
    let careful = body.read_flag()?;
    let sense = if body.read_flag()? { Sense::Minimize } else { Sense::Maximize };
    let (n_cols, n_rows, n_entries) = (body.read_count()?, body.read_count()?, body.read_count()?);
    let (lower, upper, cost) = (body.read_f64s(n_cols)?, body.read_f64s(n_cols)?, body.read_f64s(n_cols)?);
    let whole = body.read_bytes(n_cols)?;
    let mut row_start = vec![0];
    for end in body.read_bytes(n_rows.checked_mul(8)?)?.as_chunks::<8>().0 {
        row_start.push(usize::try_from(u64::from_le_bytes(*end)).ok()?);
    }
    let row_upper = body.read_f64s(n_rows)?;
    let cols = body.read_bytes(n_entries.checked_mul(4)?)?.as_chunks::<4>().0;
    let cols = cols.iter().map(|col| ModelVariable(u32::from_le_bytes(*col)));
    let weights = body.read_f64s(n_entries)?;
    let fits = body.0.is_empty()
        && whole.iter().all(|whole| *whole <= 1)
        && row_start.is_sorted()
        && row_start.last() == Some(&n_entries);
    let whole = whole.iter().map(|whole| *whole == 1).collect();
    let entries = cols.zip(weights).collect();
    let model = MipModel { sense, constant, lower, upper, cost, whole, row_start, entries, row_upper };
    fits.then_some(SolverRequest { model, seconds, gap, careful })
}

pub(crate) fn write_response(claim: &SolverResponse, to: &mut impl Write) -> Result<()> {
    let mut body = Vec::new();
    match claim {
        SolverResponse::Point { x, finished, bound } => {
            body.extend([0, u8::from(*finished)]);
            write_f64s(&mut body, &[*bound]);
            write_f64s(&mut body, x);
        }
        SolverResponse::Infeasible => body.push(1),
        SolverResponse::Nothing { bound } => {
            body.push(2);
            write_f64s(&mut body, &[*bound]);
        }
        SolverResponse::Failed(why) => {
            body.push(3);
            body.extend(why.bytes().take(LONGEST_WORDS));
        }
    }
    to.write_all(&encode_frame_header(ANSWER, body.len()))?;
    to.write_all(&body)?;
    to.flush()
}

pub(crate) fn read_response(from: &mut impl Read, n_cols: usize) -> Result<SolverResponse> {
    let longest = (1 + LONGEST_WORDS).max(2 + 8 + 8 * n_cols);
    let body = read_frame(from, ANSWER, longest as u64)?;
    decode_response(&mut ByteReader(&body), n_cols)
        .ok_or_else(|| invalid_data_error("a result is inconsistent"))
}

fn decode_response(body: &mut ByteReader<'_>, n_cols: usize) -> Option<SolverResponse> {
    let claim = match body.read_bytes(1)? {
        [0] => {
            let finished = body.read_flag()?;
            let [bound] = body.read_f64s(1)?[..] else { return None };
            let x = body.read_f64s(n_cols)?;
            let finite = bound.is_finite() && x.iter().all(|x| x.is_finite());
            finite.then_some(SolverResponse::Point { x, finished, bound })?
        }
        [1] => SolverResponse::Infeasible,
        [2] => {
            let [bound] = body.read_f64s(1)?[..] else { return None };
            bound.is_finite().then_some(SolverResponse::Nothing { bound })?
        }
        [3] => SolverResponse::Failed(String::from_utf8_lossy(body.read_bytes(body.0.len())?).into_owned()),
        _ => return None,
    };
    body.0.is_empty().then_some(claim)
}

fn encode_frame_header(mark: [u8; 4], length: usize) -> Vec<u8> {
    [&mark[..], &(length as u64).to_le_bytes()].concat()
}

fn write_f64s(body: &mut Vec<u8>, values: &[f64]) {
    body.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// Uses memory in proportion to the received bytes, even if the announced length is larger.
fn read_frame(from: &mut impl Read, mark: [u8; 4], longest: u64) -> Result<Vec<u8>> {
    let mut head = [0; 12];
    from.read_exact(&mut head)?;
    let [a, b, c, d, length @ ..] = head;
    let length = u64::from_le_bytes(length);
    if [a, b, c, d] != mark {
        return Err(invalid_data_error("a message does not begin with its mark"));
    }
    if length > longest {
        return Err(invalid_data_error(&format!(
            "a message of {length} bytes; at most {longest} are allowed"
        )));
    }
    let mut body = Vec::new();
    from.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Err(Error::new(ErrorKind::UnexpectedEof, "a message is shorter than its length"));
    }
    Ok(body)
}

fn invalid_data_error(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}

struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn read_bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn read_flag(&mut self) -> Option<bool> {
        match self.read_bytes(1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn read_count(&mut self) -> Option<usize> {
        let bytes = self.read_bytes(8)?.first_chunk()?;
        usize::try_from(u64::from_le_bytes(*bytes)).ok()
    }

    fn read_f64s(&mut self, n: usize) -> Option<Vec<f64>> {
        let bytes = self.read_bytes(n.checked_mul(8)?)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;

    fn model(cols: &[(f64, f64, f64, bool)], rows: &[(Vec<(usize, f64)>, f64)], sense: Sense) -> MipModel {
        let mut model = MipModel::new(sense);
        let cols: Vec<ModelVariable> = cols
            .iter()
            .map(|&(low, reach, cost, whole)| {
                let high = low + reach;
                if whole { model.add_integer(low, high, cost) } else { model.add_continuous(low, high, cost) }
            })
            .collect();
        for (entries, bound) in rows {
            let entries: Vec<_> = entries.iter().map(|&(at, w)| (cols[at % cols.len()], w)).collect();
            model.add_at_most(&entries, *bound);
        }
        model.add_objective_constant(0.5);
        model
    }

    fn any_model() -> impl Strategy<Value = MipModel> {
        let col = (-5.0..5.0, 0.0..9.0, -3.0..3.0, any::<bool>());
        let row = (proptest::collection::vec((0_usize..9, -2.0..2.0), 0..5), -9.0..9.0);
        let sense = prop_oneof![Just(Sense::Maximize), Just(Sense::Minimize)];
        (proptest::collection::vec(col, 1..6), proptest::collection::vec(row, 0..5), sense)
            .prop_map(|(cols, rows, sense)| model(&cols, &rows, sense))
    }

    fn any_claim() -> impl Strategy<Value = (usize, SolverResponse)> {
        let point = (proptest::collection::vec(-1e9..1e9, 0..7), any::<bool>(), -1e9..1e9);
        prop_oneof![
            point.prop_map(|(x, finished, bound)| (x.len(), SolverResponse::Point { x, finished, bound })),
            Just((3, SolverResponse::Infeasible)),
            (-1e9..1e9).prop_map(|bound| (3, SolverResponse::Nothing { bound })),
            "\\PC{0,40}".prop_map(|why| (3, SolverResponse::Failed(why))),
        ]
    }

    fn request_bytes(model: &MipModel) -> Vec<u8> {
        let mut bytes = Vec::new();
        EncodedRequest::new(model, 1e-7, true).write(2.5, &mut bytes).unwrap();
        bytes
    }

    fn answer_bytes(claim: &SolverResponse) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_response(claim, &mut bytes).unwrap();
        bytes
    }

    proptest! {
        #[test]
        fn a_request_is_received_as_sent(model in any_model()) {
            let received = read_request(&mut &request_bytes(&model)[..]).unwrap();
            prop_assert_eq!((received.seconds, received.gap, received.careful), (2.5, 1e-7, true));
            prop_assert_eq!(format!("{:?}", received.model), format!("{model:?}"));
        }

        #[test]
        fn a_result_is_received_as_sent((n_cols, claim) in any_claim()) {
            // The reader ignores bytes after a result, because the CBC library may print something when the
            // process ends.
            let bytes = [&answer_bytes(&claim)[..], b"more"].concat();
            prop_assert_eq!(read_response(&mut &bytes[..], n_cols).unwrap(), claim);
        }

        #[test]
        fn a_truncated_message_is_an_error(model in any_model(), (n_cols, claim) in any_claim(), at in any::<Index>()) {
            for (bytes, request) in [(request_bytes(&model), true), (answer_bytes(&claim), false)] {
                let mut cut = &bytes[..at.index(bytes.len())];
                let error = if request {
                    read_request(&mut cut).unwrap_err()
                } else {
                    read_response(&mut cut, n_cols).unwrap_err()
                };
                prop_assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            }
        }

        #[test]
        fn garbage_is_an_error_or_another_message(
            model in any_model(), at in any::<Index>(), byte in any::<u8>(), noise in proptest::collection::vec(any::<u8>(), 0..99),
        ) {
            prop_assert!(read_request(&mut &noise[..]).is_err());
            prop_assert!(read_response(&mut &noise[..], 3).is_err());
            prop_assert!(read_greeting(&mut &noise[..]).is_err());
            let mut bytes = request_bytes(&model);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Ok(request) = read_request(&mut &bytes[..]) {
                prop_assert!(request.model.check().is_ok());
            }
        }
    }

    #[test]
    fn an_announced_length_allocates_no_memory() {
        for length in [LONGEST_REQUEST, LONGEST_REQUEST + 1, u64::MAX] {
            let bytes = [&REQUEST[..], &length.to_le_bytes(), &[0; 50]].concat();
            assert!(read_request(&mut &bytes[..]).is_err());
        }
        for count in [1_u64 << 33, u64::MAX] {
            let body =
                [&[0; 25][..], &count.to_le_bytes(), &count.to_le_bytes(), &count.to_le_bytes()].concat();
            let bytes = [&encode_frame_header(REQUEST, body.len())[..], &body].concat();
            assert_eq!(read_request(&mut &bytes[..]).unwrap_err().kind(), ErrorKind::InvalidData);
        }
        let bytes = [&encode_frame_header(ANSWER, 1 << 20)[..], &[0; 50]].concat();
        assert_eq!(read_response(&mut &bytes[..], 3).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn an_invalid_point_is_an_error() {
        for (x, bound) in
            [(vec![f64::NAN], 1.0), (vec![1.0], f64::INFINITY), (vec![1.0, 2.0], 1.0), (vec![], 1.0)]
        {
            let bytes = answer_bytes(&SolverResponse::Point { x, finished: true, bound });
            assert_eq!(read_response(&mut &bytes[..], 1).unwrap_err().kind(), ErrorKind::InvalidData);
        }
        for body in [&[4][..], &[1, 1], &[0, 2], &[]] {
            let bytes = [&encode_frame_header(ANSWER, body.len())[..], body].concat();
            assert_eq!(read_response(&mut &bytes[..], 1).unwrap_err().kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn invalid_requests_are_errors() {
        let good = model(&[(0.0, 1.0, 1.0, true)], &[(vec![(0, 1.0)], 1.0)], Sense::Maximize);
        assert!(read_request(&mut &request_bytes(&good)[..]).is_ok());
        let mut bad = good.clone();
        bad.entries[0].0 = ModelVariable(1);
        assert!(read_request(&mut &request_bytes(&bad)[..]).is_err());
        bad = good.clone();
        bad.row_upper[0] = f64::NAN;
        assert!(read_request(&mut &request_bytes(&bad)[..]).is_err());
        bad = good.clone();
        bad.row_start[1] = 2;
        assert!(read_request(&mut &request_bytes(&bad)[..]).is_err());
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut bytes = Vec::new();
            EncodedRequest::new(&good, 0.0, false).write(seconds, &mut bytes).unwrap();
            assert!(read_request(&mut &bytes[..]).is_err());
        }
    }

    #[test]
    fn errors_distinguish_another_program_from_another_version() {
        assert!(read_greeting(&mut GREETING.as_bytes()).is_ok());
        let message = |bytes: &[u8]| read_greeting(&mut &bytes[..]).unwrap_err().to_string();
        assert!(message(b"imbcore-solver 0.0.1-7\n").contains("version is 0.0.1-7, this is "));
        assert!(message(b"Python 3.12\n").contains("does not send the greeting"));
        assert!(message(&[b'x'; 300]).contains("does not send the greeting"));
    }
}
