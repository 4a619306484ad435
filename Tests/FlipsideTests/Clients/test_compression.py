"""Compressed messages (RFC 7692), inflated by a client that keeps no more than the window it asked for."""

import random

import pytest
import websockets
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory


@pytest.fixture(scope="module")
def hub(make_module_hub):
    hub = make_module_hub("--echo", "/echo")
    hub.start()
    return hub


@pytest.mark.parametrize("bits", range(8, 16))
async def test_nothing_refers_further_back_than_the_requested_window(hub, bits):
    letters = random.Random(bits)
    part = "".join(letters.choices("abcd", k=600 << (bits - 8)))
    asked = ClientPerMessageDeflateFactory(server_max_window_bits=bits)
    url = f"ws://127.0.0.1:{hub.port}/echo"
    async with websockets.connect(url, compression=None, extensions=[asked], max_size=None) as echo:
        for text in part * 3, "short", part[::-1] * 2:
            await echo.send(text)
            assert await echo.recv() == text
