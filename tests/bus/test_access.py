"""The access lists of real brokers, by reading back: a refused publish says nothing, or hangs up."""

from pathlib import Path

from tablebridge.bus.access import ROLES, acl_text
from tablebridge.bus.topics import TOPICS

CONFIG = Path(__file__).parents[2] / "config"
MARK = "tb/v1/site/table1"


def names(topic) -> str:  # type: ignore[no-untyped-def]
    return topic.of("site", "table1", *["one"] * topic.tail.count("+"))


def test_a_role_publishes_what_it_writes_and_receives_what_it_reads_and_nothing_else(bench) -> None:  # type: ignore[no-untyped-def]
    heard: dict[str, set[tuple[str, str]]] = {role: set() for role in ROLES}
    clients = {role: bench.client(role) for role in ROLES}
    for role, client in clients.items():
        def take(topic, payload, retained, ack, role=role) -> None:  # type: ignore[no-untyped-def]
            heard[role].add((topic, payload.decode()))
            ack()
        client.on_message = take
        client.subscribe(*(topic.filter() for topic in TOPICS))
    bench.up(*clients.values())
    for role in ROLES:
        for topic in (topic for topic in TOPICS if topic.writer != role):
            probe = bench.client(role)  # one each: mosquitto 2.0 hangs up on who publishes what he may not
            bench.up(probe)
            probe.publish(names(topic), role.encode())
            bench.until(lambda: not probe.in_flight or not probe.connected)  # noqa: B023
            bench.drop(probe)
    for topic in TOPICS:
        clients[topic.writer].publish(names(topic), topic.writer.encode())
    wanted = {reader: {(names(topic), topic.writer) for topic in TOPICS if reader in topic.readers} for reader in ROLES}
    bench.until(lambda: all(wanted[role] <= heard[role] for role in ROLES), what="what is allowed arrives")
    assert heard == wanted


def test_the_roots_filter_gives_nobody_the_hole_cards(bench) -> None:  # type: ignore[no-untyped-def]
    heard: list[str] = []
    driver, engine, web = (bench.client(role) for role in ROLES)

    def take(topic, payload, retained, ack) -> None:  # type: ignore[no-untyped-def]
        heard.append(topic)
        ack()

    driver.on_message = take
    driver.subscribe("tb/v1/#")
    driver.subscribe(f"{MARK}/ask/one/replay")
    bench.up(driver, engine, web)
    engine.publish(f"{MARK}/sealed/overlay", b"{}", retain=True)
    engine.publish(f"{MARK}/ask/one/replay", b"{}")
    bench.until(lambda: f"{MARK}/ask/one/replay" in heard)
    assert set(heard) == {f"{MARK}/ask/one/replay"}


def test_the_committed_access_list_is_the_topic_list() -> None:
    assert (CONFIG / "mosquitto.acl").read_text() == acl_text("mosquitto"), \
        "run: python -m tablebridge.bus.access > config/mosquitto.acl"
