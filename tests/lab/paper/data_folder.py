"""The folder of data sets, which is no part of the project."""

import os

import pytest

FOLDER = os.environ.get("HEIRWOOD_DATA")

needs_folder = pytest.mark.skipif(not FOLDER, reason="HEIRWOOD_DATA names no folder with the paper's sets")
