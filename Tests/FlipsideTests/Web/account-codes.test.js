// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { as, become, elsewhere, hub, linkCode, told } from "./scripted-accounts.js";
import { storage } from "./scripted-storage.js";
import { readCode } from "../../../web/store/account-code.js";
import { account, drawLinkCode, drawRecoveryCode, takeName, useCode } from "../../../web/store/account.js";
import { identity } from "../../../web/store/identity.js";

describe("A code", () => {
  test("gives a browser without a player a token of its own", async () => {
    const ann = await elsewhere("Ann");
    const code = await as(ann, linkCode);
    const { id, name, token, by } = await useCode(code);
    assert.deepEqual([id, name, by], [ann.id, "Ann", "link"]);
    assert.notEqual(token, ann.token);
    assert.deepEqual(hub.accounts[0].tokens, [ann.token, token]);
    assert.deepEqual(identity(), { id, name, token, log: hub.log });
  });

  test("of a link is valid as long as the hub says, whatever the browser's clock shows", async (context) => {
    await takeName("Ann");
    let clock = 5_000_000, steady = 1_000;
    context.mock.method(Date, "now", () => (clock -= 3_600_000));
    context.mock.method(performance, "now", () => steady);
    assert.equal((await drawLinkCode()).lifetime, 600_000);
  });

  test("works once", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    await useCode(code);
    become(null);
    await assert.rejects(useCode(code), /used already/);
    assert.equal(identity(), null);
  });

  test("whose answer got lost is requested again with the same token", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    hub.line = "lost";
    await assert.rejects(useCode(code), /Can’t reach/);
    assert.equal((await useCode(code)).name, "Ann");
    assert.equal(hub.accounts[0].tokens.length, 2);
  });

  for (const [where, isKept] of /** @type {[string, boolean][]} */ ([
    ["is stored nowhere, and its token only in the tab until the answer comes", true],
    ["is stored nowhere, nor is its token in a browser that stores nothing", false],
  ])) {
    test(`whose answer was lost ${where}`, async () => {
      const code = await as(await elsewhere("Ann"), linkCode), there = () => [...storage.ofTheTab.values()].join();
      storage.isOff = !isKept;
      hub.line = "lost";
      await assert.rejects(useCode(code), /Can’t reach/);
      const token = hub.accounts[0].tokens[1];
      const shared = [...storage.shared.values(), JSON.stringify(history.state)].join();
      assert.equal(there().includes(token), isKept);
      assert.ok(!shared.includes(token) && !(there() + shared).includes(code));
      await useCode(code);
      assert.ok(!there().includes(token));
    });
  }

  test("whose answer got lost works after other requests, as many as are remembered", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode), wrong = (n) => `${n}`.padStart(32, "X");
    const losing = async (one) => {
      hub.line = "lost";
      await assert.rejects(useCode(one), /Can’t reach/);
    };
    await losing(code);
    await assert.rejects(useCode(wrong(0)), /used already/);
    for (let n = 1; n < 8; n += 1) await losing(wrong(n));
    const kept = storage.ofTheTab.get("flipside.pending") ?? "";
    assert.equal((await useCode(code)).name, "Ann");
    become(null);
    storage.ofTheTab.set("flipside.pending", kept);
    await losing(wrong(8));
    await assert.rejects(useCode(code), /used already/);
  });

  test("that is answered does not affect other unanswered requests", async () => {
    const code = await as(await elsewhere("Ann"), linkCode), olga = await takeName("Olga");
    become(null);
    hub.line = "lost";
    await assert.rejects(useCode(code), /Can’t reach/);
    become(olga);
    await useCode(await linkCode());
    become(null);
    assert.equal((await useCode(code)).name, "Ann");
  });

  test("of one's own makes no second device of this browser", async () => {
    const ann = await takeName("Ann");
    const { by, ...player } = await useCode(await linkCode());
    assert.deepEqual(player, ann);
    assert.equal(hub.accounts[0].tokens.length, 1);
  });

  test("of another player changes nothing and is not used up until the user has confirmed", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    const olga = await takeName("Olga");
    await assert.rejects(useCode(code), ({ cause }) => cause.code === "token-has-name" && cause.name === "Ann");
    assert.deepEqual(identity(), olga);
    assert.equal((await useCode(code, { isAnother: true })).name, "Ann");
    assert.equal(identity()?.name, "Ann");
  });

  test("that changes this browser's player signs the old one out, unless no one could return as them", async () => {
    const ann = await elsewhere("Ann");
    const olga = await takeName("Olga");
    const becomeAnn = async () => useCode(await as(ann, linkCode), { isAnother: true });
    await becomeAnn();
    assert.deepEqual(hub.accounts[1].tokens, [olga.token], "the last device of a player without a recovery code stays");
    become(olga);
    await drawRecoveryCode();
    await becomeAnn();
    assert.deepEqual(hub.accounts[1].tokens, []);
    assert.ok(!told.some((one) => one.endsWith("signed-out")), String(told));
  });

  test("of recovery works once", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode);
    assert.equal((await useCode(code)).by, "recovery");
    assert.equal((await account())?.recoveryCode, false);
  });

  const code = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  for (const [written, read] of /** @type {[string, string | null][]} */ ([
    [code, code], [code.toLowerCase(), code], ["0123-4567 89AB-CDEF\nGHJK-MNPQ-RSTV-WXYZ ", code],
    ["oiL3456789abcdefghjkmnpqrstvwxyz", "0113456789ABCDEFGHJKMNPQRSTVWXYZ"],
    [`https://play.example/room/k3m7pq#code=${code}`, code], [`#code=${code}`, code],
    ["", null], [code.slice(1), null], [`${code}0`, null], [code.replace("Z", "U"), null], ["k3m7pq", null],
    ["https://play.example/room/k3m7pq", null],
  ])) test(`is read in ${JSON.stringify(written)}: ${read ?? "none"}`, () => assert.equal(readCode(written), read));
});
