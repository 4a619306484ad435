// @ts-check
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { describe, test } from "node:test";
import { Nonces } from "../../../web/store/nonces.js";
import { sha256 } from "../../../web/cryptography/sha256.js";

// Browsers and newer versions of Node have it already.
globalThis.crypto ??= /** @type {any} */ (webcrypto);

describe("SHA-256, FIPS 180-4", () => {
  for (const [text, digest] of [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
  ]) test(`of "${text}"`, () => assert.equal(sha256(new TextEncoder().encode(text)), digest));

  test("of every length up to four blocks, like Node's", () => {
    for (let length = 0; length <= 256; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
      assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"));
    }
  });
});

describe("A page's part in the draw", () => {
  const dealing = (commitment, awaited = [0]) =>
    ({ status: "dealing", dealing: { awaited, seats: [{ seat: 0, player: "a", commitment }] } });
  const hash = (nonce) => createHash("sha256").update(Buffer.from(nonce, "hex")).digest("hex");

  test("opens its nonce, and commits to the next one with it", () => {
    const nonces = new Nonces("room");
    const promise = nonces.commitment();
    assert.equal(nonces.commitment(), promise);
    const ready = nonces.answer(dealing(promise), 0);
    assert.equal(hash(ready.nonce), promise);
    nonces.opened(ready);
    const next = nonces.answer(dealing(ready.commitment), 0);
    assert.equal(hash(next.nonce), ready.commitment);
  });

  test("says the same if asked twice before the hub has answered", () => {
    const nonces = new Nonces("room");
    const promise = nonces.commitment();
    assert.deepEqual(nonces.answer(dealing(promise), 0), nonces.answer(dealing(promise), 0));
  });

  test("is silent if it is not asked, or made no commitment", () => {
    const nonces = new Nonces("room");
    const promise = nonces.commitment();
    assert.equal(nonces.answer(dealing(promise, []), 0), null);
    assert.equal(nonces.answer(dealing("00".repeat(32)), 0), null);
    assert.equal(nonces.answer(dealing(promise), undefined), null);
    assert.equal(nonces.answer({ status: "running" }, 0), null);
  });
});
