"""One antenna as the line protocol reports it: every visit is counted and reported once."""

MOST_VISITS = 65535
MOST_TEXT = 930
"""Characters that the UIDs of one line may take, so that the line stays below its limit."""


class Antenna:
    """What was last reported of antenna `number`, and the visits since. `lines`: where it reports."""

    def __init__(self, number, lines):
        self.number = number
        self._lines = lines
        self._tags = frozenset()
        self._visits = 0
        self._owes_set = False
        self._dead = ""

    def owe(self):
        """The next visit is reported as a whole set: the host has lost count."""
        self._owes_set = True

    def seen(self, tags):
        """A whole visit saw these tags."""
        tags = frozenset(tags)
        if self._dead or self._owes_set or _too_long(tags):
            self._say_set(tags)
        elif tags == self._tags:
            self._visits += 1
            if self._visits == MOST_VISITS:
                self.snapshot()
        elif tags > self._tags:
            self._say("+", self._visits, tags - self._tags)
        elif tags < self._tags:
            self._say("-", self._visits, self._tags - tags)
        else:
            if self._visits:
                self._say("=", self._visits, self._tags)
            self._say("=", 1, tags)
        self._tags = tags

    def cut_short(self, tags):
        """A visit did not end: these tags are there, silence proves nothing."""
        if self._dead:
            # After `x` the protocol wants a whole set first: the visit is left out.
            return
        self._lines.say(self.number, "~", 1, *_fitting(tags))

    def died(self, why):
        """The chip does not answer, or answers nonsense."""
        if self._dead != why:
            self._dead, self._visits = why, 0
            self._lines.say(self.number, "x", why)

    def snapshot(self):
        """The state for those who listen only now."""
        if self._dead:
            self._lines.say(self.number, "x", self._dead)
        elif self._visits and not self._owes_set:
            self._say("=", self._visits, self._tags)

    def _say_set(self, tags):
        if self._visits and not self._dead and not _too_long(self._tags):
            self._say("=", self._visits, self._tags)
        self._dead, self._owes_set = "", False
        if _too_long(tags):
            self._lines.say(self.number, "~", 1, *_fitting(tags))
            self._visits = 0
            self._owes_set = True
        else:
            self._say("=", 1, tags)

    def _say(self, sign, visits, tags):
        self._lines.say(self.number, sign, visits, *sorted(tags))
        self._visits = 0


def _too_long(tags):
    return sum(len(tag) + 1 for tag in tags) > MOST_TEXT


def _fitting(tags):
    found, left = [], MOST_TEXT
    for tag in sorted(tags):
        left -= len(tag) + 1
        if left < 0:
            break
        found.append(tag)
    return found
