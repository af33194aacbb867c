"""Sensing of a table as the site file describes it."""

from tablebridge.model.decks import Inventory
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry
from tablebridge.settings.site import Table


def sensor_of(table: Table, inventory: Inventory) -> Sensor:
    """The sensor of a table: its antennas and contacts, and the tags of all decks and chips of the box."""
    return Sensor(table.antenna_places, table.contact_meanings, DeckRegistry(inventory))
