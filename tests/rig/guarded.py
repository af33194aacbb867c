"""Servers of a room that know an authority: boxes join as they do in a room."""

import asyncio
import json
from pathlib import Path

from nats.aio.client import Client
from rig.room import SITE

from tablebridge.archive.admitting import Admission
from tablebridge.archive.authority import Authority
from tablebridge.sim.room.servers import Cluster
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.joining import read_token, rights_of_archive
from tablebridge.stream.layout import make_stream
from tablebridge.uplink.join import join
from tablebridge.uplink.joined import credentials_of, load_joined


class Guarded:
    """Servers that know an authority, with a stream."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = Authority(folder / "authority", SITE)
        self.archive = folder / "archive.creds"
        self.archive.write_text(self.authority.credentials("archive", rights_of_archive()))
        self.cluster = Cluster(
            folder / "servers",
            more=lambda node: self.authority.server_lines(json.dumps(str(folder / f"jwt-{node}"))),
        )

    async def start(self) -> None:
        self.cluster.start()
        await self.cluster.ready(Credentials("archive", self.archive))
        client = await connect(self.cluster.addresses, Credentials("archive", self.archive))
        await make_stream(client.jetstream(timeout=10), SITE)
        await client.close()

    async def join(self, box: str, folder: Path) -> Client:
        admission = Admission(self.authority, self.cluster.addresses, box)
        waiting = asyncio.create_task(admission.wait(60))
        await asyncio.sleep(0.3)
        joined = await join(read_token(admission.token), folder, ["t1"])
        await waiting
        return await connect(joined.servers, credentials_of(folder, load_joined(folder)))
