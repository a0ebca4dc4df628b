"""Format of text tables: separator, decimal mark, thousands, missing values, dates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from imbcore._validation.arguments import argument_names_of, suggest_closest_name
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError

# Fields that mean a missing value in every column.
MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
# Options that apply only to text files.
_OF_TEXT = ("separator", "decimal", "thousands", "na_values", "encoding")
# Names of all reading options of the public functions.
READING = (*_OF_TEXT, "dates", "date_format")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Format of text files; None infers it from the file.

    Parameters
    ----------
    separator, decimal, thousands, encoding : str or None
        As in :func:`imbcore.fit`.
    na_values : tuple of str
        Fields that mean a missing value, in addition to the usual ones.
    dates : tuple of str
        Date columns, read as days since 1970-01-01.
    date_format : str or None
        Format of dates, as in ``datetime.strptime``; None means ISO 8601.
    header : bool
        Whether the first line has names.
    missing : tuple of str
        The usual fields that mean a missing value.
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
    def pop_options(cls, given: dict[str, Any]) -> TextFormat:
        """Remove the reading options from the arguments of a function."""
        return cls.from_options({name: given.pop(name) for name in READING if name in given})

    @classmethod
    def from_options(
        cls, given: Mapping[str, Any], function: Callable[..., Any] | None = None, owner: str = "imbcore"
    ) -> TextFormat:
        """Validate reading options.

        Parameters
        ----------
        given : mapping
            The options.
        function : callable or None
            Function with ``**reading`` that the user called, for the message about an unknown argument.
        owner : str
            Class or package of the function.

        Raises
        ------
        ParameterError
            An option has a wrong type or is unknown.
        """
        unknown = next((name for name in given if name not in READING), None)
        if unknown is not None:
            arguments = (*(() if function is None else argument_names_of(function)), *READING)
            hint = suggest_closest_name(unknown, arguments) or f"; it takes {', '.join(arguments)}"
            who = "the format of text" if function is None else f"{owner}.{function.__name__}"
            raise ParameterError(f"{who} has no argument `{unknown}`{hint}")
        checked: dict[str, Any] = {}
        for name, value in given.items():
            if name in ("na_values", "dates"):
                checked[name] = _to_text_tuple(name, value)
            elif value is None or isinstance(value, str):
                checked[name] = value
            else:
                raise ParameterError(f"{name} must be text or None, got {value_text(value)}")
        return cls(**checked)

    @property
    def named(self) -> list[str]:
        """Names of the options that differ from the defaults."""
        plain = TextFormat()
        names = [field.name for field in fields(self)]
        return [name for name in names if getattr(self, name) != getattr(plain, name)]

    def reject_unsupported_options(self, what: str, *, allowed: Iterable[str] = ()) -> None:
        """Reject options that do not apply to the input.

        Raises
        ------
        ParameterError
            An option outside ``allowed`` was given.
        """
        wrong = [name for name in self.named if name not in allowed]
        if wrong:
            raise ParameterError(f"{wrong[0]} applies only to text files, not to {what}; leave it out")

    def native(self) -> dict[str, Any]:
        """Return the options of the native reader."""
        return {
            "separator": self.separator,
            "decimal": self.decimal,
            "thousands": self.thousands,
            "encoding": self.encoding,
            "has_header": self.header,
            "missing": [*self.missing, *self.na_values],
        }


# Default format.
PLAIN = TextFormat()


def _to_text_tuple(name: str, value: Any) -> tuple[str, ...]:
    """Return one or several texts as a tuple; numbers become text."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable):
        words = [word if isinstance(word, str) else _na_value_to_text(name, word) for word in value]
        return tuple(dict.fromkeys(words))
    return (_na_value_to_text(name, value),)


def _na_value_to_text(name: str, value: Any) -> str:
    number = value.item() if isinstance(value, np.number) else value
    if name == "na_values" and isinstance(number, (int, float)) and not isinstance(number, bool):
        return repr(number)
    raise ParameterError(f"{name} must be a list of text, such as ['n.d.'], got {value_text(value)}")
