"""A contact that bounces, as the line protocol reports it."""


class Contact:
    """Contact `number`: open at power-up; a change counts when it has held for `debounce_ms`."""

    def __init__(self, number, lines, debounce_ms=20):
        self.number = number
        self._lines = lines
        self._debounce_ms = debounce_ms
        self._edges = 0
        self._since_ms = None

    @property
    def closed(self):
        """Whether it is closed, without its bouncing."""
        return self._edges % 2 == 1

    def read(self, closed, now_ms):
        """The pin says so at this moment."""
        if closed == self.closed:
            self._since_ms = None
        elif self._since_ms is None:
            self._since_ms = now_ms
        elif now_ms - self._since_ms >= self._debounce_ms:
            self._edges = (self._edges + 1) % 65536
            self._since_ms = None
            self.snapshot()

    def snapshot(self):
        """Report it as it is."""
        self._lines.say("k", self.number, self._edges % 2, self._edges)
