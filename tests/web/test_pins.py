"""PINs of floor persons: slow to try, tried a few times, and written nowhere."""

import asyncio
import logging
import stat
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from fastapi import FastAPI

from tablebridge.cli.token import command
from tablebridge.model.errors import ConfigError
from tablebridge.web import pins
from tablebridge.web.app import create_app
from tablebridge.web.auth import Tokens
from tablebridge.web.hub import Hub
from tablebridge.web.pins import LOCKED_S, TRIES, Tries, hash_of, is_pin

from .hall import site

PIN = "258036"


def test_a_pin_is_kept_as_a_salted_slow_hash() -> None:
    first, second = hash_of(PIN), hash_of(PIN)
    assert first != second and first.startswith("scrypt$15$8$1$") and PIN not in first
    assert is_pin(PIN, first) and is_pin(PIN, second)
    assert not is_pin("258037", first) and not is_pin("", first) and not is_pin(PIN + "0", first)


@pytest.mark.parametrize(
    "weak", ["", "25803", "2580361470258", "111111", "123456", "98765432", "25803x", "٢٥٨٠٣٦", "25 036"]
)
def test_a_pin_that_is_easy_to_guess_is_refused_and_not_repeated(weak: str) -> None:
    with pytest.raises(ConfigError) as refused:
        hash_of(weak)
    assert not weak or weak not in str(refused.value).replace("123456", "")


def test_tries_are_bounded_and_begin_again_after_a_while_or_a_right_pin() -> None:
    now = 100.0
    tries = Tries(lambda: now)
    for _ in range(TRIES):
        assert tries.locked_s("anna", "tablet") == 0
        tries.count("anna", "tablet")
    assert tries.locked_s("anna", "other tablet") == tries.locked_s("olga", "tablet") == LOCKED_S
    assert tries.locked_s("olga", "other tablet") == 0
    now += LOCKED_S - 1
    assert tries.locked_s("anna") == 1
    now += 1
    assert tries.locked_s("anna") == 0
    tries.count("anna")
    tries.succeeded("anna", "tablet")
    for _ in range(TRIES - 1):
        tries.count("anna")
    assert tries.locked_s("anna") == 0


def test_nobody_has_a_pin_until_it_is_set_and_only_floor_persons_get_one(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    anna, _ = tokens.add("floor", "Anna")
    dora, _ = tokens.add("dealer", "Dora", "main")
    assert [token.pin for token in tokens.all()] == ["", ""]
    for id in (dora.id, "nobody"):
        with pytest.raises(ConfigError, match="no token of a floor person"):
            tokens.set_pin(id, PIN)
    assert is_pin(PIN, tokens.set_pin(anna.id, PIN).pin)
    assert tokens.set_pin(anna.id, "").pin == ""
    with pytest.raises(ConfigError, match="--table"):
        tokens.add("dealer", "Dora")


def test_the_command_asks_for_the_pin_twice_and_shows_it_nowhere(tmp_path: Path) -> None:
    site_file = tmp_path / "site.toml"
    site_file.write_text(f'name = "t"\nstate_dir = "{tmp_path}"\n[[table]]\nname = "main"\n')
    anna, _ = Tokens(tmp_path).add("floor", "Anna")
    run, options = CliRunner(), ["pin", anna.id, "--site", str(site_file)]
    answer = run.invoke(command, options, input=f"{PIN}\n{PIN}\n")
    assert (
        answer.exit_code == 0
        and answer.output.endswith("Anna: the PIN is set.\n")
        and PIN not in answer.output
    )
    kept = tmp_path / "tokens" / "tokens.json"
    assert PIN not in kept.read_text() and stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert run.invoke(command, options, input="123456\n123456\n").exit_code != 0
    listed = run.invoke(command, ["list", "--json", "--site", str(site_file)]).output
    assert "scrypt" not in listed
    assert "taken away" in run.invoke(command, [*options, "--remove"]).output
    assert Tokens(tmp_path).all()[0].pin == ""


def settle(app: FastAPI, tablet: str, person: str, pin: str) -> tuple[int, str]:
    """The status and the sentence of the answer to a PIN that is given on this tablet."""

    async def post() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://hall") as client:
            return await client.post(
                "/api/tables/main/dealer/settled",
                json={"id": f"id-{time.monotonic_ns()}", "person": person, "pin": pin},
                headers={"authorization": f"Bearer {tablet}"},
            )

    answer = asyncio.run(post())
    return answer.status_code, answer.json()["sentence"]


def test_wrong_pins_lock_person_and_tablet_and_no_pin_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    here, tokens = site(tmp_path), Tokens(tmp_path)
    anna, _ = tokens.add("floor", "Anna")
    olga, _ = tokens.add("floor", "Olga", "side")
    for person in (anna, olga):
        tokens.set_pin(person.id, PIN)
    dora, second = (tokens.add("dealer", name, "main")[1] for name in ("Dora", "Second"))
    app = create_app(here, Hub(here))
    assert settle(app, dora, olga.id, PIN)[0] == 404, "Olga is of another table"
    for number in range(TRIES):
        assert settle(app, dora, anna.id, f"25803{number}")[0] == 403
    for tablet in (dora, second):
        status, sentence = settle(app, tablet, anna.id, PIN)
        assert status == 429 and "none is taken for 15 minutes" in sentence
    assert caplog.text.count("a wrong PIN was given for Anna on the tablet of Dora") == TRIES
    assert "25803" not in caplog.text


def test_a_right_pin_is_asked_of_the_engine(tmp_path: Path) -> None:
    here, tokens = site(tmp_path), Tokens(tmp_path)
    anna, _ = tokens.add("floor", "Anna")
    tokens.set_pin(anna.id, PIN)
    _, dora = tokens.add("dealer", "Dora", "main")
    status, sentence = settle(create_app(here, Hub(here)), dora, anna.id, PIN)
    assert status == 504 and "Nothing was written" in sentence, "there is no engine in this test"


def test_the_bounds_of_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "_MOST_KEPT", 3)
    tries = Tries(lambda: 1.0)
    for key in "abcde":
        tries.count(key)
    assert len(tries._tries) == 3
