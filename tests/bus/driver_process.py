"""A driver to be killed: reads COUNT readings, 300 ahead of the broker. Arguments: folder, port, password,
COUNT.
"""

import sys
from pathlib import Path

from tablebridge.bus.client import BusClient
from tablebridge.bus.outbox import Outbox
from tablebridge.bus.sender import Sender
from tablebridge.bus.topics import READING
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep
from tablebridge.settings.site import Broker

folder, port, password, count = sys.argv[1:]
outbox = Outbox(Path(folder) / "outbox" / "feig1")
client = BusClient(Broker(port=int(port)), "driver-feig1", "dev-feig1", password)
sender = Sender(client, outbox, READING.of("site", "table1", "feig1"))
for _ in range(int(count)):
    outbox.append([("feig1", Instant(0, 0), Sweep(1, ()))])
    sender.pump()
    client.step(0)
    while outbox.waiting > 300:
        sender.pump()
        client.step(0.01)
