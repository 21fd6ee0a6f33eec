"""Check the names that the package shows."""

import subprocess
import sys

import pytest

import tanon_duck

pytestmark = pytest.mark.quick


def test_dir_shows_the_public_names_only():
    assert dir(tanon_duck) == sorted(tanon_duck.__all__)
    for name in tanon_duck.__all__:
        assert hasattr(tanon_duck, name)


def test_dir_is_the_same_before_anything_is_imported():
    code = "import tanon_duck; print(dir(tanon_duck) == sorted(tanon_duck.__all__))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "True\n"
