"""What a person skipped in the set-up is repeated by the doctor until it is done."""

from pathlib import Path

from tablebridge.doctor.examine import skipped
from tablebridge.doctor.setup_process.progress import Progress, save_progress
from tablebridge.settings.state import SETUP_PROGRESS
from tablebridge.steps.course import StepRow


def test_a_skipped_step_is_named_with_its_reason_and_how_it_is_done(tmp_path: Path) -> None:
    site_file = tmp_path / "site.toml"
    assert list(skipped(tmp_path, site_file)) == []
    save_progress(
        tmp_path, Progress(steps=(StepRow("map", "done"), StepRow("decks", "skipped", "none here")))
    )
    (check,) = skipped(tmp_path, site_file)
    assert (check.level, check.about, check.says) == (
        "warn",
        "set-up",
        "the step decks was skipped: none here",
    )
    assert check.do == f"Do it now: tablebridge setup --browser --out {site_file}"
    SETUP_PROGRESS.path(tmp_path).write_text("{")
    (check,) = skipped(tmp_path, site_file)
    assert check.level == "warn" and "cannot be read" in check.says
