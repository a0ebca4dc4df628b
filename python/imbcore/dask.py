"""Fits on a Dask cluster; rows stay on the workers, and models equal those of one machine.

The first pass counts the labels of each partition. Forests whose trees read few rows then take only these
rows; trees, forests and boosted trees with bins take all rows as codes, a byte for each value; Bayesian
networks take counts of values and of states; Fast Boxes take sums over blocks of rows. A task that runs
again, because its worker died, gives the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from imbcore._bindings.options import resolve_threads
from imbcore._bindings.parameters import reject_unknown_parameters
from imbcore._model.model import Model
from imbcore._validation.arguments import argument_names_of, name_package_in_errors
from imbcore._validation.options import add_options_to_signature, pop_fit_options
from imbcore._validation.text_format import TextFormat
from imbcore.exceptions import ParameterError, UnsupportedError
from imbcore.streaming.arguments import find_client, find_column_roles, require_dask_frame
from imbcore.streaming.dask import DaskExecutor, DaskSession, scan_metadata
from imbcore.streaming.dependent_parts import GroupAndTimeColumns, add_group_and_time_columns
from imbcore.streaming.fit import fit_in_passes
from imbcore.streaming.request import FitRequest

__all__ = ["fit"]


@add_options_to_signature
def fit(
    data: Any,
    y: str,
    method: str = "balanced_random_forest",
    *,
    sample_weight_column: str | None = None,
    columns: Sequence[str] | None = None,
    groups: Any = None,
    time: Any = None,
    time_gap: Any = None,
    client: Any = None,
    **parameters: Any,
) -> Model:
    """Fit a model on a Dask cluster; see ``method`` for the supported methods.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
        Rows, in the order of the partitions. The data frame is computed three times for methods with bins and
        for Bayesian networks, at least five times for ``"fast_boxes"``, and twice for the other methods.
        Persist it (``data.persist()``) to read its source only once.
    y : str
        Column that holds the labels.
    method : str, default="balanced_random_forest"
        A method of one of these five kinds:

        - Forests in which each tree reads at most a quarter of the rows, because of its sampling or of
          ``max_samples``.
        - Ensembles whose members read at most a quarter of the rows: ``"under_bagging"``,
          ``"balanced_bagging"``, ``"easy_ensemble"``, and ``"bagging"`` with ``max_samples``. One worker fits
          the whole ensemble to the drawn rows.
        - Methods with bins: ``"boosted_trees"``, and trees and forests with ``max_bins``; ``"forest"`` and
          ``"extra_trees"`` also need ``splitter="best"``. All rows, with one byte per feature, must fit into
          the memory of every worker.
        - Bayesian networks: ``"naive_bayes"``, ``"tan"``, ``"kdb"``, ``"aode"`` and ``"full_bayes"``. All
          rows, with their discrete states, must fit into the memory of one worker.
        - Boxes: ``"fast_boxes"``. The rows of the positive class must fit into the memory of the client.
    sample_weight_column : str or None
        Column that holds the weights of the rows.
    columns : sequence of str or None
        Names of the features. None: all columns except the target, the weights, groups and times.
    groups : str, dask.dataframe.Series, dask.array.Array or None
        Group of every row, such as a customer: the name of a column, which is then not a feature, or values
        in the same partitions as ``data``. Bags keep the rows of a group together, as in
        :func:`imbcore.fit`, and so do inner folds that choose the number of boosting rounds. The client keeps
        four bytes for each row. Forests and ensembles without bins support neither groups nor times.
    time : str, dask.dataframe.Series, dask.array.Array or None
        Time of every row: the name of a column, which is then not a feature, or values in the same partitions
        as ``data``. Inner folds then train on earlier rows and test on later rows.
    time_gap : int, timedelta, str, dict or None
        Gap between training and later rows, as in :func:`imbcore.fit`.
    client : distributed.Client or None
        Client of the cluster; None: the current client.
    **parameters
        Parameters of the method.

    Returns
    -------
    Model
        A model with the same bytes as that of ``imbcore.fit`` on one machine, for the same rows and
        ``random_state``. The partitions and workers do not change it. For trees and forests with
        ``max_bins``, the fit on one machine needs ``exact_split_max_rows=0``.

    Raises
    ------
    UnsupportedError
        The method or an option needs all rows at once.
    DataError, ParameterError
        As :func:`imbcore.fit`.
    ImportError
        Dask is missing: ``pip install 'imbcore[dask]'``.

    Examples
    --------
    >>> import imbcore.dask
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> client = Client(n_workers=2, threads_per_worker=1)  # doctest: +SKIP
    >>> model = imbcore.dask.fit(payments, y="fraud", random_state=0)  # doctest: +SKIP
    """
    session = DaskSession(find_client(client))
    text_format, options = TextFormat.pop_options(parameters), pop_fit_options(parameters)
    text_format.reject_unsupported_options(
        "a Dask DataFrame", allowed=("date_format",) if time is not None else ()
    )
    reject_unknown_parameters(method, parameters, argument_names_of(fit))
    if options["sample_weight"] is not None:
        raise ParameterError(
            "the workers have the rows, so sample_weight must not be given; name the column of weights in "
            "sample_weight_column"
        )
    require_dask_frame(data)
    data, related = add_group_and_time_columns(data, groups, time)
    dependence = GroupAndTimeColumns(**related, time_gap=time_gap, date_format=text_format.date_format)
    roles = find_column_roles(data, y, sample_weight_column, columns, options, dependence.names)
    threads = options["n_threads"], options["n_jobs"]
    n_threads = 1 if threads == (None, None) else resolve_threads(*threads)
    with closing(session):
        summary, partitions = scan_metadata(session, data, roles, method, dependence)
        executor = DaskExecutor(session, data[roles.all], partitions, n_threads)
        rows = dependence.merge(partitions.dependent)
        try:
            return Model(fit_in_passes(executor, FitRequest(method, parameters, options, summary, rows)))
        except UnsupportedError as error:
            raise UnsupportedError(
                f"{error}. imbcore.fit(data, y={y!r}, ...) reads partitions on the client: one by one for "
                "methods that learn from batches, and for others all of them, if they fit into memory"
            ) from error


name_package_in_errors(globals())
