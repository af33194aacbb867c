"""Declarations in Russian. `ё` is written `е`. After `до` numbers stand in the genitive."""

from typing import Final

from tablebridge.engine.declarations.language import Concept, Language, Numeral

_VOCABULARY: Final[dict[str, Concept]] = {
    **dict.fromkeys(("чек", "чекаю"), "check"),
    **dict.fromkeys(("колл", "кол", "коллирую", "уравниваю", "уравнял", "отвечаю"), "call"),
    **dict.fromkeys(("пас", "пасую", "фолд", "сбрасываю"), "fold"),
    **dict.fromkeys(("оллин", "олл ин", "аллин", "алл ин", "олин", "вабанк", "ва банк"), "allin"),
    **dict.fromkeys(("бет", "ставка", "ставку", "ставлю"), "bet"),
    **dict.fromkeys(
        (
            "рейз",
            "рэйз",
            "ререйз",
            "рерэйз",
            "ре рейз",
            "ре рэйз",
            "повышаю",
            "повышение",
            "поднимаю",
            "кэп",
            "кеп",
        ),
        "raise",
    ),
    **dict.fromkeys(("банк", "пот"), "pot"),
    **dict.fromkeys(("мин", "минимум", "минимальный", "минимальную", "минимально"), "least"),
    **dict.fromkeys(("все", "весь стек"), "all"),
    "до": "to",
    "на": "by",
    **dict.fromkeys(("сверху", "еще"), "more"),
    **dict.fromkeys(("играю", "играет"), "play"),
    **dict.fromkeys(("доску", "доской", "борд", "бордом"), "board"),
    "если": "if",
    "и": "and",
    **dict.fromkeys(("я", "делаю", "иду", "пожалуйста", "₽", "руб", "рублей"), "filling"),
}
_UNITS: Final = (
    "ноль",
    "один",
    "два",
    "три",
    "четыре",
    "пять",
    "шесть",
    "семь",
    "восемь",
    "девять",
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
)
_UNITS_OF: Final = (
    "ноля",
    "одного",
    "двух",
    "трех",
    "четырех",
    "пяти",
    "шести",
    "семи",
    "восьми",
    "девяти",
    "десяти",
    "одиннадцати",
    "двенадцати",
    "тринадцати",
    "четырнадцати",
    "пятнадцати",
    "шестнадцати",
    "семнадцати",
    "восемнадцати",
    "девятнадцати",
)
_TENS: Final = (
    "двадцать",
    "тридцать",
    "сорок",
    "пятьдесят",
    "шестьдесят",
    "семьдесят",
    "восемьдесят",
    "девяносто",
)
_TENS_OF: Final = (
    "двадцати",
    "тридцати",
    "сорока",
    "пятидесяти",
    "шестидесяти",
    "семидесяти",
    "восьмидесяти",
    "девяноста",
)
_HUNDREDS: Final = (
    "сто",
    "двести",
    "триста",
    "четыреста",
    "пятьсот",
    "шестьсот",
    "семьсот",
    "восемьсот",
    "девятьсот",
)
_HUNDREDS_OF: Final = (
    "ста",
    "двухсот",
    "трехсот",
    "четырехсот",
    "пятисот",
    "шестисот",
    "семисот",
    "восьмисот",
    "девятисот",
)
_NUMERALS: Final[dict[str, tuple[Numeral, int]]] = {
    **{word: ("unit", value) for series in (_UNITS, _UNITS_OF) for value, word in enumerate(series)},
    "одна": ("unit", 1),
    "одну": ("unit", 1),
    "одной": ("unit", 1),
    "две": ("unit", 2),
    **{word: ("ten", 10 * value) for series in (_TENS, _TENS_OF) for value, word in enumerate(series, 2)},
    **{
        word: ("hundreds", 100 * value)
        for series in (_HUNDREDS, _HUNDREDS_OF)
        for value, word in enumerate(series, 1)
    },
    **dict.fromkeys(("сотня", "сотню", "сотни", "сотен"), ("hundred", 100)),
    **dict.fromkeys(("тысяча", "тысячу", "тысячи", "тысяч", "тыс", "к"), ("thousand", 1000)),
    **dict.fromkeys(("миллион", "миллиона", "миллионов"), ("million", 1000000)),
    **dict.fromkeys(("полторы", "полтора", "полутора"), ("half-again", 3)),
}

RUSSIAN: Final = Language(_VOCABULARY, _NUMERALS)
