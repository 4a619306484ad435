"""Pages and requests that record everything sent and received."""

import json

from flipside import Page

# Recorded messages: the direction, or the kind of an HTTP body, and the message.
TRAFFIC = []
# The hands that each room has sent, by its code.
HANDS = {}


def record(direction, message):
    TRAFFIC.append((direction, message))


class LoudPage(Page):
    """Records what it sends and receives, and a newcomer's welcome after each of its commands."""

    @classmethod
    async def join(cls, server, code, token=None, **hello):
        page = await super().join(server, code, token, **hello)
        page.server, page.code = server, code
        return page

    async def command(self, type, **fields):
        answer = await super().command(type, **fields)
        newcomer = await LoudPage.join(self.server, self.code)
        await newcomer.socket.close()
        return answer

    async def next(self):
        message = await super().next()
        record("hub", message)
        if message["type"] == "hand":
            self.hand = message["hand"]
            HANDS.setdefault(self.code, []).append(message)
        return message

    async def say(self, message):
        record("client", message)
        await self.socket.send(json.dumps(message))

    async def send(self, type, **fields):
        self.count += 1
        id = f"{self.prefix}{self.count}"
        await self.say({"type": type, "id": id} | fields)
        return id

    async def until_type(self, *types):
        return await self.until(lambda message: message["type"] in types)


def ask(server, kind, method, path, token=None, body=None):
    """The JSON answer to a request, recorded as `kind`."""
    answer = json.loads(server.http(method, path, token, body))
    record(kind, answer)
    return answer


def problem(server, wanted, method, path, token=None, body=None):
    """A request that must be refused with this status."""
    status, text = server.ask(method, path, token, body)
    assert status == wanted, path
    record("http.problem", json.loads(text))
