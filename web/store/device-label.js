// @ts-check
import { text } from "../texts/texts.js";

/** What browsers call themselves; each also bears the names of some that stand below it. */
const BROWSERS = /** @type {[RegExp, string][]} */ ([
  [/\bEdg(e|A|iOS)?\//, "Edge"], [/\b(OPR|OPiOS|OPT)\//, "Opera"], [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"], [/\b(Firefox|FxiOS)\//, "Firefox"], [/(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bEpiphany\//, "Epiphany"], [/\bSafari\//, "Safari"],
]);
const SYSTEMS = /** @type {[RegExp, string][]} */ ([
  [/\biPhone\b/, "iPhone"], [/\biPad\b/, "iPad"], [/\bAndroid\b/, "Android"], [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"], [/\bMacintosh\b/, "Mac"], [/\bLinux\b/, "Linux"],
]);

/** What a device in a list is called: a program may have registered without a label. */
export const deviceName = (/** @type {{label: string}} */ { label }) => label || text("device.some");

/**
 * What to call this device in a list of several: "Firefox on Linux".
 * @param {{userAgent?: string, maxTouchPoints?: number}} browser
 */
export function deviceLabel({ userAgent = "", maxTouchPoints = 0 } = globalThis.navigator ?? {}) {
  const find = (/** @type {[RegExp, string][]} */ names) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = find(BROWSERS), named = find(SYSTEMS);
  // Tablets of Apple's say that they are computers; no computer of theirs is touched.
  const system = named === "Mac" && maxTouchPoints > 1 ? "iPad" : named;
  if (browser && system) return text("device.on", { browser, system });
  return browser ?? system ?? text("device.some");
}
