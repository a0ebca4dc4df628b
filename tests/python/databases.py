"""Databases for tests that compare the SQL of models with their predictions."""

import csv
import io
import os
import sqlite3
import subprocess
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np
import pytest


def sqlite_rows(query, frame):
    """Rows of a query over a table "rows" in SQLite."""
    with closing(sqlite3.connect(":memory:")) as database:
        frame.to_sql("rows", database, index=False)
        return database.execute(query).fetchall()


@cache
def duckdb_database(duckdb):
    """One in-memory database for all tests: opening one takes longer than a query."""
    return duckdb.connect(config={"threads": 1})


def duckdb_rows(query, frame):
    """Rows of a query over a table "rows" in DuckDB; missing numbers are alternately NULL and NaN."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed; pip install duckdb")
    database = duckdb_database(duckdb).cursor()
    database.register("frame", frame)
    database.execute('CREATE OR REPLACE TABLE "rows" AS SELECT * FROM frame')
    for name in map(quoted, frame.select_dtypes("float64")):
        database.execute(f"UPDATE \"rows\" SET {name} = 'NaN' WHERE {name} IS NULL AND id % 2 = 0")
    return database.execute(query).fetchall()


def quoted(name):
    """A name quoted as in standard SQL."""
    return '"' + name.replace('"', '""') + '"'


def parsed(query, dialect):
    """Parse a query with the grammar of its dialect."""
    sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed; pip install sqlglot")
    return sqlglot.parse_one(query, dialect=dialect, error_level=sqlglot.ErrorLevel.RAISE)


def answers(rows):
    """Predictions from rows whose first column is the row number, in row order."""
    rows = sorted(rows, key=lambda row: row[0])
    assert [row[0] for row in rows] == list(range(len(rows)))
    return [row[1:] for row in rows]


class Postgres:
    """A PostgreSQL server from the system's packages, running during some tests."""

    def __init__(self, folder):
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
        if not programs:
            pytest.skip("no PostgreSQL server is installed; install the package postgresql")
        self._programs, self._folder = programs[-1].parent, folder
        # A server refuses to run as root.
        self._user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._user:
            subprocess.run(["chown", "postgres", folder], check=True)
        data = str(folder / "data")
        self._control = [*self._user, str(self._programs / "pg_ctl"), "-D", data, "-w", "-s"]
        made = subprocess.run(
            [*self._user, str(self._programs / "initdb"), "-D", data, "-E", "UTF8", "--no-locale", "-N"],
            capture_output=True,
            cwd=folder,
        )
        if made.returncode:
            pytest.skip(f"no PostgreSQL server can be started here: {made.stderr.decode()[-200:]}")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        log = str(folder / "log")
        subprocess.run([*self._control, "-o", options, "-l", log, "start"], check=True, cwd=folder)

    def stop(self):
        """Stop the server."""
        subprocess.run([*self._control, "-m", "immediate", "stop"], check=True, cwd=self._folder)

    def rows(self, query, frame):
        """Rows of a query over a table "rows"; booleans are integers, as the documentation requires."""
        types = {"f": "double precision", "i": "bigint", "b": "bigint"}
        columns = [f"{quoted(name)} {types.get(frame[name].dtype.kind, 'text')}" for name in frame]
        lines = [
            ",".join(map(_cell, row))
            for row in frame.astype(object).where(frame.notna(), None).values.tolist()
        ]
        script = [
            'DROP TABLE IF EXISTS "rows";',
            f'CREATE TABLE "rows" ({", ".join(columns)});',
            'COPY "rows" FROM STDIN WITH CSV;',
            *lines,
            "\\.",
            f"COPY ({query}) TO STDOUT WITH CSV;",
        ]
        where = ["-h", str(self._folder), "-d", "postgres", "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*self._user, str(self._programs / "psql"), *where],
            input="\n".join(script) + "\n",
            capture_output=True,
            encoding="utf-8",
            cwd=self._folder,
        )
        assert done.returncode == 0, done.stderr[:2000]
        return [(int(row[0]), *row[1:]) for row in csv.reader(io.StringIO(done.stdout))]


def _cell(value):
    """A cell of CSV: missing values are empty, and text is quoted."""
    if value is None:
        return ""
    if isinstance(value, str):
        return quoted(value)
    return repr(int(value)) if isinstance(value, (bool, np.bool_)) else repr(value)
