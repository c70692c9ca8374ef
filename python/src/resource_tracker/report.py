"""A report as text of HTML, and the sizes in which memory is asked for."""
import tempfile
import webbrowser
from pathlib import Path

from ._sizes import round_memory

__all__ = ["Report", "round_memory"]


class Report(str):
    """A page of HTML: a str that can be saved and shown."""

    def save(self, filepath: str) -> "Report":
        """Write it to a file, in UTF-8."""
        Path(filepath).write_text(self, encoding="utf-8")
        return self

    def browse(self) -> "Report":
        """Show it in the browser, from a file in the temporary folder."""
        with tempfile.NamedTemporaryFile(
                "w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self)
        webbrowser.open(Path(file.name).as_uri())
        return self
