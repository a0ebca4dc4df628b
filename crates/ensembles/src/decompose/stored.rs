//! Serialization of decompositions: the arrays of all members are concatenated.

use super::code_book::CodeBook;
use super::model::{ClassDecomposition, ColumnPredictor};
use imbcore_core::{ArrayReader, ArrayWriter, Classifier, Error, Label, Persist, Result, Schema};

/// Maximum number of members in a model file; 256 classes have 32,640 pairs.
const MOST_MEMBERS: usize = 1 << 15;

impl<M: Classifier + Persist> Persist for ClassDecomposition<M> {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let cells: Vec<u8> = self.book().cells().iter().map(|cell| cell.cast_unsigned()).collect();
        file.write_u8s("decomposed.book", &cells);
        file.write_json("decomposed.decoding", &self.decoding())?;
        file.write_f64s("decomposed.shares", self.class_proportions());
        let constant = |member: &ColumnPredictor<M>| match member {
            ColumnPredictor::Fitted(_) => f64::NAN,
            ColumnPredictor::Constant(p) => *p,
        };
        file.write_f64s("decomposed.constant", &self.members().iter().map(constant).collect::<Vec<_>>());
        let mut parts = Vec::with_capacity(self.members().len());
        for member in self.members() {
            let mut part = ArrayWriter::default();
            if let ColumnPredictor::Fitted(fitted) = member {
                fitted.write(&mut part)?;
            }
            parts.push(part);
        }
        file.append_models(&parts)
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let cells = file.read_u8s("decomposed.book")?.into_iter().map(u8::cast_signed).collect();
        let book = CodeBook::new(cells, schema.classes.len()).map_err(Error::damaged)?;
        let constants = file.read_f64s("decomposed.constant")?;
        if constants.len() != book.n_columns() || constants.len() > MOST_MEMBERS {
            return Err(Error::damaged("its numbers of members and columns differ"));
        }
        let sides = Schema { classes: vec![Label::Int(0), Label::Int(1)], ..schema.clone() };
        let member = |(index, p): (usize, f64)| {
            if !p.is_nan() {
                return Ok(ColumnPredictor::Constant(p));
            }
            let fitted = M::read(&file.member_arrays(index)?, &sides)?;
            match fitted.n_classes() {
                2 => Ok(ColumnPredictor::Fitted(fitted)),
                n => Err(Error::damaged(format!("a member has {n} classes instead of 2"))),
            }
        };
        let members = constants.into_iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
        Self::new(book, file.read_json("decomposed.decoding")?, members, file.read_f64s("decomposed.shares")?)
    }
}
