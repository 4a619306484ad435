// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deviceLabel } from "../../../web/store/device-label.js";

describe("A device", () => {
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
    ["Linux", "Something (Linux)"], ["Unnamed device", "curl/8"], ["Unnamed device", ""],
  ])) {
    test(`is called ${label} by ${JSON.stringify(userAgent.slice(-48))}, ${maxTouchPoints} fingers`, () =>
      assert.equal(deviceLabel({ userAgent, maxTouchPoints }), label));
  }
});
