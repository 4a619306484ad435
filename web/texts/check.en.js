// @ts-check
import { addTexts } from "./texts.js";

/** The sentences in English that only the results of a check have. */
export const en = {
  "check.running": "Checking…",
  "check.all.holds": "Everything checks out.",
  "check.all.fails": "Something doesn’t check out.",
  "check.all.missing": "It checks out, but a promised number is missing.",
  "check.missing.so-far": "Everything so far checks out, but a promised number is missing.",
  "check.so-far.game": "Everything so far checks out. The deal can be checked when the game is over.",
  "check.so-far.chain": "Everything so far checks out. The record can’t be compared with the server’s fingerprint right now.",
  "check.so-far.chain-game": "Everything so far checks out. The record can’t be compared with the server’s fingerprint right now. The deal can be checked when the game is over.",
  "check.so-far.unknown": "Everything so far checks out. This page doesn’t know the game, so it can’t check how it was dealt.",
  "check.see": "Show event {version}",
  "check.log.holds": "All {count} events are there, in order.",
  "check.log.holds.one": "The only event is there.",
  "check.log.fails": "The record breaks at event {version}: something is missing or out of order.",
  "check.chain.holds": "The chained fingerprints of the first {count} events match the server’s: {head}",
  "check.chain.holds.one": "The fingerprint of the first event matches the server’s: {head}",
  "check.chain.fails": "The chained fingerprints don’t match the server’s: something from event {from} to event {to} was changed.",
  "check.chain.open": "The server’s fingerprint isn’t available right now, so there is nothing to compare with.",
  "check.fold.fails": "Event {version} isn’t possible in this game.",
  "check.undealt.holds": "Game {game}: nothing was dealt in secret.",
  "check.unknown.open": "This page doesn’t know the game, so it can’t check how it was dealt.",
  "check.commitment.holds": "Game {game}: the server’s number is the one it promised: {hash}",
  "check.commitment.fails": "Game {game}: the server’s number, at event {version}, isn’t the one it promised.",
  "check.commitment.open": "Game {game}: not over yet. The server shows its number at the end.",
  "check.nonces.holds": "Game {game}: {count} players added their own numbers to the shuffle, each as promised.",
  "check.nonces.holds.one": "Game {game}: one player added a number to the shuffle, as promised.",
  "check.nonces.none": "Game {game}: no player added a number to the shuffle.",
  "check.nonces.fails": "Game {game}: the number from seat {seat}, at event {version}, isn’t the one promised.",
  "check.nonces.missing": "Game {game}: {count} promised numbers are missing from the shuffle.",
  "check.nonces.missing.one": "Game {game}: one promised number is missing from the shuffle.",
  "check.seals.holds": "Game {game}: all {count} sealed moves were opened at the end, each as it was sealed.",
  "check.seals.holds.one": "Game {game}: the one sealed move was opened at the end, as it was sealed.",
  "check.seals.fails": "Game {game}: the move sealed at event {version} isn’t the one opened at the end.",
  "check.seals.open": "Game {game}: not over yet. Sealed moves are opened at the end.",
  "check.unused.holds": "For a game that was never played, the server’s number is the one it promised.",
  "check.unused.fails": "For a game that was never played, the server’s number, at event {version}, isn’t the one it promised.",
};

addTexts({ en });
