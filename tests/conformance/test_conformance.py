"""Every script of the conformance suite holds, but for those in pending.txt."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from holding import further, pending, reason, scripts

PENDING = pending()


def case(script):
    why = PENDING.get(str(script))
    return pytest.param(
        script, id=str(script), marks=[] if why is None else [pytest.mark.xfail(reason=why, strict=True)]
    )


@pytest.mark.parametrize("script", [case(script) for script in scripts()])
def test_script_holds(script):
    assert reason(script) == ""


def test_pending_names_scripts_there_are():
    assert set(PENDING) <= {str(script) for script in scripts()}


def test_further_findings_are_of_scripts_there_are():
    assert set(further()) <= {str(script) for script in scripts()}
