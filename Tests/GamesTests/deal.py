"""Deals Memory decks as the rules say, apart from the hub: to check what the hub dealt.

Reads one JSON object a line:
  {"serverSeed": hex, "nonces": {seat: hex}, "faces": [text, ...], "cells": number, "drawn": [least, most] or null,
   "reshuffles"?: for each, the cells whose cards were face down}
and answers each with one line:
  {"gameSeed": hex, "words": the first 20, "pairs": number drawn or null, "deck": [text, or null on a gap, ...],
   "moves": for each reshuffle, [[from, to], ...], "decks": what lay where after it}
"""
import hashlib
import json
import sys


def words(seed):
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def number_below(stream, bound):
    limit = 2**32 // bound * bound
    while True:
        word = next(stream)
        if word < limit:
            return word % bound


def shuffle(stream, items):
    for i in range(len(items) - 1, 0, -1):
        j = number_below(stream, i + 1)
        items[i], items[j] = items[j], items[i]


def reshuffle(stream, deck, down):
    """The deck after a reshuffle of the cards on the cells `down`, and where each that moved has gone."""
    cells = sorted(down)
    laid = list(cells)
    shuffle(stream, laid)
    after = list(deck)
    for source, target in zip(laid, cells):
        after[target] = deck[source]
    return after, sorted([source, target] for source, target in zip(laid, cells) if source != target)


def deal(game):
    nonces = sorted((int(seat), bytes.fromhex(nonce)) for seat, nonce in game["nonces"].items())
    opened = b"".join(bytes([seat]) + nonce for seat, nonce in nonces)
    seed = hashlib.sha256(b"flipside/deck/1" + bytes.fromhex(game["serverSeed"]) + opened).digest()
    stream = words(seed)
    pairs = None
    if game.get("drawn"):
        least, most = game["drawn"]
        pairs = least + number_below(stream, most - least + 1)
    faces = list(dict.fromkeys(game["faces"]))
    shuffle(stream, faces)
    cells = game["cells"]
    cards = [face for face in faces[: cells // 2] for _ in range(2)]
    shuffle(stream, cards)
    if cells % 2:
        cards.insert(cells // 2, None)
    deck, moves, decks = cards, [], []
    for down in game.get("reshuffles", []):
        deck, moved = reshuffle(stream, deck, down)
        moves.append(moved)
        decks.append(deck)
    first = [word for word, _ in zip(words(seed), range(20))]
    return {"gameSeed": seed.hex(), "words": first, "pairs": pairs, "deck": cards, "moves": moves, "decks": decks}


for line in sys.stdin:
    print(json.dumps(deal(json.loads(line)), ensure_ascii=False), flush=True)
