"""Files that only their owner may read, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_privately(path: Path, data: bytes) -> None:
    """Make the file, and its folder if there is none, or put this in its place.

    Raises OSError, and then the old file is as it was."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd, new = tempfile.mkstemp(dir=path.parent)  # readable by its owner alone
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        Path(new).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(new).unlink()
        raise
