// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { as, become, elsewhere, hub, told } from "./scripted-accounts.js";
import {
  account, checkIdentity, comeBack, drawRecoveryCode, forgetMe, signOut, signOutDevice, switchTo, takeName, useCode,
} from "../../../web/store/account.js";
import { forget, identity, noteNames, noteSignedOut } from "../../../web/store/identity.js";
import { dropPlayer, savedPlayers } from "../../../web/store/saved-players.js";
import { remember } from "../../../web/store/storage.js";

describe("A name", () => {
  test("that the hub normalises is still the player's own when typed again", async () => {
    const player = await takeName("Ａｎｎ");
    assert.equal(player.name, "Ann");
    assert.deepEqual(await takeName(" Ａｎｎ "), player);
    assert.deepEqual(identity(), player);
    assert.equal(hub.accounts.length, 1);
  });

  test("that the player already has sends no request", async () => {
    const player = await takeName("Ann");
    assert.deepEqual(await takeName(" Ann "), player);
    assert.deepEqual(hub.asked, ["POST /api/players"]);
  });

  test("of another player is refused, and the player's own stays", async () => {
    await elsewhere("Ben");
    const player = await takeName("Ann");
    await assert.rejects(takeName("Ben"), /has this name|looks like/);
    assert.deepEqual(identity(), player);
  });

  test("that is changed keeps the player", async () => {
    const { id, token } = await takeName("Ann");
    assert.deepEqual(await takeName("Cy"), { id, name: "Cy", token, log: hub.log });
    assert.deepEqual(hub.accounts.map(({ name }) => name), ["Cy"]);
  });

  test("whose answer got lost is the player's own when requested again", async () => {
    hub.line = "lost";
    await assert.rejects(takeName("Ann"), /Can’t reach/);
    assert.equal((await takeName("Ann")).name, "Ann");
    assert.equal(hub.accounts.length, 1);
  });

  test("that another device has changed is known here with the hub's next answer", async () => {
    const { id } = await takeName("Ann");
    noteNames({ other: "Ben" });
    assert.equal(identity()?.name, "Ann");
    noteNames({ other: "Ben", [id]: "Cy" });
    assert.equal(identity()?.name, "Cy");
    hub.accounts[0].name = "Dee";
    await account();
    assert.equal(identity()?.name, "Dee");
  });
});

describe("A player that another page of the browser has set in the meantime", () => {
  const olga = { id: "id of Olga", name: "Olga", token: "olga's", log: "log-1" };

  test("stays when a name is changed, or when there is none", async () => {
    await takeName("Ann");
    hub.meanwhile = () => become(olga);
    assert.deepEqual(await takeName("Cy"), olga);
    assert.deepEqual(identity(), olga);
    hub.meanwhile = () => become(null);
    hub.accounts.push({ id: olga.id, name: olga.name, tokens: [olga.token], hasRecovery: false });
    await assert.rejects(takeName("Dee"), /signed out/);
    assert.equal(identity(), null);
  });

  test("stays when a first name is taken, and no player has that name", async () => {
    hub.meanwhile = () => become(olga);
    assert.deepEqual(await takeName("Ann"), olga);
    assert.deepEqual([identity(), hub.accounts], [olga, []]);
  });

  test("stays when the old one signs out or is deleted", async () => {
    await takeName("Ann");
    await drawRecoveryCode();
    hub.meanwhile = () => become(olga);
    await signOut();
    assert.deepEqual(identity(), olga);
    become(null);
    await takeName("Ben");
    hub.meanwhile = () => become(olga);
    await forgetMe();
    assert.deepEqual(identity(), olga);
  });

  test("stays when the hub does not know the old one", async () => {
    await takeName("Ann");
    hub.accounts = [];
    hub.meanwhile = () => become(olga);
    await checkIdentity();
    assert.deepEqual(identity(), olga);
    noteSignedOut("another's");
    forget("another's");
    assert.deepEqual(identity(), olga);
  });

  test("is asked about before a code is used, which keeps the code", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode);
    hub.meanwhile = () => become(olga);
    await assert.rejects(useCode(code), ({ cause }) => cause.code === "token-has-name" && cause.name === "Ann");
    assert.deepEqual(identity(), olga);
    assert.equal((await useCode(code, { isAnother: true })).name, "Ann");
    assert.equal(hub.accounts[0].tokens.length, 2);
  });
});

describe("A device", () => {
  test("that is signed out elsewhere learns of it, and one that signs itself out gets no message", async () => {
    const first = await takeName("Ann");
    const second = await as(first, drawRecoveryCode).then(async (code) => {
      become(null);
      return useCode(code);
    });
    await signOutDevice(first.token);
    become(first);
    told.length = 0;
    await checkIdentity();
    assert.deepEqual([identity(), told], [null, ["undefined signed-out"]]);
    become(second);
    await drawRecoveryCode();
    told.length = 0;
    await Promise.all([signOut(), checkIdentity()]);
    assert.deepEqual([identity(), told], [null, ["undefined chosen"]]);
    assert.deepEqual(hub.accounts[0].tokens, []);
  });

  test("that is the last one stays while no one could return", async () => {
    const ann = await takeName("Ann");
    await assert.rejects(signOut(), /recovery code/);
    assert.deepEqual(identity(), ann);
  });

  test("whose hub does not answer keeps its player", async () => {
    const ann = await takeName("Ann");
    hub.line = "lost";
    await checkIdentity();
    assert.deepEqual(identity(), ann);
  });

  test("of a deleted player has no player", async () => {
    await takeName("Ann");
    told.length = 0;
    await forgetMe();
    assert.deepEqual([hub.accounts, identity(), told], [[], null, ["undefined chosen"]]);
  });
});

describe("A token", () => {
  for (const status of [401, 403, 404, 429, 500, 502]) {
    test(`stays when a proxy answers ${status} in place of the hub`, async () => {
      const ann = await takeName("Ann");
      hub.line = status;
      await assert.rejects(account(), ({ message, cause }) =>
        message.includes(`${status}`) && cause.status === status && cause.code === undefined);
      assert.deepEqual([identity(), savedPlayers()], [ann, []]);
    });
  }

  for (const [what, act] of Object.entries({ signOut, forgetMe })) {
    test(`stays when an answer 204 is not the hub's: ${what}`, async () => {
      const ann = await takeName("Ann");
      await drawRecoveryCode();
      hub.proxied = { DELETE: 204 };
      await assert.rejects(act(), /204/);
      assert.deepEqual([identity(), hub.accounts.length], [ann, 1]);
    });
  }

  test("stays when an answer 200 is not the hub's", async () => {
    const ann = await takeName("Ann");
    hub.line = 200;
    await assert.rejects(account(), /A proxy answered with 200/);
    assert.deepEqual(identity(), ann);
  });

  test("that the hub does not know is saved, and used again once the hub knows it", async () => {
    const ann = await takeName("Ann"), accounts = hub.accounts;
    hub.accounts = [];
    await checkIdentity();
    await comeBack();
    assert.deepEqual([identity(), savedPlayers()], [null, [{ ...ann, isSignedOut: true }]]);
    hub.accounts = accounts;
    accounts[0].name = "Anna";
    await checkIdentity();
    assert.deepEqual([identity(), savedPlayers()], [{ ...ann, name: "Anna" }, []]);
    assert.deepEqual(told.slice(-2), ["undefined signed-out", "Anna back"]);
  });

  test("is forgotten only when the user says so", async () => {
    const ann = await takeName("Ann"), accounts = hub.accounts;
    hub.accounts = [];
    await checkIdentity();
    dropPlayer(ann.token);
    hub.accounts = accounts;
    await checkIdentity();
    assert.deepEqual([identity(), savedPlayers()], [null, []]);
  });

  test("is saved if this browser has another player since, and can be used again", async () => {
    const ann = await takeName("Ann"), accounts = hub.accounts;
    hub.accounts = [];
    await checkIdentity();
    const bob = await takeName("Bob");
    hub.accounts = [...accounts, ...hub.accounts];
    await checkIdentity();
    assert.deepEqual(identity(), bob);
    await switchTo(savedPlayers()[0]);
    assert.deepEqual([identity(), savedPlayers()], [ann, [{ ...bob, isGivenUp: true }]]);
  });

  test("of a last device is saved when a code changes this browser's player", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode), olga = await takeName("Olga");
    await useCode(code, { isAnother: true });
    assert.deepEqual(savedPlayers(), [{ ...olga, isGivenUp: true }]);
  });
});

describe("A browser whose user has left by choice", () => {
  for (const [what, leave] of Object.entries({ signOut, forgetMe })) {
    test(`has no player, though a given-up one is saved: ${what}`, async () => {
      const ann = await takeName("Ann");
      hub.accounts[0].hasRecovery = true;
      become(null);
      const bob = await takeName("Bob");
      await switchTo(ann);
      await leave();
      await checkIdentity();
      assert.deepEqual([identity(), savedPlayers().map(({ token }) => token)], [null, [bob.token]]);
    });

    test(`has no player, though the hub knows an earlier one again: ${what}`, async () => {
      await takeName("Bob");
      const [bob] = hub.accounts;
      hub.accounts = [];
      await checkIdentity();
      await takeName("Ann");
      Object.assign(hub, { accounts: [{ ...hub.accounts[0], hasRecovery: true }, bob] });
      await leave();
      await checkIdentity();
      assert.deepEqual([identity(), savedPlayers().map(({ name }) => name)], [null, ["Bob"]]);
    });
  }

  test("has no player, though signing out one given up for a code failed", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode), olga = await takeName("Olga");
    await useCode(code, { isAnother: true });
    await signOut();
    await checkIdentity();
    assert.deepEqual([identity(), savedPlayers().map(({ token }) => token)], [null, [olga.token]]);
  });
});

test("A browser whose player is signed out does not switch to a given-up one by itself", async () => {
  const ann = await takeName("Ann");
  become(null);
  await takeName("Bob");
  await switchTo(ann);
  hub.accounts = hub.accounts.filter(({ name }) => name === "Bob");
  await checkIdentity();
  await checkIdentity();
  assert.equal(identity(), null);
});

describe("Another hub at the same address", () => {
  /** Another log, in which no one is known. */
  const change = (log) => {
    const { accounts } = hub;
    Object.assign(hub, { log, accounts: [] });
    return accounts;
  };

  test("has its own players, and the first hub's return with it", async () => {
    const ann = await takeName("Ann"), accounts = change("log-2");
    await checkIdentity();
    assert.deepEqual([identity(), savedPlayers(), told.at(-1)], [null, [ann], "undefined elsewhere"]);
    const bob = await takeName("Bob");
    Object.assign(hub, { log: "log-1", accounts });
    await checkIdentity();
    assert.deepEqual([identity(), savedPlayers(), told.at(-1)], [ann, [bob], "Ann back"]);
  });

  test("is noticed by a browser that has no player there", async () => {
    const ann = await takeName("Ann"), accounts = change("log-2");
    await checkIdentity();
    hub.asked = [];
    Object.assign(hub, { log: "log-1", accounts });
    await comeBack();
    assert.deepEqual(identity(), ann);
    assert.deepEqual(hub.asked, ["GET /api/rooms"], "the other hub is told no token");
  });

  test("is not assumed for a player saved before hubs had ids", async () => {
    const { log, ...ann } = await takeName("Ann");
    remember("flipside.player", ann);
    hub.line = 401;
    await assert.rejects(account());
    assert.deepEqual(identity(), ann);
    await checkIdentity();
    assert.deepEqual(identity(), { ...ann, log });
  });
});

describe("A request with a new token", () => {
  test("is repeated with it when a proxy has refused it", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode);
    hub.line = "lost";
    await assert.rejects(useCode(code));
    for (const status of [403, 404, 429]) {
      hub.line = status;
      await assert.rejects(useCode(code), ({ cause }) => cause.status === status);
    }
    assert.equal((await useCode(code)).name, "Ann");
    assert.equal(hub.accounts[0].tokens.length, 2);
  });

  test("is repeated with it when another hub has refused it", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode), { accounts } = hub, codes = new Map(hub.codes);
    hub.line = "lost";
    await assert.rejects(useCode(code));
    Object.assign(hub, { log: "log-2", accounts: [] });
    hub.codes.clear();
    await assert.rejects(useCode(code), /used already/);
    Object.assign(hub, { log: "log-1", accounts });
    assert.ok(codes.size > 0);
    assert.equal((await useCode(code)).name, "Ann");
  });
});
