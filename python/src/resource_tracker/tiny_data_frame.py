"""A table in memory: columns of equal length, CSV, and statistics."""
import csv
import io
from csv import DictReader
from logging import getLogger
from time import sleep
from typing import (Any, Callable, Dict, Iterator, List, NamedTuple, Optional,
                    Union, overload)

from ._web import urlopen

logger = getLogger(__name__)

URL_SECONDS = 10
SHOWN_ROWS = 10

Row = Dict[str, Any]
Columns = Dict[str, List[Any]]


class StatSpec(NamedTuple):
    """One statistic of a column; its name is that of the function."""

    column: str
    agg: Callable[..., Any]
    agg_name: Optional[str] = None
    round: Optional[int] = None


def _cell(text: Any) -> Any:
    """What a cell of a file holds: an int, else a float, else text."""
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            continue
    return text


def _columns_of_rows(rows: List[Row]) -> Columns:
    """Columns in the order in which they are first seen."""
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return {name: [row.get(name) for row in rows] for name in names}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


class TinyDataFrame:
    """Columns of equal length, from a dict of lists, rows, or a CSV file.

    `csv_file_path` may be an address on the web.  A file that cannot be read
    is tried again `retries` times, then it is a RuntimeError.
    """

    def __init__(self, data: Union[Columns, List[Row], None] = None,
                 csv_file_path: Optional[str] = None, retries: int = 0,
                 retry_delay: float = 0.1) -> None:
        if (data is None) == (csv_file_path is None):
            raise AssertionError("either data or csv_file_path is needed")
        if csv_file_path is not None:
            if not isinstance(csv_file_path, str):
                raise AssertionError("csv_file_path must be a str")
            data = self._read_csv(csv_file_path, retries, retry_delay)
        if isinstance(data, dict):
            self._data: Columns = {name: list(values)
                                   for name, values in data.items()}
        else:
            self._data = _columns_of_rows(list(data or []))
        if len({len(values) for values in self._data.values()}) > 1:
            raise ValueError("columns differ in length")

    @classmethod
    def of_columns(cls, columns: Columns) -> "TinyDataFrame":
        """A table of these very lists, which nothing else will change."""
        frame = cls([])
        frame._data = columns
        return frame

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        return list(self._data)

    @staticmethod
    def _read_once(path: str) -> List[Row]:
        if path.startswith(("http://", "https://")):
            with urlopen(path, timeout=URL_SECONDS) as answer:
                text = answer.read().decode("utf-8")
        else:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        rows = []
        for row in DictReader(io.StringIO(text, newline="")):
            if None in row:
                raise ValueError("a row has more cells than the header")
            rows.append({name: _cell(text) for name, text in row.items()})
        return rows

    @classmethod
    def _read_csv(cls, path: str, retries: int, retry_delay: float
                  ) -> List[Row]:
        attempts = retries + 1
        for attempt in range(attempts):
            try:
                return cls._read_once(path)
            except Exception as error:
                reason = error
            if attempt < retries:
                sleep(retry_delay * 2 ** attempt)
        raise RuntimeError(
            f"Failed to read CSV file after {attempts} attempts: {reason}")

    def __len__(self) -> int:
        return len(next(iter(self._data.values()), []))

    @overload
    def __getitem__(self, key: str) -> List[Any]: ...

    @overload
    def __getitem__(self, key: int) -> Row: ...

    @overload
    def __getitem__(self, key: Union[slice, List[str]]
                    ) -> "TinyDataFrame": ...

    def __getitem__(self, key: Union[str, int, slice, List[str]]
                    ) -> Union[List[Any], Row, "TinyDataFrame"]:
        """A column (the list itself), a row, or a part as a table."""
        if isinstance(key, str):
            return self._data[key]
        if isinstance(key, int):
            return {name: values[key] for name, values in self._data.items()}
        if isinstance(key, slice):
            return TinyDataFrame.of_columns({
                name: values[key] for name, values in self._data.items()})
        if isinstance(key, list) and all(isinstance(k, str) for k in key):
            return TinyDataFrame({name: self._data[name] for name in key})
        raise TypeError(f"no such key of a table: {key!r}")

    def __iter__(self) -> Iterator[Row]:
        for index in range(len(self)):
            yield self[index]

    def __setitem__(self, key: str, value: List[Any]) -> None:
        if not isinstance(key, str):
            raise TypeError("the name of a column is a str")
        if self._data and len(value) != len(self):
            raise ValueError(
                f"a column of {len(value)} values for {len(self)} rows")
        self._data[key] = value

    def head(self, n: int = 5) -> "TinyDataFrame":
        """The first rows."""
        return self[:n]

    def tail(self, n: int = 5) -> "TinyDataFrame":
        """The last rows."""
        return self[max(0, len(self) - n):]

    def rename(self, columns: Dict[str, str]) -> "TinyDataFrame":
        """Other names for columns, in place; KeyError if one is absent."""
        for name in columns:
            if name not in self._data:
                raise KeyError(name)
        self._data = {columns.get(name, name): values
                      for name, values in self._data.items()}
        return self

    def to_dict(self) -> List[Row]:
        """The rows."""
        return list(self)

    def to_csv(self, csv_file_path: Optional[str] = None,
               quote_strings: bool = True) -> Optional[str]:
        """Write a CSV file with CRLF; without a path, return its text."""
        text = io.StringIO(newline="")
        quoting = csv.QUOTE_NONNUMERIC if quote_strings else csv.QUOTE_MINIMAL
        writer = csv.writer(text, quoting=quoting)
        writer.writerow(self.columns)
        writer.writerows(zip(*self._data.values()))
        if csv_file_path is None:
            return text.getvalue()
        with open(csv_file_path, "w", encoding="utf-8", newline="") as file:
            file.write(text.getvalue())
        return None

    def stats(self, specs: List[StatSpec]) -> Dict[str, Dict[str, Any]]:
        """{column: {statistic: value}}; what fails is logged, left out."""
        found: Dict[str, Dict[str, Any]] = {}
        for spec in specs:
            try:
                value = spec.agg(self[spec.column])
                if spec.round is not None:
                    value = round(value, spec.round)
                name = spec.agg_name or spec.agg.__name__
            except Exception as error:
                logger.warning("no statistic of %s: %s", spec.column, error)
                continue
            found.setdefault(spec.column, {})[name] = value
        return found

    def _counts(self) -> str:
        return (f"TinyDataFrame with {len(self)} rows "
                f"and {len(self.columns)} columns")

    def __repr__(self) -> str:
        first = self[0] if len(self) else {}
        return f"{self._counts()}. First row as a dict: {first}"

    def __str__(self) -> str:
        if not len(self):
            return "Empty dataframe"
        shown = self.head(SHOWN_ROWS)
        columns = []
        for name, values in shown._data.items():
            cells = [str(value) for value in values]
            width = max(map(len, [name, *cells]))
            numbers = all(map(_is_number, values))
            columns.append([name.ljust(width), "-" * width] + [
                cell.rjust(width) if numbers else cell.ljust(width)
                for cell in cells])
        lines = [("-+-" if at == 1 else " | ").join(cells)
                 for at, cells in enumerate(zip(*columns))]
        if len(self) > SHOWN_ROWS:
            lines.append("...")
        return "\n".join([f"{self._counts()}:", *lines])
