"""What an installation is made of, for the record: software, antennas, decks, and on which terms hole cards
are shown.
"""

import hashlib

from tablebridge import __version__
from tablebridge.journal.records import InstallationRecord
from tablebridge.model.decks import Deck, Inventory
from tablebridge.model.disclosure import Terms
from tablebridge.settings.site import Site, Table


def installation_of(site: Site, table: Table, inventory: Inventory) -> InstallationRecord:
    """What stands under this table, and what its overlay shows."""
    terms = Terms(site.web.overlay_delay_s, site.web.overlay_reveal, site.web.overlay_hole_cards)
    antennas = {device.name: dict(sorted(device.antennas.items())) for device in table.devices}
    return InstallationRecord(
        __version__, terms, antennas, {deck.name: _hash(deck) for deck in inventory.decks}
    )


def _hash(deck: Deck) -> str:
    lines = [deck.kind, *sorted(f"{tag} {card}" for tag, card in deck.cards.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
