"""The words of notices, in the languages of the people. Whole sentences, with names and ages in braces."""

from typing import Final

import msgspec

from tablebridge.model.alerts import AlertState, Unanswered
from tablebridge.settings.people import Language

OTHER_KIND: Final = "hand"
KINDS: Final[dict[str, str]] = {
    "floor-called": "call",
    "engine-away": "engine",
    **dict.fromkeys(
        (
            "fouled-deck",
            "deck-check-failed",
            "deck-swapped",
            "not-shuffled",
            "not-cut",
            "shuffle-suspect",
            "shuffler-fault",
            "shuffler-opened",
            "shuffler-contradicted",
            "nonstandard-card",
            "stub-wrong",
            "cloned-tag",
        ),
        "deck",
    ),
    **dict.fromkeys(
        ("pot-mismatch", "tray-mismatch", "stack-mismatch", "foreign-chip", "wrong-denomination"), "chips"
    ),
    **dict.fromkeys(
        (
            "device-offline",
            "device-degraded",
            "device-unknown",
            "too-many-tags",
            "set-aside",
            "notification-failed",
        ),
        "device",
    ),
    **dict.fromkeys(
        ("journal-broken", "journal-restored", "second-engine", "disclosure-changed", "faces-probed"),
        "record",
    ),
}
"""The kind of trouble by finding: no more than a lock screen may show. All others are about the hand."""


class Words(msgspec.Struct, frozen=True):
    """The words of one language. `kinds`: by kind; `again`: why an alert rings again; `changed`: what became
    of one that rings no more; `several`: how many alerts there are at the place.
    """

    table: str
    box: str
    title: str
    kinds: dict[str, str]
    raised: str
    again: dict[Unanswered, str]
    changed: dict[AlertState, str]
    cleared: str
    several: str
    go: str
    open: str
    test_title: str
    test_body: str


WORDS: Final[dict[Language, Words]] = {
    "en": Words(
        "Table {name}",
        "All tables",
        "{table}: {kind}, floor needed",
        {
            "call": "dealer calls",
            "deck": "deck",
            "chips": "chips",
            "device": "device",
            "record": "record",
            "hand": "hand",
            "engine": "nothing is followed",
        },
        "Since {time}.",
        {
            "not-seen": "Nobody has seen it for {age}.",
            "not-taken": "{by} has seen it, and nobody goes: {age}.",
            "not-ruled": "{by} has gone, and nothing is ruled: {age}.",
        },
        {"acknowledged": "{by} has seen it.", "taken": "{by} goes.", "ruled": "{by} has ruled."},
        "It has gone by itself.",
        "Alerts there: {count}.",
        "I go",
        "Open",
        "Test: alerts reach you",
        "This is what an alert looks like here. Nothing has happened.",
    ),
    "ru": Words(
        "Стол {name}",
        "Все столы",
        "{table}: {kind}, нужен флор",
        {
            "call": "вызов дилера",
            "deck": "колода",
            "chips": "фишки",
            "device": "устройство",
            "record": "протокол",
            "hand": "раздача",
            "engine": "столы не отслеживаются",
        },
        "С {time}.",
        {
            "not-seen": "Никто не увидел: {age}.",
            "not-taken": "Видел(а) {by}, но никто не идёт: {age}.",
            "not-ruled": "Идёт {by}, решения нет: {age}.",
        },
        {"acknowledged": "Видел(а) {by}.", "taken": "Идёт {by}.", "ruled": "Решение: {by}."},
        "Прошло само.",
        "Вызовов там: {count}.",
        "Иду",
        "Открыть",
        "Проверка: вызовы доходят",
        "Так выглядит вызов на этом телефоне. Ничего не случилось.",
    ),
    "es": Words(
        "Mesa {name}",
        "Todas las mesas",
        "{table}: {kind}, se necesita al floor",
        {
            "call": "llama el crupier",
            "deck": "baraja",
            "chips": "fichas",
            "device": "dispositivo",
            "record": "registro",
            "hand": "mano",
            "engine": "no se sigue ninguna mesa",
        },
        "Desde las {time}.",
        {
            "not-seen": "Nadie lo ha visto: {age}.",
            "not-taken": "{by} lo ha visto y nadie va: {age}.",
            "not-ruled": "{by} ha ido y no hay decisión: {age}.",
        },
        {"acknowledged": "{by} lo ha visto.", "taken": "{by} va.", "ruled": "{by} ha decidido."},
        "Ha pasado por sí solo.",
        "Alertas allí: {count}.",
        "Voy yo",
        "Abrir",
        "Prueba: las alertas llegan",
        "Así se ve una alerta en este teléfono. No ha pasado nada.",
    ),
    "zh": Words(
        "{name} 号桌",
        "所有牌桌",
        "{table}：{kind}，需要现场主管",
        {
            "call": "荷官呼叫",
            "deck": "牌组",
            "chips": "筹码",
            "device": "设备",
            "record": "记录",
            "hand": "牌局",
            "engine": "牌桌未被跟踪",
        },
        "自 {time} 起。",
        {
            "not-seen": "已 {age} 无人查看。",
            "not-taken": "{by} 已查看，无人前往：{age}。",
            "not-ruled": "{by} 已前往，尚无裁决：{age}。",
        },
        {"acknowledged": "{by} 已查看。", "taken": "{by} 正前往。", "ruled": "{by} 已裁决。"},
        "情况已自行消除。",
        "该处警报数：{count}。",
        "我去",
        "打开",
        "测试：您能收到警报",
        "警报在此手机上的样子。没有发生任何事。",
    ),
}
