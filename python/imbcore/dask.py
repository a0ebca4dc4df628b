"""Fits on a Dask cluster: rows stay with the workers, the model is one machine's.

Which rows a tree sees follows from the seed and the numbers of rows of the classes alone. So a first round of
tasks counts the labels of every partition, a second keeps of every partition the rows that some tree sees,
and the trees themselves are tasks. Where trees see all rows but need only bins, the second round keeps what
bins are made of, a third turns every partition into codes, a byte a value, and all codes go to every worker.
Of what networks learn from, the second round counts the values of every column, and the third the rows by the
states of their columns; counts are added up in a tree.
Fast Boxes ask about all rows some times, one question after the other; each is put to the workers, who answer
with sums over blocks of rows, and the client adds those up in the order of the rows.
Each task is a function of what it is given: one that is repeated, because its worker died, gives the same
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from imbcore._border import native
from imbcore._border.options import Callback, Options
from imbcore._coded.cluster import CodedPart, CodedPlan, CodedRows, Parts, SketchedPart
from imbcore._drawn.asked import Asked
from imbcore._drawn.census import Census, Counted, Roles
from imbcore._drawn.cluster import Session, client_of, roles_in
from imbcore._drawn.forest import Plan, n_trees, planned
from imbcore._drawn.gather import Gathered, Rows
from imbcore._drawn.partitions import CountedPart, PassedPartitions, checksum_of, named_partition
from imbcore._input.options import described, settled
from imbcore._input.schema import Schema
from imbcore._input.unicode import to_arrow
from imbcore._model.model import Model
from imbcore._sources.arrow import pyarrow
from imbcore._streamed.cluster import CountedPlan, CountsOfAll, States, Tally
from imbcore._streamed.summed import Lie, SummedPlan
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

__all__ = ["fit"]

# Tasks that grow trees, for each thread of the cluster: more of them even out trees of unlike size.
_TASKS = 4
# What bins are made of is joined in a tree, so many parts at a time: of a thousand nobody holds all.
_FAN_IN = 8


@described
def fit(
    data: Any,
    y: str,
    method: str = "balanced_random_forest",
    *,
    sample_weight_column: str | None = None,
    columns: Sequence[str] | None = None,
    client: Any = None,
    **parameters: Any,
) -> Model:
    """Fit a forest, a committee, a network, boxes or a method that reads bins on a Dask cluster.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
        Rows, in the order of the partitions. It is computed twice (three times for bins and
        networks, five times for boxes), the first time for
        the labels alone; what is persisted is not read again.
    y : str
        Column that holds the labels.
    method : str, default="balanced_random_forest"
        A forest whose trees see at most a quarter of the rows each: also other forests with ``max_samples``.
        Or a committee of such members, ``"under_bagging"``, ``"balanced_bagging"``, ``"easy_ensemble"``, or
        ``"bagging"`` with ``max_samples``, which one worker fits.
        Or a tree or forest with ``max_bins``, or ``"boosted_trees"``, whose rows as bytes must fit into the
        memory of every worker.
        Or ``"naive_bayes"``, ``"tan"``, ``"kdb"``, ``"aode"`` or ``"full_bayes"``, whose rows as states
        must fit into the memory of one. Or ``"fast_boxes"``, whose rows of the positive class must fit into
        the memory of the client.
    sample_weight_column : str or None
        Column that holds the weights of the rows.
    columns : sequence of str or None
        Features; all other columns where None.
    client : distributed.Client or None
        Client of the cluster; the one in use where None.
    **parameters
        Parameters of the method.

    Returns
    -------
    Model
        The model that ``imbcore.fit`` gives on one machine for the same rows and ``random_state``, to the
        last byte, whatever the partitions and workers are.

    Raises
    ------
    UnsupportedError
        The method learns from all rows at once, or an option needs them.
    DataError, ParameterError
        As :func:`imbcore.fit`.
    ImportError
        Dask is missing: ``pip install imbcore[dask]``.

    Examples
    --------
    >>> import imbcore.dask
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> client = Client(n_workers=2, threads_per_worker=1)  # doctest: +SKIP
    >>> model = imbcore.dask.fit(payments, y="fraud", random_state=0)  # doctest: +SKIP
    """
    session = Session(client_of(client))
    given = settled(parameters)
    if given["sample_weight"] is not None:
        raise ParameterError("rows lie with the workers: name the column of weights in sample_weight_column")
    roles = roles_in(data, (y, sample_weight_column, columns), given)
    refusals: dict[str, None] = {}
    # Says less than any other refusal.
    bare = f"{method} needs all rows in memory"
    with closing(session):
        counted, before = _counted(session, _few(data, roles), roles, method)
        asked = Asked(method, parameters, given, counted)
        for road in (_fit_counted, _fit_drawn, _fit_coded, _fit_summed):
            try:
                return Model(road(session, data[roles.all], before, asked), counted.schema)
            except UnsupportedError as error:
                refusals[str(error)] = None
    reasons = "; ".join([reason for reason in refusals if reason != bare] or [bare])
    raise UnsupportedError(
        f"{reasons}. imbcore.fit(data, y={y!r}, ...) "
        "reads partitions on the client: one by one for methods that learn from pieces, and "
        "for others all of them, where they fit into memory"
    )


class _Grower(Protocol):
    """What fits a model to rows that were prepared."""

    def grown(self, rows: Any, trees: tuple[int, int] | None) -> bytes:
        """Fit it, or the trees of these numbers."""


@dataclass(frozen=True)
class _Before:
    """Before each partition: rows with weight by class and in all; and the content of the partitions."""

    ranks: list[list[int]]
    starts: list[int]
    passed: PassedPartitions


def _fit_counted(session: Session, data: Any, before: _Before, asked: Asked) -> native.models.Model:
    """Fit a method that learns from counts."""
    asked.check_options()
    method, text, counted = asked.method, asked.text, asked.counted
    with asked.parcels() as (training, options):
        quiet = _quiet(options, asked.given)
        plan = CountedPlan(method, text, training, quiet, counted.roles, counted.schema)
        return _grown(session, _summed(session, data, plan, before.passed), plan, None, options.callback)


def _fit_drawn(session: Session, data: Any, before: _Before, asked: Asked) -> native.models.Model:
    """Fit a forest to the rows that some tree sees."""
    with planned(asked) as plan:
        rows = _gathered(session, data, before, plan, asked.counted.roles)
        grower = _OfDrawn(replace(plan, options=_quiet(plan.options, asked.given), drawn=[]))
        n = n_trees(plan.method, plan.parameters)
        return _grown(session, rows, grower, n, plan.options.callback)


def _fit_coded(session: Session, data: Any, before: _Before, asked: Asked) -> native.models.Model:
    """Fit a method to the bins of all rows."""
    method, text, counted = asked.method, asked.text, asked.counted
    with asked.parcels() as (training, options):
        quiet = _quiet(options, asked.given)
        plan = CodedPlan(method, text, training, quiet, counted.roles, counted.schema)
        rows = _coded(session, data, before, plan)
        n = n_trees(method, text)
        return _grown(session, rows, plan, n, options.callback)


def _fit_summed(session: Session, data: Any, before: _Before, asked: Asked) -> native.models.Model:
    """Fit a method that learns from sums over blocks of rows."""
    asked.check_options()
    method, text, counted = asked.method, asked.text, asked.counted
    with asked.parcels() as (training, options):
        quiet = _quiet(options, asked.given)
        plan = SummedPlan(method, text, training, quiet, counted.roles, counted.schema)
        lie = Lie.of(before.starts, int(counted.masses.sum()))

        def ask(question: bytes, in_turn: bool) -> list[bytes]:
            answers = _answers(data, (lie, before.passed), plan, question, in_turn)
            tasks = session.compute(answers[-1:] if in_turn else answers)
            _tell(tasks, "answers", options.callback)
            found: list[bytes] = session.gather(tasks)
            return found

        return plan.fitted(ask, options)


def _quiet(options: Options, given: Mapping[str, Any]) -> Options:
    """Give tasks as many threads as were asked for, or one, and nobody to tell."""
    return replace(options, n_threads=int(given["n_threads"] or given["n_jobs"] or 1), callback=None)


def _counted(session: Session, data: Any, roles: Roles, who: str) -> tuple[Counted, _Before]:
    """Count all partitions; before each of them, rows with weight of every class, and of all."""
    from dask.delayed import delayed

    parts = data.to_delayed()
    none = CountedPart(Census())
    if roles.weight is None:
        counted = [delayed(_count)(part, at, none, roles, who) for at, part in enumerate(parts)]
    else:
        # Sums of weights are those of one machine if they are added up in the order of the rows.
        counted, last = [], none
        for at, part in enumerate(parts):
            last = delayed(_count)(part, at, last, roles, who)
            counted.append(last)
    found: list[CountedPart] = session.gather(session.compute(counted))
    whole, states = Census(), []
    for part in found:
        states.append(list(whole.facts))
        whole = whole if roles.weight is None else part.census
        if roles.weight is None:
            whole.join(part.census)
    if not whole.labels:
        raise DataError("the Dask DataFrame has no rows")
    sums = whole.counted(roles, who)
    order = [whole.places[label] for label in sums.schema.classes.tolist()]
    ranks = [[state[place][1] if place < len(state) else 0 for place in order] for state in states]
    starts = [sum(facts[1] for facts in state) for state in states]
    return sums, _Before(ranks, starts, PassedPartitions.from_counts(roles.first, found))


def _few(data: Any, roles: Roles) -> Any:
    """Choose the columns of the first round: all, where Dask would join partitions of few columns."""
    first, rest = data[roles.first], data[roles.all]
    return first if len(first.to_delayed()) == len(rest.to_delayed()) else rest


def _count(part: Any, at: int, before: CountedPart, roles: Roles, who: str) -> CountedPart:
    """Count the rows of a partition behind those counted before."""
    from copy import deepcopy

    census = deepcopy(before.census)
    with named_partition(at):
        census.add(_table(part), roles, who)
    return CountedPart(census, len(part), checksum_of(part, roles.first))


def _table(part: Any) -> Any:
    with to_arrow():
        return pyarrow("Dask DataFrames").Table.from_pandas(part, preserve_index=False)


def _gathered(session: Session, data: Any, before: _Before, plan: Plan, roles: Roles) -> Any:
    """Have every partition keep its drawn rows, and one worker join them; the driver sees none."""
    from dask.delayed import delayed

    ranks_before, sent = before.ranks, delayed(before.passed)
    ends = [*ranks_before[1:], [len(ranks) and int(ranks[-1]) + 1 for ranks in plan.drawn]]
    kept = []
    for at, (part, start, end) in enumerate(zip(data.to_delayed(), ranks_before, ends, strict=True)):
        ranks = [
            drawn[slice(*np.searchsorted(drawn, [low, max(low, high)]))]
            for drawn, low, high in zip(plan.drawn, start, end, strict=True)
        ]
        gathered = Gathered(roles, plan.schema, ranks, plan.method)
        gathered.before = list(start)
        kept.append(delayed(_keep)(part, at, gathered, sent))
    return session.compute(delayed(_join)(kept, plan.schema))


def _keep(part: Any, at: int, gathered: Gathered, passed: PassedPartitions) -> Rows:
    """Keep the drawn rows of a partition."""
    from copy import deepcopy

    own = deepcopy(gathered)
    with passed.checked(part, at):
        own.add(_table(part))
    return own.rows()


def _join(parts: list[Rows], schema: Schema) -> Rows:
    """Join the rows of all partitions in their order."""
    return Rows.joined(parts, schema)


@dataclass(frozen=True)
class _OfDrawn:
    """Trees on the rows that some tree of a forest sees."""

    plan: Plan

    def grown(self, rows: Rows, trees: tuple[int, int] | None) -> bytes:
        """Grow the trees of these numbers."""
        plan, door = self.plan, (False, None, trees or False)
        training = plan.training_of(rows.aligned())
        return native.models.fit(plan.method, plan.parameters, training, door, plan.options).to_bytes()


def _summed(session: Session, data: Any, plan: CountedPlan, passed: PassedPartitions) -> Any:
    """Have the workers count values, and rows by their states, and add counts up; the driver sees none."""
    from dask.delayed import delayed
    from distributed import wait

    # Says here what the method cannot do.
    plan.fresh()
    sent = delayed(plan)
    values = session.compute(_tree(_each(data, _tallied, plan, passed), sent))
    states = session.submit(_states, values, plan)
    # A partition that waits for states would be held; it is read again instead.
    wait(states)
    rows = _tree(_each(data, _in_states, plan, passed, states), sent)
    return session.compute(delayed(CountsOfAll)(values, states, rows))


def _tree(parts: list[Any], plan: Any) -> Any:
    """Join parts in a tree, so that nobody holds many."""
    from dask.delayed import delayed

    while len(parts) > 1:
        groups = [parts[at : at + _FAN_IN] for at in range(0, len(parts), _FAN_IN)]
        parts = [delayed(_merged)(plan, group) for group in groups]
    return parts[0]


def _tallied(part: Any, plan: CountedPlan, passed: PassedPartitions, partition_info: dict[str, Any]) -> Tally:
    """Count the values of a partition."""
    with passed.checked(part, partition_info["number"]):
        return plan.tallied(_table(part))


def _states(values: Tally, plan: CountedPlan) -> States:
    """Learn the states of all columns."""
    return plan.learnt(values)


def _in_states(
    part: Any,
    plan: CountedPlan,
    passed: PassedPartitions,
    states: States,
    partition_info: dict[str, Any],
) -> Tally:
    """Count the rows of a partition by their states."""
    with passed.checked(part, partition_info["number"]):
        return plan.coded(_table(part), states)


def _each(data: Any, work: Callable[..., Any], *given: Any) -> list[Any]:
    """Have workers do a work where they read each partition: a task of its own could go to another worker."""
    from dask.delayed import delayed

    parts, sent = data.to_delayed(), [delayed(one) for one in given]
    done = data.map_partitions(work, *sent, meta=(None, object), enforce_metadata=False)
    tasks: list[Any] = done.to_delayed()
    if len(tasks) == len(parts):
        return tasks
    # Dask would read small partitions together, which then have other numbers.
    numbers = [{"partition_info": {"number": at}} for at in range(len(parts))]
    return [delayed(work)(part, *sent, **named) for part, named in zip(parts, numbers, strict=True)]


def _answers(
    data: Any,
    where: tuple[Lie, PassedPartitions],
    plan: SummedPlan,
    question: bytes,
    in_turn: bool,
) -> list[Any]:
    """Have those who hold the rows answer a question; one that goes round in turn, one after the other."""
    from dask.delayed import delayed

    # What a partition is cut into is kept by nobody: it is read again for the next question.
    cut = _each(data, _cut, plan, None if in_turn else question, *where)
    sent, put = delayed(plan), delayed(question)
    answers: list[Any] = []
    for first, places in where[0].blocks:
        before = answers[-1] if in_turn and answers else None
        answers.append(delayed(_answer)(sent, put, [cut[at][first] for at, _, _ in places], first, before))
    return answers


def _cut(
    part: Any,
    plan: SummedPlan,
    question: bytes | None,
    lie: Lie,
    passed: PassedPartitions,
    partition_info: dict[str, Any],
) -> dict[int, Rows | bytes]:
    """Cut rows out of a partition; answer a question from blocks that are all in it."""
    at = partition_info["number"]
    with passed.checked(part, at):
        return plan.cut(_table(part), at, lie, question)


def _answer(
    plan: SummedPlan, question: bytes, parts: list[Rows | bytes], first: int, before: bytes | None
) -> bytes:
    """Answer a question from some blocks of rows, unless that is done."""
    done = [part for part in parts if isinstance(part, bytes)]
    rows = [part for part in parts if isinstance(part, Rows)]
    return done[0] if done else plan.answer(question, rows, first, before)


def _coded(session: Session, data: Any, before: _Before, plan: CodedPlan) -> Any:
    """Have the workers turn the rows into codes of bins, and one of them join those; the driver sees none."""
    from dask.delayed import delayed
    from distributed import wait

    # Says here what the method cannot do.
    plan.fresh()
    sent = delayed(plan)
    learnt = session.compute(
        delayed(_learnt)(sent, _tree(_each(data, _sketched, plan, before.passed, before.starts), sent))
    )
    # A partition that waits for its codes would be held; it is read again instead.
    wait(learnt)
    bins = session.submit(_bins, learnt)
    return session.compute(delayed(_joined)(sent, _each(data, _in_bins, plan, before.passed, bins), learnt))


def _sketched(
    part: Any,
    plan: CodedPlan,
    passed: PassedPartitions,
    starts: list[int],
    partition_info: dict[str, Any],
) -> SketchedPart:
    """Keep of a partition what bins are made of."""
    at = partition_info["number"]
    with passed.checked(part, at):
        return plan.sketched(_table(part), starts[at])


def _merged(plan: CodedPlan | CountedPlan, parts: list[Any]) -> Any:
    """Join what is kept of some partitions."""
    return plan.merged(parts)


def _learnt(plan: CodedPlan, whole: SketchedPart) -> SketchedPart:
    """Make the bins of all partitions."""
    return plan.learnt(whole)


def _bins(learnt: SketchedPart) -> Parts:
    """Leave what coding does not ask for where it is."""
    return learnt.binning


def _in_bins(
    part: Any, plan: CodedPlan, passed: PassedPartitions, bins: Parts, partition_info: dict[str, Any]
) -> CodedPart:
    """Turn a partition into codes."""
    with passed.checked(part, partition_info["number"]):
        return plan.coded(_table(part), bins)


def _joined(plan: CodedPlan, parts: list[CodedPart], learnt: SketchedPart) -> CodedRows:
    """Join the codes of all partitions."""
    return plan.joined(parts, learnt)


def _grown(
    session: Session, rows: Any, grower: _Grower, n: int | None, tell: Callback | None
) -> native.models.Model:
    """Grow all trees of a forest as tasks, some a task, or another model as one."""
    n_tasks = min(n or 1, _TASKS * max(1, session.n_threads))
    edges = [(n or 0) * at // n_tasks for at in range(n_tasks + 1)]
    # A task, not scattered: what is scattered is gone with the last worker that holds it.
    sent = session.submit(_given, grower)
    parts = [None] if n is None else list(pairwise(edges))
    tasks = [session.submit(_grow, rows, sent, part) for part in parts]
    _tell(tasks, "parts of the model", tell)
    models = [native.models.from_bytes(part) for part in session.gather(tasks)]
    return models[0] if n is None else native.models.merge(models)


def _tell(tasks: Sequence[Any], stage: str, tell: Callback | None) -> None:
    """Wait for tasks, and tell how many are done."""
    from distributed import as_completed

    for done, _ in enumerate(as_completed(tasks), start=1):
        if tell is not None:
            tell(stage, done, len(tasks))


def _given(grower: _Grower) -> _Grower:
    """Hand on what the scheduler keeps."""
    return grower


def _grow(rows: Any, grower: _Grower, trees: tuple[int, int] | None) -> bytes:
    """Grow trees on the rows of the whole model."""
    return grower.grown(rows, trees)
