// @ts-check
import { text } from "../texts/texts.js";
// Adds its sentences.
import "../texts/check.en.js";

/** @type {Record<string, string>} */
const SIGNS = { holds: "✓", fails: "✗", open: "…", missing: "!" };

/** From worst to best: the verdict is the worst result. */
const RESULTS = /** @type {const} */ (["fails", "missing", "open", "holds"]);

/**
 * The verdict of a check, in words. They name what cannot be checked yet: the deal of the running game, whose seed the
 * hub has yet to reveal, and the chain, if there is no head to compare it with.
 * @param {import("../games/check.js").Finding[]} findings
 */
export function verdictOf(findings) {
  const result = RESULTS.find((result) => findings.some((one) => one.result === result)) ?? "holds";
  const open = findings.filter((one) => one.result === "open").map(({ step }) => (step === "chain" ? "chain" : "game"));
  const isUnknown = findings.some(({ step }) => step === "unknown");
  if (result === "open") return { result, words: text(`check.so-far.${isUnknown ? "unknown" : open.join("-")}`) };
  if (result === "missing" && open.length > 0) return { result, words: text("check.missing.so-far") };
  return { result, words: text(`check.all.${result}`) };
}

/**
 * The findings of a check, in words: `verdict` for all, `root` step by step. Calls `see(version)` for an event that
 * does not match; draws any findings given to the returned function.
 * @param {HTMLElement} root
 * @param {HTMLElement} verdict
 * @param {(version: number) => void} see
 */
export function findingList(root, verdict, see) {
  /** @param {import("../games/check.js").Finding[]} findings */
  return function draw(findings) {
    const { result, words } = verdictOf(findings);
    verdict.dataset.result = result;
    verdict.textContent = words;
    root.replaceChildren(...findings.map((finding) => item(finding, see)));
  };
}

/**
 * @param {import("../games/check.js").Finding} finding
 * @param {(version: number) => void} see
 */
function item(finding, see) {
  const element = document.createElement("li");
  const sign = document.createElement("i"), words = document.createElement("span");
  element.dataset.result = finding.result;
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = SIGNS[finding.result];
  words.textContent = sentenceOf(finding);
  element.append(sign, words);
  const { version, step } = finding;
  if (version !== undefined && step !== "chain") {
    // It closes the dialog around it: the event is behind that.
    const button = document.createElement("button");
    button.className = "small";
    button.textContent = text("check.see", { version });
    button.addEventListener("click", () => see(version));
    element.append(button);
  }
  return element;
}

/** @param {import("../games/check.js").Finding} finding */
function sentenceOf({ step, result, game, version, values }) {
  const isNone = step === "nonces" && result === "holds" && values?.count === 0;
  return text(isNone ? "check.nonces.none" : `check.${step}.${result}`, { ...values, game, version });
}
