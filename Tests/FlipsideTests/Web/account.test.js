// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

const storage = new Map(), ofTheTab = new Map();
const stands = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, value });
/** What a browser keeps, in `kept`. */
const storing = (kept) => ({
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => {
    if (isOff) throw new Error("SecurityError");
    kept.set(key, value);
  },
  removeItem: (key) => void kept.delete(key),
});
let isOff = false;
stands("localStorage", storing(storage));
stands("sessionStorage", storing(ofTheTab));
stands("history", { state: null, replaceState(state) { this.state = state; } });
stands("fetch", (path, { method, headers, body }) => answer(method, path, headers.Authorization?.slice(7), body));

const { readCode } = await import("../../../web/store/account-code.js");
const { account, checkIdentity, drawLinkCode, drawRecoveryCode, forgetMe, signOut, signOutDevice, takeName, useCode } =
  await import("../../../web/store/account.js");
const { dropCode } = await import("../../../web/store/pending-token.js");
const { deviceLabel } = await import("../../../web/store/device-label.js");
const { adopt, followIdentity, forget, identity, lose, noteNames } = await import("../../../web/store/identity.js");

/**
 * A hub that keeps letters of full width as plain ones, as the real one does. An account's devices are its tokens.
 * @type {{id: string, name: string, tokens: string[], hasRecovery: boolean}[]}
 */
let accounts = [];
/** Who made a code, and what it is: each works once. @type {Map<string, {id: string, by: string}>} */
const codes = new Map();
let asked = /** @type {string[]} */ ([]), told = /** @type {string[]} */ ([]);
/** What comes of the next answer. @type {"given" | "lost"} */
let line = "given";
/** The hub's, of which the browser's may know little. */
const clock = new Date(60_000);
/** What happens in the browser's other pages while the next answer is under way. */
let meanwhile = () => {};

async function answer(method, path, token, body) {
  asked.push(`${method} ${path}`);
  const [status, fields] = answered(method, path, token, body && JSON.parse(body));
  const isLost = line === "lost";
  line = "given";
  meanwhile();
  meanwhile = () => {};
  if (isLost) throw new TypeError("Failed to fetch");
  return { ok: status < 400, status, headers: new Headers({ Date: clock.toUTCString() }), json: async () => fields };
}

/** @returns {[number, any]} */
function answered(method, path, token, body) {
  const own = accounts.find(({ tokens }) => tokens.includes(token ?? body?.token));
  if (path === "/api/players") return registered(own, body);
  if (path === "/api/players/devices") return added(own, body);
  if (!own) return [401, { code: "unknown-token" }];
  const [, , , , what, device] = path.split("/");
  if (what === "name") return renamed(own, body.name.normalize("NFKC"));
  if (what === "devices") return revoked(own, device);
  if (what?.endsWith("-code")) return [201, { code: codeOf(own, what.slice(0, -5)), until: clock.getTime() + 600_000 }];
  if (method === "DELETE") accounts = accounts.filter((one) => one !== own);
  return method === "DELETE" ? [204, {}] : [200, shown(own, token)];
}

function registered(own, { name, token }) {
  const kept = name.normalize("NFKC");
  if (own) return own.name === kept ? [200, own] : [409, { code: "token-has-name" }];
  if (accounts.some((one) => one.name === kept)) return [409, { code: "name-taken" }];
  accounts.push({ id: `id of ${kept}`, name: kept, tokens: [token], hasRecovery: false });
  return [201, { id: `id of ${kept}`, name: kept }];
}

function added(own, { code, token }) {
  const { id, by } = codes.get(code) ?? {}, other = accounts.find((one) => one.id === id);
  if (!other) return own?.lastCode === code ? [200, { ...own, by: "link" }] : [404, { code: "unknown-code" }];
  if (own && own !== other) return [409, { code: "token-has-name", name: other.name }];
  if (!own) other.tokens.push(token);
  codes.delete(code);
  Object.assign(other, { lastCode: code, hasRecovery: other.hasRecovery && by !== "recovery" });
  return [201, { id: other.id, name: other.name, by }];
}

function renamed(own, name) {
  if (accounts.some((one) => one !== own && one.name === name)) return [409, { code: "name-taken" }];
  own.name = name;
  return [200, { id: own.id, name }];
}

function revoked(own, device) {
  if (!own.tokens.includes(device)) return [404, { code: "no-such-device" }];
  if (own.tokens.length === 1 && !own.hasRecovery) return [409, { code: "last-device" }];
  own.tokens = own.tokens.filter((one) => one !== device);
  return [204, {}];
}

const shown = ({ id, name, tokens, hasRecovery }, token) => ({
  id, name, recoveryCode: hasRecovery,
  devices: tokens.map((one) => ({ id: one, label: "", since: 0, ...(one === token && { current: true }) })),
});

function codeOf(own, by) {
  const code = `${codes.size}`.padStart(32, "Z");
  codes.set(code, { id: own.id, by });
  own.hasRecovery ||= by === "recovery";
  return code;
}

followIdentity((player, how) => told.push(`${player?.name} ${how}`));

const linkCode = async () => (await drawLinkCode()).code;

/** This browser is `player`, whoever it was; null is nobody. */
function become(player) {
  const now = identity();
  if (player) adopt(player, now?.token ?? null);
  else if (now) forget(now.token);
}

/** A player who has a device elsewhere; this browser is nobody. */
async function elsewhere(name) {
  await takeName(name);
  const player = identity();
  assert.ok(player);
  become(null);
  return player;
}

/** What `make` leads to when `player` asks for it elsewhere. */
async function as(player, make) {
  const before = identity();
  become(player);
  const made = await make();
  become(before);
  return made;
}

beforeEach(() => {
  isOff = false;
  dropCode();
  become(null);
  accounts = [];
  codes.clear();
  asked = [];
  told = [];
});

describe("A name", () => {
  test("that the hub keeps otherwise than it was typed is still one's own when it is typed again", async () => {
    const player = await takeName("Ａｎｎ");
    assert.equal(player.name, "Ann");
    assert.deepEqual(await takeName(" Ａｎｎ "), player);
    assert.deepEqual(identity(), player);
    assert.equal(accounts.length, 1);
  });

  test("that one bears as it was typed is not asked for again", async () => {
    const player = await takeName("Ann");
    assert.deepEqual(await takeName(" Ann "), player);
    assert.deepEqual(asked, ["POST /api/players"]);
  });

  test("of somebody else is refused, and one's own stays", async () => {
    await elsewhere("Ben");
    const player = await takeName("Ann");
    await assert.rejects(takeName("Ben"), /has this name|looks like/);
    assert.deepEqual(identity(), player);
  });

  test("that is changed leaves one who one is", async () => {
    const { id, token } = await takeName("Ann");
    assert.deepEqual(await takeName("Cy"), { id, name: "Cy", token });
    assert.deepEqual(accounts.map(({ name }) => name), ["Cy"]);
  });

  test("whose answer was lost on the way is one's own when it is asked for again", async () => {
    line = "lost";
    await assert.rejects(takeName("Ann"), /cannot be reached/);
    assert.equal((await takeName("Ann")).name, "Ann");
    assert.equal(accounts.length, 1);
  });

  test("that another device has changed is known here with the next word of the hub", async () => {
    const { id } = await takeName("Ann");
    noteNames({ other: "Ben" });
    assert.equal(identity()?.name, "Ann");
    noteNames({ other: "Ben", [id]: "Cy" });
    assert.equal(identity()?.name, "Cy");
    accounts[0].name = "Dee";
    await account();
    assert.equal(identity()?.name, "Dee");
  });
});

describe("Who another page of the browser has made it meanwhile", () => {
  const olga = { id: "id of Olga", name: "Olga", token: "olga's" };

  test("stays when a name is changed, or when it is nobody", async () => {
    await takeName("Ann");
    meanwhile = () => become(olga);
    assert.deepEqual(await takeName("Cy"), olga);
    assert.deepEqual(identity(), olga);
    meanwhile = () => become(null);
    accounts.push({ id: olga.id, name: olga.name, tokens: [olga.token], hasRecovery: false });
    await assert.rejects(takeName("Dee"), /signed out/);
    assert.equal(identity(), null);
  });

  test("stays when a first name is taken, and nobody bears that one", async () => {
    meanwhile = () => become(olga);
    assert.deepEqual(await takeName("Ann"), olga);
    assert.deepEqual([identity(), accounts], [olga, []]);
  });

  test("stays when one who signs out, or asks to be forgotten, is gone", async () => {
    await takeName("Ann");
    await drawRecoveryCode();
    meanwhile = () => become(olga);
    await signOut();
    assert.deepEqual(identity(), olga);
    become(null);
    await takeName("Ben");
    meanwhile = () => become(olga);
    await forgetMe();
    assert.deepEqual(identity(), olga);
  });

  test("stays when the hub does not know the one before", async () => {
    await takeName("Ann");
    accounts = [];
    meanwhile = () => become(olga);
    await checkIdentity();
    assert.deepEqual(identity(), olga);
    lose("another's");
    forget("another's");
    assert.deepEqual(identity(), olga);
  });

  test("is asked about before a code is taken, which is not lost by that", async () => {
    const code = await as(await elsewhere("Ann"), drawRecoveryCode);
    meanwhile = () => become(olga);
    await assert.rejects(useCode(code), ({ cause }) => cause.code === "token-has-name" && cause.name === "Ann");
    assert.deepEqual(identity(), olga);
    assert.equal((await useCode(code, { isAnother: true })).name, "Ann");
    assert.equal(accounts[0].tokens.length, 2);
  });
});

describe("A code", () => {
  test("makes a browser that is nobody a device with a token of its own", async () => {
    const ann = await elsewhere("Ann");
    const code = await as(ann, linkCode);
    const { id, name, token, by } = await useCode(code);
    assert.deepEqual([id, name, by], [ann.id, "Ann", "link"]);
    assert.notEqual(token, ann.token);
    assert.deepEqual(accounts[0].tokens, [ann.token, token]);
    assert.deepEqual(identity(), { id, name, token });
  });

  test("of a link lasts as long as the hub says, whatever the browser's clock does", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 5_000_000 });
    await takeName("Ann");
    assert.equal((await drawLinkCode()).lifetime, 600_000);
  });

  test("works once", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    await useCode(code);
    become(null);
    await assert.rejects(useCode(code), /used already/);
    assert.equal(identity(), null);
  });

  test("whose answer was lost on the way is asked for again with the same token", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    line = "lost";
    await assert.rejects(useCode(code), /cannot be reached/);
    assert.equal((await useCode(code)).name, "Ann");
    assert.equal(accounts[0].tokens.length, 2);
  });

  for (const [where, isKept] of /** @type {[string, boolean][]} */ ([
    ["whose answer was lost is kept by the tab alone", true],
    ["whose answer was lost is kept nowhere in a browser that keeps nothing", false],
  ])) {
    test(`${where}, until it is answered or wanted no more`, async () => {
      const code = await as(await elsewhere("Ann"), linkCode), there = () => [...ofTheTab.values()].join();
      const isAnywhere = () => (there() + [...storage.values()].join() + JSON.stringify(history.state)).includes(code);
      for (const end of [() => useCode(code), dropCode]) {
        become(null);
        isOff = !isKept;
        line = "lost";
        await assert.rejects(useCode(code), /cannot be reached/);
        assert.equal(there().includes(code), isKept);
        assert.equal(isAnywhere(), isKept);
        await end();
        assert.ok(!isAnywhere());
        accounts[0].tokens.pop();
        codes.set(code, { id: accounts[0].id, by: "link" });
      }
    });
  }

  test("that is answered leaves what else is asked for to be asked again", async () => {
    const code = await as(await elsewhere("Ann"), linkCode), olga = await takeName("Olga");
    become(null);
    line = "lost";
    await assert.rejects(useCode(code), /cannot be reached/);
    become(olga);
    await useCode(await linkCode());
    become(null);
    assert.equal((await useCode(code)).name, "Ann");
  });

  test("of one's own makes no second device of this browser", async () => {
    const ann = await takeName("Ann");
    const { by, ...player } = await useCode(await linkCode());
    assert.deepEqual(player, ann);
    assert.equal(accounts[0].tokens.length, 1);
  });

  test("of somebody else changes nothing here, and is not used up, before it is known who that is", async () => {
    const code = await as(await elsewhere("Ann"), linkCode);
    const olga = await takeName("Olga");
    await assert.rejects(useCode(code), ({ cause }) => cause.code === "token-has-name" && cause.name === "Ann");
    assert.deepEqual(identity(), olga);
    assert.equal((await useCode(code, { isAnother: true })).name, "Ann");
    assert.equal(identity()?.name, "Ann");
  });

  test("that makes this browser somebody else signs it out as who it was, but not where nobody could come back", async () => {
    const ann = await elsewhere("Ann");
    const olga = await takeName("Olga");
    const becomeAnn = async () => useCode(await as(ann, linkCode), { isAnother: true });
    await becomeAnn();
    assert.deepEqual(accounts[1].tokens, [olga.token], "the last device of a player without a recovery code stays");
    become(olga);
    await drawRecoveryCode();
    await becomeAnn();
    assert.deepEqual(accounts[1].tokens, []);
    assert.ok(!told.some((one) => one.endsWith("lost")), String(told));
  });

  test("of recovery is used up by use", async () => {
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

describe("A device", () => {
  test("that is signed out elsewhere finds out that it was, and one that signs itself out is told nothing", async () => {
    const first = await takeName("Ann");
    const second = await as(first, drawRecoveryCode).then(async (code) => {
      become(null);
      return useCode(code);
    });
    await signOutDevice(first.token);
    become(first);
    told = [];
    await checkIdentity();
    assert.deepEqual([identity(), told], [null, ["undefined lost"]]);
    become(second);
    await drawRecoveryCode();
    told = [];
    await Promise.all([signOut(), checkIdentity()]);
    assert.deepEqual([identity(), told], [null, ["undefined chosen"]]);
    assert.deepEqual(accounts[0].tokens, []);
  });

  test("that is the last one stays while nobody could come back", async () => {
    const ann = await takeName("Ann");
    await assert.rejects(signOut(), /recovery code/);
    assert.deepEqual(identity(), ann);
  });

  test("whose hub does not answer stays who it is", async () => {
    const ann = await takeName("Ann");
    line = "lost";
    await checkIdentity();
    assert.deepEqual(identity(), ann);
  });

  test("of a player who asks to be forgotten is nobody's", async () => {
    await takeName("Ann");
    told = [];
    await forgetMe();
    assert.deepEqual([accounts, identity(), told], [[], null, ["undefined chosen"]]);
  });

  const gecko = "Gecko/20100101 Firefox/128.0", webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  for (const [label, userAgent, maxTouchPoints = 0] of /** @type {[string, string, number?][]} */ ([
    ["Firefox on Linux", `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) ${gecko}`],
    ["Firefox on Android", `Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0`, 5],
    ["Chrome on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`],
    ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`, 5],
    ["Edge on Windows", `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`],
    ["Opera on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0`],
    ["Samsung Internet on Android",
      `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`, 5],
    ["Safari on Mac",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15"],
    ["Safari on iPad",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15", 5],
    ["Safari on iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Version/17.5 Mobile/15E148 Safari/604.1", 5],
    ["Chrome on iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "CriOS/126.0.0.0 Mobile/15E148 Safari/604.1", 5],
    ["Linux", "Something (Linux)"], ["A browser", "curl/8"], ["A browser", ""],
  ])) {
    test(`is called ${label} by ${JSON.stringify(userAgent.slice(-48))}, ${maxTouchPoints} fingers`, () =>
      assert.equal(deviceLabel({ userAgent, maxTouchPoints }), label));
  }
});
