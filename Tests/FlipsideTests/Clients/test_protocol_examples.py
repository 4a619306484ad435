"""The pages of the protocol show what is so: messages are real output, held to what a hub says in the same scene; shell
lines and programs run; test vectors come out. With FLIPSIDE_WRITE_EXAMPLES=1 messages are written into the pages instead."""

import asyncio, hashlib, json, os, struct, sys

import pytest

from flipside import finish, surroundings
from protocol_pages import blocks, lines, normalised, rewrite, unmarked, vector
from protocol_scenes import OPTIONS, all_examples
from protocol_schema import Checker

BOTS = [name for _, name, _ in blocks("program") if name.endswith("_bot.py")]


def examples():
    return [(page.name, name, text) for page, name, text in blocks("example")]


@pytest.fixture(scope="module")
def real(make_module_hub, tmp_path_factory):
    texts = finish(all_examples(lambda: make_module_hub(*OPTIONS, data=tmp_path_factory.mktemp("data"))), 120)
    if os.environ.get("FLIPSIDE_WRITE_EXAMPLES"):
        rewrite(texts)
    return texts


@pytest.mark.seconds(25)
@pytest.mark.xdist_group("protocol")
def test_every_example_is_real_output(real):
    shown = {name: normalised(text) for _, name, text in examples()}
    wrong = {name: (text, found) for name, text in shown.items() if text != (found := normalised(real.get(name, "none")))}
    assert wrong == {}, "not what the hub says; FLIPSIDE_WRITE_EXAMPLES=1 writes them"


@pytest.mark.xdist_group("protocol")
def test_every_scene_is_shown(real):
    assert set(real) - {name for _, name, _ in examples()} == set()


def test_every_block_says_what_it_is():
    assert unmarked() == []


def test_every_example_fits_the_schema():
    checker, wrong = Checker(), []
    for page, name, text in examples():
        for line in lines(text):
            if line[:1] == "{" or line[:2] in ("> ", "< ") and line[2:3] == "{":
                message = json.loads(line.removeprefix("> ").removeprefix("< "))
                side = "client" if line.startswith("> ") else "hub"
                # Views and answers of HTTP stand alone.
                if "type" in message and (found := checker.violation(side, message)):
                    wrong.append((page, name, found))
    assert wrong == []
    shown = {kind for kind in checker.schema["$defs"] if kind.split(".")[0] in ("client", "event", "hub")
             and "." in kind} - set(checker.counts)
    assert shown == set(), "of these no page has an example"


@pytest.mark.parametrize("bot", BOTS)
async def test_the_bots_play_whole_games(make_hub, tmp_path, bot):
    for _, name, text in blocks("program"):
        (tmp_path / name).write_text(text)
    process = await asyncio.create_subprocess_exec(
        sys.executable, bot, cwd=tmp_path, env=surroundings() | {"HUB": make_hub("--think-time", 0).start().base},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    printed = (await process.communicate())[0].decode()
    assert process.returncode == 0 and "'place': 1" in printed, printed


def sha(data):
    return hashlib.sha256(data).digest()


class Words:
    """The stream of words of a game, as the page describes it."""

    def __init__(self, seed):
        self.seed, self.count = seed, 0

    def next(self):
        block = struct.unpack(">8I", sha(self.seed + struct.pack(">I", self.count // 8)))
        self.count += 1
        return block[(self.count - 1) % 8]

    def below(self, bound):
        while (word := self.next()) >= 2**32 // bound * bound:
            pass
        return word % bound

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def test_the_chain_of_the_page_comes_out():
    given = vector("chain")
    head = sha(f"room/{given['code']}".encode())
    assert head.hex() == given["head 0"]
    for number in (1, 2):
        line = given[f"line {number}"].encode()
        head = sha(head + sha(line) + bytes.fromhex(json.loads(line).get("commitment", "")))
        assert (sha(line).hex(), head.hex()) == (given[f"hash {number}"], given[f"head {number}"])


@pytest.mark.parametrize("name", ["deck", "shuffle"])
def test_the_cards_of_the_page_are_dealt(name):
    given = vector(name)
    seed = bytes.fromhex(given["seed"])
    nonces = {int(key[6:]): bytes.fromhex(value) for key, value in given.items() if key.startswith("nonce ")}
    assert all(sha(nonce).hex() == given[f"promise {seat}"] for seat, nonce in nonces.items())
    game = sha(b"flipside/deck/1" + seed + b"".join(bytes([seat]) + nonce for seat, nonce in sorted(nonces.items())))
    assert game.hex() == given["gameSeed"] and given.get("commitment", sha(seed).hex()) == sha(seed).hex()
    first = Words(game)
    assert " ".join(f"{first.next():08x}" for _ in range(8)) == given["words"]
    words = Words(game)
    faces = words.shuffled(str(number) for number in range(1, 49))[:3]
    deck = words.shuffled(face for face in faces for _ in range(2))
    assert (" ".join(faces), " ".join(deck)) == (given["faces"], given["deck"])
    if name == "deck":
        return
    following = Words(game)
    following.count = words.count
    order = words.shuffled(range(6))
    moves = sorted([cell, place] for place, cell in enumerate(order) if place != cell)
    after = list(deck)
    for cell, place in moves:
        after[place] = deck[cell]
    next_words = " ".join(f"{following.next():08x}" for _ in range(words.count - following.count))
    assert (next_words, " ".join(map(str, order)), json.dumps(moves, separators=(",", ":")), " ".join(after)) == (
        given["next words"], given["order"], given["moves"], given["deck after"])
