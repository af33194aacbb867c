"""Site files: what is right loads, what is wrong is named at its line, all at once."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.cli.site import command
from tablebridge.export.phh import parse_phh
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.rulebooks import parse as parse_rulebook
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Broker, Device, Retention, Site, Table, Web, Webhook
from tablebridge.settings.toml import key_lines

EXAMPLE = Path(__file__).parents[2] / "tablebridge/install/files/site.example.toml"

WRONG = """\
name = "site"
log_levle = "info"
[web]
listen = "everywhere"
port = 99999
[[table]]
name = "one"
stakes = "50"
seats = "9-1"
chips = [100, 25]
  [[table.device]]
  name = "r1"
  driver = "feig"
  port = "/dev/x"
  [table.device.antennas]
  1 = "seat 1"
  01 = "seat 2"
  2 = "seat 99"
  [table.device.options]
  many = [1,
    2]
  [[table.device]]
  name = "r1"
  prot = "/dev/y"
  driver = "feig"
  contacts = { 1 = "all-in 11" }
  [[table.device]]
  name = "r3"
  driver = "feig"
  port = "/dev/x"
[[table]]
name = "one"
button = "x"
[table.names]
11 = "Zed"
"""


def faults(tmp_path: Path, text: str) -> dict[int, list[str]]:
    path = tmp_path / "site.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as wrong:
        load_site(path)
    found: dict[int, list[str]] = {}
    for line in str(wrong.value).splitlines():
        match = re.fullmatch(re.escape(str(path)) + r":(\d+): (.+)", line)
        assert match, line
        found.setdefault(int(match[1]), []).append(match[2])
    return found


def test_every_fault_is_named_at_its_line(tmp_path: Path) -> None:
    found = faults(tmp_path, WRONG)
    expected = {
        2: "log_levle: there is no such key; did you mean log_level",
        4: "web.listen: 'everywhere' is no IP address",
        5: "web.port: a number of at most 65535 stands here",
        8: "table[1].stakes: '50' are no stakes",
        9: "table[1].seats: '9-1' are no seats",
        10: "table[1].chips: denominations are",
        17: "antenna 1 stands here a second time",
        18: "table[1].device[1].antennas.2: no place is called 'seat 99'",
        20: "table[1].device[1].options.many: an option is true, false",
        22: "table[1].device[2].port: this key is missing",
        23: "two devices are called 'r1' (table[1].device[1] is the other)",
        24: "table[1].device[2].prot: there is no such key; did you mean port",
        26: "table[1].device[2].contacts.1: no contact is called 'all-in 11'",
        30: "two devices are on port '/dev/x' (table[1].device[1]",
        32: "two tables are called 'one'",
        33: "table[2].button: a whole number stands here",
        35: "table[2].names.11: a number of at most 10 stands here",
    }
    assert sorted(found) == sorted(expected)
    for line, begin in expected.items():
        assert len(found[line]) == 1
        assert found[line][0].startswith(begin)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name = \n", 1, "not TOML"),
        ('name = "a"\nname = "b"\n', 2, "second time"),
        ('name = "a', 1, "not TOML"),
        ("table = 3\n", 1, "table: write [[table]] with two brackets"),
        ('[table]\nname = "a"\n', 1, "[[table]] with two brackets"),
        ("name = final\n", 1, 'a text is written between straight quotes, as in name = "final"'),
        ("state_dir = 3\n", 1, "write its path"),
        ('[[table]]\nname = "a"\ndecks = "red.toml"\n', 3, "this is a list"),
        ("name: a\n", 1, "a line is [section], or key = value"),
        ('[[table]]\nname = "a"\ndelay = 3\n', 3, "known here: ante, betting"),
        ('[web]\nport = "a"\n', 2, "web.port"),
        ("[[table]]\n", 1, "table[1].name: this key is missing"),
        ('[retention]\nreedings = "1 day"\n', 2, "there is no such key; did you mean readings"),
        (
            '[retention]\n\nnames = "soon"\n',
            3,
            "retention.names: 'soon' is no time to keep anything; write a",
        ),
        ('[retention]\nnames = "0 days"\n', 2, "retention.names: '0 days' is no time"),
        ('[retention]\nnames = "101 years"\n', 2, "such as 30 days, at most 100 years"),
        ('[retention]\nnames = "1 dayss"\n', 2, "'1 dayss' is no time"),
        (
            "[retention]\nhole_cards = 90\n",
            2,
            "retention.hole_cards: this is a text; write it between quotes",
        ),
        ('[[table]]\nname = "a"\npublic_names = "Anna"\n', 3, "this is a list"),
    ],
)
def test_broken_files_are_named_too(tmp_path: Path, text: str, line: int, words: str) -> None:
    found = faults(tmp_path, text)
    assert words in " ".join(found[line])


@pytest.mark.parametrize(
    ("text", "days"),
    [("1 day", 1), ("30 days", 30), ("2 weeks", 14), ("6 months", 180), ("100 years", 36_500)],
)
def test_a_time_to_keep_is_in_days(tmp_path: Path, text: str, days: int) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'[retention]\nhole_cards = "{text}"\n')
    rules = load_site(path).retention
    now = Instant(10**18 + 5, 0)
    assert rules.any and not Site().retention.any
    assert rules.before_ns("hole_cards", now) == 10**18 + 5 - days * 86_400 * 10**9
    assert rules.before_ns("names", now) is None


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text('name = "a"\n', encoding="utf-8-sig")
    assert load_site(path).name == "a"


def test_a_file_that_is_not_there_or_no_text_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_site(tmp_path / "none.toml")
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_site(path)


def test_several_antennas_of_several_devices_may_look_at_one_place(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("""
        [[table]]
        name = "one"
        seats = "1 3-5"
        [[table.device]]
        name = "a"
        driver = "line"
        port = "/dev/a"
        antennas = { 1 = "seat 1", 2 = "seat 1" }
        [[table.device]]
        name = "b"
        driver = "no-such-driver"
        port = "/dev/b"
        antennas = { 1 = "seat 1" }
    """)
    site = load_site(path)
    assert site.tables[0].seat_numbers == (1, 3, 4, 5)
    assert site.tables[0].stakes_pair == (50, 100)
    assert [device.antennas for device in site.tables[0].devices] == [
        {1: "seat 1", 2: "seat 1"},
        {1: "seat 1"},
    ]
    assert site.web.on_loopback


WEB = 'name = "site"\n[web]\nlisten = "0.0.0.0"\n{}\nallow_plain_http = true\n[[table]]\nname = "one"\n'


def test_hole_cards_without_a_delay_do_not_leave_this_machine(tmp_path: Path) -> None:
    found = faults(tmp_path, WEB.format("overlay_delay_s = 0"))
    assert list(found) == [4]
    assert found[4][0].startswith(
        "web.overlay_delay_s: hole cards without a delay may not leave this machine"
    )
    for fine in ("overlay_delay_s = 0\noverlay_hole_cards = false", "overlay_delay_s = 1"):
        (tmp_path / "fine.toml").write_text(WEB.format(fine))
        assert load_site(tmp_path / "fine.toml").web.listen == "0.0.0.0"
    (tmp_path / "fine.toml").write_text(WEB.format("overlay_delay_s = 0").replace("0.0.0.0", "127.0.0.1"))
    assert load_site(tmp_path / "fine.toml").web.overlay_delay_s == 0


def test_the_antenna_of_a_stack_is_of_a_seat_that_is_there(tmp_path: Path) -> None:
    text = (
        'name = "site"\n[[table]]\nname = "one"\nseats = "1-3"\n[[table.device]]\nname = "rack"\n'
        'driver = "line"\nport = "/dev/rack"\n[table.device.antennas]\n1 = "stack 3"\n2 = "stack 4"\n'
    )
    assert faults(tmp_path, text) == {
        11: ["table[1].device[1].antennas.2: the table has no seat 4; its seats are 1-3"]
    }


@pytest.mark.parametrize(
    "value", ["'none'; script-src *", "'self', script-src *", "https://é.example", "a\\nb"]
)
def test_the_frame_ancestors_are_no_way_to_write_another_policy(tmp_path: Path, value: str) -> None:
    found = faults(tmp_path, WEB.format(f'overlay_frame_ancestors = "{value}"'))
    assert list(found) == [4] and found[4][0].startswith(
        "web.overlay_frame_ancestors: a ; or , has no place here"
    )


def test_the_example_loads_and_shows_every_key(tmp_path: Path) -> None:
    text = EXAMPLE.read_text()
    site = load_site(EXAMPLE)
    shown = re.sub(r"(?m)^#(?=\[\[|[a-z0-9_]+ = )", "", text)
    path = tmp_path / "all.toml"
    path.write_text(shown)
    full = load_site(path)
    assert full.web == site.web == Web(), "the keys that are commented out show the defaults"
    assert full.broker.model_copy(update={"cafile": None, "certfile": None, "keyfile": None}) == Broker()
    for model in (Site, Broker, Web, Retention, Webhook, Table, Device):
        for name, field in model.model_fields.items():
            assert re.search(
                rf"(?m)^(#?{field.alias or name} = |#?\[+(table\.)?(device\.)?{field.alias or name}\])", text
            ), name


keys = st.text(
    st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=("Cc", "Cs")),
    min_size=1,
    max_size=6,
)
values = st.sampled_from(
    [
        "1",
        '"a # [b"',
        "'{x}'",
        '"""two\nlines [ \\" here"""',
        '[1, 2, # x\n [3, "]"]]',
        "'''a\n['''",
        "{ a = 1 }",
        "1979-05-27T07:32:00Z",
    ]
)


@given(
    st.dictionaries(keys, values, max_size=5), st.lists(st.dictionaries(keys, values, max_size=3), max_size=3)
)
def test_the_line_of_every_key_is_found(top: dict[str, str], members: list[dict[str, str]]) -> None:
    lines, expected = ["# a comment", ""], {}
    for name, value in top.items():
        if name != "member":
            expected[(name,)] = "\n".join(lines).count("\n") + 2
            lines.append(f'"{name}" = {value} # why [not')
    for number, member in enumerate(members):
        expected["member", number] = "\n".join(lines).count("\n") + 2
        lines.append("[[ member ]]")
        for name, value in member.items():
            expected["member", number, name] = "\n".join(lines).count("\n") + 2
            lines.append(f'  "{name}" = {value}')
    text = "\n".join(lines)
    tomllib.loads(text)
    assert key_lines(text) == expected
    assert key_lines(text.replace("\n", "\r\n")) == expected


def check(*arguments: str) -> Any:
    return CliRunner().invoke(command, ["check", *arguments])


def test_the_command_prints_a_summary() -> None:
    result = check(str(EXAMPLE))
    assert result.exit_code == 0
    assert result.stdout.startswith("ok: site site, tables: 1")
    assert "seats: line on" in result.stdout
    told = json.loads(check("--json", str(EXAMPLE)).stdout)
    assert told["ok"] and told["errors"] == []
    assert told["tables"][0]["devices"][1]["places"] == ["bet 3"]


def test_the_command_prints_every_fault_and_ends_with_2(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(WRONG)
    result = check(str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 17
    result = check("--json", str(path))
    assert result.exit_code == 2
    assert len(json.loads(result.stdout)["errors"]) == 17


def test_a_file_that_the_site_names_and_that_is_not_there_is_named_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text('[[table]]\nname = "a"\nrulebook = "house.toml"\ndecks = ["red.toml"]\n')
    result = check(str(path))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"{path}:3: table[1].rulebook: there is no file {tmp_path / 'house.toml'}",
        f"{path}:4: table[1].decks: there is no file red.toml",
    ]


def test_the_command_knows_drivers_and_decks(tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "red.toml").write_text('[cards]\nAh = "E0"\n')
    path = tmp_path / "site.toml"
    path.write_text(f"""\
state_dir = "{tmp_path}"
[web]
listen = "0.0.0.0"
allow_plain_http = true
[[table]]
name = "one"
[[table.device]]
name = "a"
driver = "lime"
port = "/dev/a"
[[table.device]]
name = "b"
driver = "feig"
port = "/dev/b"
antennas = {{ 77 = "board" }}
[table.device.options]
bawd = 1
answer_ms = 1
ont = "prescc"
""")
    result = check(str(path))
    assert result.exit_code == 2
    for words in (
        f"{path}:9: No driver is called 'lime'",
        f"{path}:15: The driver feig has no antenna 77",
        f"{path}:17: The driver feig has no option 'bawd': did you mean baud?",
        f"{path}:18: The option 'answer_ms' of the driver feig is at least 50 and at most 60000, not 1: ",
        f"{path}:19: The option 'ont' of the driver feig is one of rf-reset, presc, cleared, not 'prescc': ",
        f"{decks / 'red.toml'}:2: ",
    ):
        assert words in result.stderr


@pytest.mark.parametrize("listen", ["0.0.0.0", "192.168.7.2", "::", "2001:db8::1"])
def test_pages_that_a_network_can_reach_in_plain_http_are_refused_unless_that_is_said(
    tmp_path: Path, listen: str
) -> None:
    (said,) = faults(tmp_path, f'name = "hall"\n[web]\nlisten = "{listen}"\n')[3]
    assert "plain HTTP" in said and "reverse proxy with TLS" in said and "allow_plain_http = true" in said
    for order in (
        f'listen = "{listen}"\nallow_plain_http = true',
        f'allow_plain_http = true\nlisten = "{listen}"',
    ):
        (tmp_path / "site.toml").write_text(f'name = "hall"\n[web]\n{order}\n')
        assert not load_site(tmp_path / "site.toml").web.on_loopback


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.9", "::1"])
def test_pages_of_this_machine_need_nothing_said(tmp_path: Path, listen: str) -> None:
    (tmp_path / "site.toml").write_text(f'[web]\nlisten = "{listen}"\n')
    assert load_site(tmp_path / "site.toml").web.on_loopback


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (".".join(["a"] * 20_000) + " = 1\n", "more than 16 tables or lists stand within each other"),
        ("x = " + "[" * 20_000, "more than 16 tables or lists stand within each other"),
        ("[a." + "b." * 20_000 + "c]\n", "more than 16 tables or lists stand within each other"),
        ("x = " + "9" * 5_000, "a number of too many digits"),
        ("# \n" * 600_000, "this is longer than 1048576 bytes"),
    ],
)
def test_a_file_that_would_cost_memory_or_stack_is_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=why) as error:
        load_site(path)
    assert "\n" not in str(error.value)
    with pytest.raises(ConfigError, match=why.replace("bytes", "characters")):
        parse_phh(text, "hand.phh")
    with pytest.raises(ValueError, match=why.replace("bytes", "characters")):
        parse_rulebook(text, "house")


@pytest.mark.parametrize("name", ["Ann\\u0007", "\\u202eAnn", "Ann\\u2066", "A" * 41])
def test_a_name_holds_only_what_can_be_seen(tmp_path: Path, name: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'[[table]]\nname = "one"\nnames = {{ 3 = "{name}" }}\n')
    with pytest.raises(ConfigError, match=r"names\.3"):
        load_site(path)
