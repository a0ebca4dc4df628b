//! Decompositions as a family of methods: parameters, fitting, and their part of the model file.

use crate::door::in_rows;
use crate::file::{Reader, Writer};
use crate::model::Fitted;
use crate::registry::{Recipe, Role, Run, complete, fit_base};
use imbcore_base::{Classifier, Dataset, Error, Label, Result, Schema, SeedKey, params, rarest};
use imbcore_ensemble::decompose::{CodeBook, CodeSize, Decoding, Decomposed, Member, fit_members};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Seed tag of a random code book.
const CODE: u32 = 31;

/// Most members of a model file: pairs of 256 classes.
const MOST_MEMBERS: usize = 1 << 15;

/// Most classes for which `code="auto"` is the exhaustive code.
const MOST_EXHAUSTIVE: usize = 8;

/// A code book as a user asks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Code {
    Named(CodeName),
    Matrix(Vec<Vec<u8>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CodeName {
    Auto,
    Exhaustive,
    Random,
}

/// Length of a random code as a user asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CodeLength {
    Columns(u32),
    Named(LengthName),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LengthName {
    Dense,
}

params! {
    /// Parameters of one-against-all.
    #[allow(missing_docs)]
    pub struct OvaParams {
        estimator: String = "hddt".into(), "the name of a method that is no decomposition itself",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; the others take the defaults of their method.";
        decoding: Decoding = Decoding::Normalise, "\"normalise\" or \"sum\"",
            "How members' probabilities become one law: divided by their sum, or scored with those of the complements.";
    }
}

params! {
    /// Parameters of output codes.
    #[allow(missing_docs)]
    pub struct EcocParams {
        estimator: String = "hddt".into(), "the name of a method that is no decomposition itself",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; the others take the defaults of their method.";
        code: Code = Code::Named(CodeName::Auto),
            "\"auto\", \"exhaustive\", \"random\", or a list of rows of 0 and 1, one row a class",
            "Code book; \"auto\" is exhaustive for up to 8 classes without code_size, else random.";
        code_size: Option<CodeLength> = None, "a whole number of at least 1, \"dense\", or None",
            "Columns of a random code; None: twice the number of classes, \"dense\": ten times its binary logarithm.";
        decoding: Decoding = Decoding::Sum, "\"sum\", \"log\" or \"hamming\"",
            "How members' probabilities become one law: summed, their logarithms summed, or rounded and summed.";
    }
}

params! {
    /// Parameters of pairs.
    #[allow(missing_docs)]
    pub struct OvoParams {
        estimator: String = "hddt".into(), "the name of a method that is no decomposition itself",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; the others take the defaults of their method.";
        decoding: Decoding = Decoding::Coupling, "\"coupling\" or \"vote\"",
            "How members' probabilities become one law: coupled (Wu, Lin and Weng 2004), or the share of pairs won.";
    }
}

/// What a decomposition needs besides its base method.
pub(crate) struct Plan {
    pub(crate) book: CodeBook,
    pub(crate) decoding: Decoding,
}

fn check_decoding(method: &str, decoding: Decoding, allowed: &[Decoding], expected: &str) -> Result<()> {
    if allowed.contains(&decoding) {
        return Ok(());
    }
    let got = serde_json::to_string(&decoding).unwrap_or_default();
    Err(Error::parameter(method, "decoding", expected, got))
}

/// All parameters of the base method of `method`.
pub(crate) fn complete_base(
    method: &str,
    base: &str,
    given: Option<&Map<String, Value>>,
    refused: &[Role],
) -> Result<Option<Map<String, Value>>> {
    let (all, role) = complete(base, given.unwrap_or(&Map::new()))?;
    if refused.contains(&role) {
        let expected = "a method that learns by itself";
        return Err(Error::parameter(method, "estimator", expected, format!("\"{base}\"")));
    }
    Ok(Some(all))
}

/// Code books by method; both doors, the native methods and the Python classes, come through here.
pub(crate) trait Decomposition {
    fn plan(&self, method: &str, n_classes: usize, key: SeedKey) -> Result<Plan>;
}

impl Decomposition for OvaParams {
    fn plan(&self, method: &str, n_classes: usize, _key: SeedKey) -> Result<Plan> {
        let allowed = [Decoding::Normalise, Decoding::Sum];
        check_decoding(method, self.decoding, &allowed, "\"normalise\" or \"sum\"")?;
        Ok(Plan { book: CodeBook::one_vs_all(n_classes)?, decoding: self.decoding })
    }
}

impl Decomposition for EcocParams {
    fn plan(&self, method: &str, n_classes: usize, key: SeedKey) -> Result<Plan> {
        let allowed = [Decoding::Sum, Decoding::Log, Decoding::Hamming];
        check_decoding(method, self.decoding, &allowed, "\"sum\", \"log\" or \"hamming\"")?;
        let size = match self.code_size {
            None => CodeSize::Default,
            Some(CodeLength::Columns(columns)) => CodeSize::Columns(columns as usize),
            Some(CodeLength::Named(LengthName::Dense)) => CodeSize::Dense,
        };
        let sized = self.code_size.is_some();
        let random = || CodeBook::random(n_classes, size, key.child(CODE, 0));
        let book = match &self.code {
            Code::Named(CodeName::Random) => random()?,
            Code::Named(CodeName::Auto) if sized || n_classes > MOST_EXHAUSTIVE => random()?,
            Code::Named(CodeName::Exhaustive) | Code::Matrix(_) if sized => {
                return Err(Error::parameter(
                    method,
                    "code_size",
                    "None unless the code is random",
                    "a length",
                ));
            }
            Code::Named(CodeName::Auto | CodeName::Exhaustive) => CodeBook::exhaustive(n_classes)?,
            Code::Matrix(rows) => CodeBook::given(rows, n_classes)?,
        };
        Ok(Plan { book, decoding: self.decoding })
    }
}

impl Decomposition for OvoParams {
    fn plan(&self, method: &str, n_classes: usize, _key: SeedKey) -> Result<Plan> {
        let allowed = [Decoding::Coupling, Decoding::Vote];
        check_decoding(method, self.decoding, &allowed, "\"coupling\" or \"vote\"")?;
        Ok(Plan { book: CodeBook::pairs(n_classes)?, decoding: self.decoding })
    }
}

macro_rules! decomposition_recipes {
    ($($params:ty),*) => {$(
        impl Recipe for $params {
            const ROLE: Role = Role::Decomposition;

            fn complete(mut self, method: &'static str) -> Result<Self> {
                let refused = [Role::Decomposition, Role::Costly];
                self.estimator_params = complete_base(method, &self.estimator, self.estimator_params.as_ref(), &refused)?;
                Ok(self)
            }

            fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
                let plan = self.plan(method, run.data.n_classes(), run.key)?;
                fit(plan, (&self.estimator, &self.estimator_params.unwrap_or_default()), run)
            }
        }
    )*};
}

decomposition_recipes!(OvaParams, EcocParams, OvoParams);

/// Weight of every row with that of its class in it; None where both are absent.
pub(crate) fn row_weights(data: &Dataset<'_>, class_weight: Option<&[f64]>) -> Option<Vec<f64>> {
    let classes = data.classes().iter().enumerate();
    match class_weight {
        None => data.weights().map(<[f64]>::to_vec),
        Some(of) => Some(classes.map(|(row, &class)| data.weight(row) * of[class as usize]).collect()),
    }
}

fn fit(plan: Plan, base: (&str, &Map<String, Value>), run: Run<'_, '_>) -> Result<Fitted> {
    let Run { data, class_weight, key, constant, ctl, .. } = run;
    // Members know two sides only, so the weights of the classes go into those of the rows.
    let weights = row_weights(data, class_weight.as_deref());
    let data = Dataset::new(data.frame().clone(), data.classes(), data.n_classes(), weights.as_deref())?;
    // A member is a fit of its own, as it is where its estimator is fitted from Python.
    let members = fit_members(&plan.book, &data, key, ctl, |data, key, ctl| {
        // The sides of a column bear no labels.
        let positive = rarest(&data.class_masses());
        in_rows(None, (None, None), data, |_, data| {
            let (class_weight, costs) = (None, None);
            fit_base(base.0, base.1, Run { data, class_weight, costs, positive, key, constant, ctl })
        })
    })?;
    Ok(Fitted::Decomposed(Decomposed::new(plan.book, plan.decoding, members, data.class_shares())?))
}

pub(crate) fn write(model: &Decomposed<Fitted>, file: &mut Writer) -> Result<()> {
    let text = |value: &Decoding| serde_json::to_vec(value).map_err(|e| Error::Internal(e.to_string()));
    let cells: Vec<u8> = model.book().cells().iter().map(|cell| cell.cast_unsigned()).collect();
    file.u8s("decomposed.book", &cells);
    file.u8s("decomposed.decoding", &text(&model.decoding())?);
    file.f64s("decomposed.shares", model.shares());
    let constant = |member: &Member<Fitted>| match member {
        Member::Fitted(_) => f64::NAN,
        Member::Constant(p) => *p,
    };
    file.f64s("decomposed.constant", &model.members().iter().map(constant).collect::<Vec<_>>());
    let mut parts = Vec::with_capacity(model.members().len());
    let mut kind = "";
    for member in model.members() {
        let mut part = Writer::new();
        if let Member::Fitted(fitted) = member {
            kind = fitted.kind();
            fitted.write(&mut part)?;
        }
        parts.push(part);
    }
    file.u8s("decomposed.kind", kind.as_bytes());
    file.join(&parts)
}

pub(crate) fn read(file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<Decomposed<Fitted>> {
    let damaged =
        |error: &dyn std::fmt::Display| Error::Format(format!("the model file is damaged: {error}"));
    let cells = file.u8s("decomposed.book")?.into_iter().map(u8::cast_signed).collect();
    let book = CodeBook::new(cells, schema.classes.len()).map_err(|error| damaged(&error))?;
    let decoding =
        serde_json::from_slice(&file.u8s("decomposed.decoding")?).map_err(|error| damaged(&error))?;
    let constants = file.f64s("decomposed.constant")?;
    if constants.len() != book.n_columns() || constants.len() > MOST_MEMBERS {
        return Err(damaged(&"it has not one member for each column"));
    }
    if file.method() == file.own_method() {
        return Err(damaged(&"it does not say of which method its members are"));
    }
    let kind = String::from_utf8(file.u8s("decomposed.kind")?).map_err(|error| damaged(&error))?;
    // Members of members would let a file call the reader ever deeper.
    if kind == "decomposed" {
        return Err(damaged(&"its members are decompositions themselves"));
    }
    let sides = Schema { classes: vec![Label::Int(0), Label::Int(1)], ..schema.clone() };
    let member = |(index, p): (usize, f64)| {
        if !p.is_nan() {
            return Ok(Member::Constant(p));
        }
        let fitted = Fitted::read(&kind, &file.member(index)?, params, &sides)?;
        match fitted.n_classes() {
            2 => Ok(Member::Fitted(fitted)),
            n => Err(damaged(&format!("a member has {n} classes instead of 2"))),
        }
    };
    let members = constants.into_iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
    Decomposed::new(book, decoding, members, file.f64s("decomposed.shares")?)
}
