// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { hub } from "./scripted-accounts.js";
import { checkIdentity, takeName } from "../../../web/store/account.js";
import { followSignOut } from "../../../web/shell/signed-out.js";
import { text } from "../../../web/texts/texts.js";

Object.assign(globalThis, { window: new EventTarget(), document: new EventTarget() });
const said = /** @type {string[]} */ ([]);
followSignOut(false, (words, _, offer) => { said.push(offer ? `${words} [${offer.label}]` : words); }, () => {});

test("A browser that changes its player on another server says so, and why", async () => {
  await takeName("Zoe");
  const { accounts } = hub;
  Object.assign(hub, { log: "log-2", accounts: [] });
  await checkIdentity();
  await takeName("Ann");
  Object.assign(hub, { log: "log-1", accounts });
  said.length = 0;
  await checkIdentity();
  assert.deepEqual(said, [text("you.elsewhere", { name: "Ann" }), text("you.back", { name: "Zoe" })]);
});
