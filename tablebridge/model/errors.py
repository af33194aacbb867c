"""Errors by what the reader can do about them. Anything else that is raised is a bug."""


class TablebridgeError(Exception):
    """The root. The message is a sentence for a person and says what to do; it never holds a card's face.
    `status`: with which a command ends that meets it.
    """

    status = 2


class ConfigError(TablebridgeError):
    """A file of the user is wrong: it must be corrected before the next start."""


class BrokenDriver(ConfigError):
    """An installed driver cannot be used: its package is broken, or another claims its name. No other device
    is hurt.
    """


class SecondEngineError(TablebridgeError):
    """Another engine serves the same table, and was started first: this one ends and is not started again."""

    status = 3


class LinkError(TablebridgeError):
    """A device cannot be opened or went away: it is tried again."""


class BrokerError(TablebridgeError):
    """The broker is away or refuses: the outbox waits."""


class Refused(TablebridgeError):
    """A command of a person cannot be done now; the sentence says why. Nothing was changed."""


class Moved(Refused):
    """A command was meant for a turn that has passed."""


class ScriptError(TablebridgeError):
    """A table script cannot be read: file, line and what was expected."""


class JournalError(TablebridgeError):
    """The journal fails its own verification, or another process writes it."""


class JournalBroken(JournalError):
    """The journal fails its own verification or is damaged: it is kept, and another one begun."""
