// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import "./scripted-accounts.js";
import { playMeanwhile } from "../../../web/pages/quick-play.js";
import { takeName } from "../../../web/store/account.js";
import { keepChoice } from "../../../web/store/choices.js";

Object.assign(globalThis, { navigator: { onLine: true } });

for (const [level, wanted] of [["perfect", "perfect"], [undefined, "medium"]]) {
  test(`a computer that fills the wait has the chosen level: ${level ?? "nothing"}`, async () => {
    const ann = await takeName("Ann");
    keepChoice("memory", level ? { level } : null);
    assert.match(await playMeanwhile(ann, "memory"), new RegExp(`[?&]computer=${wanted}$`));
  });
}
