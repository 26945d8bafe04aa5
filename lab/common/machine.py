"""The machine that measurements were made on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llvmlite.binding import get_host_cpu_name


def this_machine() -> dict[str, Any]:
    """Return what times depend on: processor, cores, and the versions of what computes."""
    return {
        "processor": f"{platform.machine()}, {processor()}",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def processor() -> str:
    """Return the model of the processor: as the system names it, else (on ARM) as the compiler does."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, models), None) or str(get_host_cpu_name())
