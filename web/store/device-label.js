// @ts-check
import { text } from "../texts/texts.js";

/** The names that browsers use; each user agent also contains names from further down. */
const BROWSERS = /** @type {[RegExp, string][]} */ ([
  [/\bEdg(e|A|iOS)?\//, "Edge"], [/\b(OPR|OPiOS|OPT)\//, "Opera"], [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"], [/\b(Firefox|FxiOS)\//, "Firefox"], [/(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bEpiphany\//, "Epiphany"], [/\bSafari\//, "Safari"],
]);
const SYSTEMS = /** @type {[RegExp, string][]} */ ([
  [/\biPhone\b/, "iPhone"], [/\biPad\b/, "iPad"], [/\bAndroid\b/, "Android"], [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"], [/\bMacintosh\b/, "Mac"], [/\bLinux\b/, "Linux"],
]);

/** A device's name in a list: a program may have registered without a label. */
export const deviceName = (/** @type {{label: string}} */ { label }) => label || text("device.some");

/**
 * A label for this device in a list of several: "Firefox on Linux".
 * @param {{userAgent?: string, maxTouchPoints?: number}} browser
 */
export function deviceLabel({ userAgent = "", maxTouchPoints = 0 } = globalThis.navigator ?? {}) {
  const find = (/** @type {[RegExp, string][]} */ names) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = find(BROWSERS), named = find(SYSTEMS);
  // An iPad claims to be a Mac, but no Mac has a touch screen.
  const system = named === "Mac" && maxTouchPoints > 1 ? "iPad" : named;
  if (browser && system) return text("device.on", { browser, system });
  return browser ?? system ?? text("device.some");
}
