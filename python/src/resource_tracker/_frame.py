"""A table as columns: numbers as memory that arrays are made of without a copy, and texts."""
import array
import bisect
from functools import partial
from importlib import import_module
from typing import Any, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple, Union

from ._extension import library as _library

Column = Union[memoryview, Tuple[str, ...]]           # of doubles
_Reader = Callable[[], Column]
TIMES = ("timestamp_seconds", "end_seconds")            # the first of them that a frame has is when its rows were


def _library_for(method: str, name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:                          # it is there, but something that it needs is not
            raise
        raise ImportError(f"{method}() needs {name}, which is not installed: pip install {name}", name=name) from None


class Frame(Mapping[str, Column]):
    """
    Columns by their names.  A column of numbers is a read-only memoryview of doubles: numpy.asarray(frame["seconds"]) copies
    nothing, list() makes floats of it; NaN is a value that is not known.  A column of texts is a tuple.
    """

    def __init__(self, columns: Mapping[str, Union[Column, _Reader]], units: Mapping[str, str], kinds: Mapping[str, str],
                 rows: int) -> None:
        self._columns = dict(columns)                   # a function gets one when it is asked for
        self.units = dict(units)
        self.kinds = dict(kinds)
        self.rows = rows

    def __getitem__(self, name: str) -> Column:
        column = self._columns[name]
        if callable(column):
            column = self._columns[name] = column()
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Frame of {self.rows} rows: {', '.join(self._columns)}>"

    def numbers(self, name: str) -> memoryview:
        """A column of numbers; KeyError: there is none of this name, or it has texts."""
        column = self[name]
        if isinstance(column, tuple):
            raise KeyError(name)
        return column

    def texts(self, name: str) -> Tuple[str, ...]:
        """A column of texts; KeyError as above."""
        column = self[name]
        if not isinstance(column, tuple):
            raise KeyError(name)
        return column

    def row(self, number: int) -> Dict[str, Any]:
        """One row, a value for each column; negative numbers count from the end."""
        if not -self.rows <= number < self.rows:
            raise IndexError(f"row {number} of {self.rows}")
        return {name: column[number] for name, column in self.items()}

    def to_dict(self) -> Dict[str, List[Any]]:
        """Plain lists, as for JSON or a frame of another library."""
        return {name: list(column) for name, column in self.items()}

    def to_numpy(self) -> Dict[str, Any]:
        """An array for each column: of numbers the frame's own memory, read-only; of texts objects."""
        numpy = _library_for("to_numpy", "numpy")
        return {name: numpy.array(column, dtype=object) if isinstance(column, tuple) else numpy.asarray(column)
                for name, column in self.items()}

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of its own memory; the index of one with times is a DatetimeIndex "time", in UTC."""
        pandas = _library_for("to_pandas", "pandas")
        table = pandas.DataFrame(self.to_numpy(), columns=list(self._columns))
        times = next((name for name in TIMES if name in self._columns), None)
        if times:
            table.index = pandas.to_datetime(table[times], unit="s", utc=True).rename("time")
        return table

    def to_polars(self) -> Any:
        """A polars.DataFrame; NaN is null there."""
        polars = _library_for("to_polars", "polars")
        return polars.DataFrame([polars.Series(name, column, dtype=polars.Utf8) if isinstance(column, tuple) else
                                 polars.Series(name, column.tolist(), dtype=polars.Float64).fill_nan(None)
                                 for name, column in self.items()])

    def select(self, numbers: Sequence[int]) -> "Frame":
        """These rows, in this order."""
        columns: Dict[str, Column] = {}
        for name, column in self.items():
            if isinstance(column, tuple):
                columns[name] = tuple(column[number] for number in numbers)
            else:
                columns[name] = memoryview(array.array("d", [column[number] for number in numbers])).toreadonly()
        return Frame(columns, self.units, self.kinds, len(numbers))

    def between(self, begin: float, end: float, instant: str = "timestamp_seconds") -> "Frame":
        """Of rows in order of time those from the first instant after `begin` to the first at or after `end`."""
        instants = self.numbers(instant)
        first = bisect.bisect_right(instants, begin)
        last = min(bisect.bisect_left(instants, end) + 1, self.rows)
        first = min(first, last)
        return Frame({name: column[first:last] for name, column in self.items()}, self.units, self.kinds, last - first)


def empty(name: str) -> Frame:
    """Without rows, with the columns that a record's frame of this name can have."""
    return frame_of(_library.Record(None, name), name)


def _numbers(record: "_library.Record", name: str, column: str) -> memoryview:
    return memoryview(record.column(name, column)).cast("d")


def frame_of(record: "_library.Record", name: str) -> Frame:
    """The frame of a record that was read."""
    described: Sequence[Tuple[str, str, str]] = record.columns(name)
    columns: Dict[str, Union[Column, _Reader]] = dict(record.texts(name))
    for column, _, _ in described:
        columns[column] = partial(_numbers, record, name, column)
    return Frame(columns, {column: unit for column, unit, _ in described}, {column: kind for column, _, kind in described},
                 record.rows(name))
