"""Format of text tables: separator, decimal sign, thousands, missing marks, encoding and dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from imbcore.exceptions import ParameterError

__all__ = ["MISSING_WORDS", "PLAIN", "READING", "TextFormat"]

# Fields that stand for a missing value in every column.
MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
# Options that describe text files only.
_OF_TEXT = ("separator", "decimal", "thousands", "na_values", "encoding")
# Names of all options of reading, as entry points take them.
READING = (*_OF_TEXT, "dates", "date_format")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Format of text files; None finds what the file shows.

    Parameters
    ----------
    separator, decimal, thousands, encoding : str or None
        As in :func:`imbcore.fit`.
    na_values : tuple of str
        Fields that stand for a missing value, beside the usual ones.
    dates : tuple of str
        Columns of dates that are read as days since 1970-01-01.
    date_format : str or None
        How dates are written, as ``datetime.strptime`` reads it; None reads ISO 8601.
    header : bool
        Whether the first line holds names.
    missing : tuple of str
        The usual fields that stand for a missing value.
    """

    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    na_values: tuple[str, ...] = ()
    encoding: str | None = None
    dates: tuple[str, ...] = ()
    date_format: str | None = None
    header: bool = True
    missing: tuple[str, ...] = MISSING_WORDS

    @classmethod
    def taken(cls, given: dict[str, Any]) -> TextFormat:
        """Take the options of reading out of what an entry point was given."""
        return cls.of({name: given.pop(name) for name in READING if name in given})

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> TextFormat:
        """Check options of reading.

        Raises
        ------
        ParameterError
            An option is of a wrong type, or there is no such option.
        """
        unknown = sorted(given.keys() - set(READING))
        if unknown:
            raise ParameterError(f"there is no parameter {unknown[0]!r}; reading takes {', '.join(READING)}")
        checked: dict[str, Any] = {}
        for name, value in given.items():
            if name in ("na_values", "dates"):
                checked[name] = _names(name, value)
            elif value is None or isinstance(value, str):
                checked[name] = value
            else:
                raise ParameterError(f"{name} must be text or None, got {value!r}")
        return cls(**checked)

    @property
    def named(self) -> list[str]:
        """Names of the options that were given."""
        plain = TextFormat()
        names = [field.name for field in fields(self)]
        return [name for name in names if getattr(self, name) != getattr(plain, name)]

    def refuse_beside(self, what: str, *, allowed: Iterable[str] = ()) -> None:
        """Refuse options that say nothing about what is read.

        Raises
        ------
        ParameterError
            An option was given that is not among ``allowed``.
        """
        wrong = [name for name in self.named if name not in allowed]
        if wrong:
            raise ParameterError(f"{wrong[0]} describes text files, and {what} is none; leave it out")

    def native(self) -> dict[str, Any]:
        """Give the entries that the native reader takes."""
        return {
            "separator": self.separator,
            "decimal": self.decimal,
            "thousands": self.thousands,
            "encoding": self.encoding,
            "has_header": self.header,
            "missing": [*self.missing, *self.na_values],
        }


# The format of a file about which nothing was said.
PLAIN = TextFormat()


def _names(name: str, value: Any) -> tuple[str, ...]:
    """Read one word or several; numbers among missing marks are words, too."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable):
        words = [word if isinstance(word, str) else _word(name, word) for word in value]
        return tuple(dict.fromkeys(words))
    return (_word(name, value),)


def _word(name: str, value: Any) -> str:
    if name == "na_values" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    raise ParameterError(f"{name} must be a list of text, such as ['n.d.'], got {value!r}")
