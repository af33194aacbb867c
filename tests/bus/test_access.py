"""The access lists of real brokers, by reading back: a refused publish says nothing, or hangs up."""

import time

import pytest
from rig.groups import alone

from tablebridge.bus.access import accounts_of, mosquitto_acl
from tablebridge.bus.account import client_id
from tablebridge.bus.client import BusClient
from tablebridge.bus.topics import LISTENERS, TOPICS, Topic
from tablebridge.settings.site import Broker, Group
from tests.bus.conftest import DEVICES, Bench, ProductionBroker

MARK = "tb/v1/site/table1"
ROLES = {
    "engine": "engine",
    "web": "web",
    "uplink": "uplink",
    "enrol": "enrol",
    **{name: name for name in LISTENERS},
    **{f"dev-{device}": "driver" for device in DEVICES},
}


def names() -> dict[str, tuple[Topic, str, str]]:
    """Topic names of a site with three devices at two tables: the kind, the table, and whose it is ("" for a
    table's own).
    """
    found = {}
    for topic in TOPICS:
        for table in ("table1", "table2"):
            for own in (
                ("",)
                if "+" not in topic.tail
                else ("web", "uplink", "other")
                if topic.plane == "cmd"
                else tuple(DEVICES)
            ):
                found[topic.of("site", table, *([own] if own else []))] = topic, table, own
    return found


def is_own(account: str, topic: Topic, table: str, own: str) -> bool:
    """Whether a name may be the account's, as far as tables, devices and clients go: a device is at one
    table, and the pages are one client of several; the engine hears and answers all.
    """
    if not own or account == "engine":
        return True
    if account.startswith("dev-"):
        return own == account.removeprefix("dev-") and DEVICES[own] == table
    return own == account if topic.plane == "cmd" else True


def may_write() -> set[tuple[str, str]]:
    """Account and topic name, of all that accounts may publish on."""
    return {
        (account, name)
        for account, role in ROLES.items()
        for name, (topic, table, own) in names().items()
        if topic.writer == role and is_own(account, topic, table, own)
    }


def may_receive(written: set[tuple[str, str]]) -> dict[str, set[tuple[str, str]]]:
    """What each account receives of what these writers publish."""
    return {
        reader: {
            (name, writer)
            for writer, name in written
            for topic, table, own in (names()[name],)
            if (role in topic.readers or topic.plane in LISTENERS.get(role, ()))  # type: ignore[arg-type]
            and is_own(reader, topic, table, own)
        }
        for reader, role in ROLES.items()
    }


def test_each_account_publishes_and_receives_its_own_and_nothing_else(bench: Bench) -> None:
    """All accounts on all topics: those of a board next door, of another table, of another client and of
    other planes.
    """
    heard: dict[str, set[tuple[str, str]]] = {account: set() for account in ROLES}

    def listener(account: str) -> BusClient:
        client = bench.client(account)

        def take(topic, payload, retained, ack) -> None:  # type: ignore[no-untyped-def]
            heard[account].add((topic, payload.decode()))
            ack()

        client.on_message = take
        client.subscribe(*(topic.filter() for topic in TOPICS), "tb/v1/#")
        client.subscribe(
            *(
                name
                for name, (topic, table, own) in names().items()
                if topic.is_read_by(ROLES[account])  # type: ignore[arg-type]
                and is_own(account, topic, table, own)
            )
        )
        return client

    clients = {account: listener(account) for account in ROLES}
    bench.up(*clients.values())
    written = may_write()
    for account in ROLES:
        bench.drop(clients[account])  # mosquitto has one connection for each account
        for name in names():
            if (account, name) not in written:
                # One client per topic: mosquitto 2.0 ends the connection after a publish that is not allowed.
                probe = bench.client(account)
                bench.up(probe)
                probe.publish(name, b"forged by " + account.encode())
                bench.until(lambda: not probe.in_flight or not probe.connected)  # noqa: B023
                bench.drop(probe)
        clients[account] = listener(account)
        bench.up(*clients.values())
    for account, name in written:
        clients[account].publish(name, account.encode())
    wanted = may_receive(written)
    bench.until(
        lambda: all(wanted[account] <= heard[account] for account in ROLES), what="what is allowed arrives"
    )
    assert heard == wanted


def test_hole_cards_are_for_the_pages_alone_and_readings_for_the_engine_and_enrolment() -> None:
    for account in accounts_of(alone(DEVICES)):
        filters = account.receives("site")
        assert any("/sealed/" in one for one in filters) == (account.name == "web")
        assert any("/obs/" in one for one in filters) == (account.name in ("engine", "enrol"))
    assert [
        account.publishes("site") for account in accounts_of(()) if account.role in (*LISTENERS, "enrol")
    ] == [[], [], []]


def test_the_roots_filter_gives_nobody_the_hole_cards(bench: Bench) -> None:
    heard: list[str] = []
    driver, engine, web = (bench.client(account) for account in ("dev-feig1", "engine", "web"))

    def take(topic, payload, retained, ack) -> None:  # type: ignore[no-untyped-def]
        heard.append(topic)
        ack()

    driver.on_message = take
    driver.subscribe("tb/v1/#")
    driver.subscribe(f"{MARK}/ask/feig1/replay")
    bench.up(driver, engine, web)
    engine.publish(f"{MARK}/sealed/overlay", b"{}", retain=True)
    engine.publish(f"{MARK}/ask/feig1/replay", b"{}")
    bench.until(lambda: f"{MARK}/ask/feig1/replay" in heard)
    assert set(heard) == {f"{MARK}/ask/feig1/replay"}


def test_nobody_takes_the_engines_connection_over(bench: Bench) -> None:
    """With every client id that another account can know. An installed mosquitto holds the id to the account:
    there the right one, too.
    """
    downs: list[str] = []
    secret = client_id(*bench.broker.accounts["engine"])
    engine = bench.client("engine", secret)
    engine.on_down = downs.append
    bench.up(engine)
    guesses = [
        "engine",
        "tablebridge-site-engine",
        client_id("engine", bench.broker.accounts["dev-feig2"][1]),
    ]
    if isinstance(bench.broker, ProductionBroker):
        guesses.append(secret)
    for guess in guesses:
        thief = bench.client("dev-feig2", guess)
        bench.up(thief)
        until = time.monotonic() + 0.5
        bench.until(lambda: time.monotonic() > until)  # noqa: B023
        bench.drop(thief)
    assert (downs, engine.connected) == ([], True)


def test_a_client_id_is_known_only_with_the_password_and_stands_in_no_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert client_id("engine", "one") != client_id("engine", "two")
    assert (
        client_id("engine", "one").startswith("engine-")
        and len(client_id("engine", "one")) == len("engine-") + 24
    )
    assert client_id("engine", "") == "engine", "with a certificate the broker takes the account's name"
    client = BusClient(Broker(port=1), client_id("engine", "one"), "engine", "one")
    client._refused("Not authorized")
    client._retry.began(time.monotonic())
    for _ in range(3):
        client.connected = True
        client._down("gone")
    assert "password of engine:" in caplog.text and "accepts engine and soon" in caplog.text
    assert client_id("engine", "one") not in caplog.text


def test_the_access_list_of_mosquitto_names_one_device_in_each_line_of_a_group() -> None:
    text = mosquitto_acl("hall", accounts_of([Group("both", "t1", ("left", "right"))]))
    lines = text.split("user dev-both\n")[1].splitlines()
    assert lines == [
        "topic write tb/v1/hall/t1/obs/both",
        "topic write tb/v1/hall/t1/dev/both/avail",
        "topic write tb/v1/hall/t1/dev/left/meta",
        "topic write tb/v1/hall/t1/dev/right/meta",
        "topic write tb/v1/hall/t1/dev/left/health",
        "topic write tb/v1/hall/t1/dev/right/health",
        "topic read tb/v1/hall/t1/dev/both/avail",
        "topic read tb/v1/hall/t1/ask/left/replay",
        "topic read tb/v1/hall/t1/ask/right/replay",
        "topic read tb/v1/hall/+/floor/avail",
        "topic read tb/v1/hall/+/signal/worst",
    ]
