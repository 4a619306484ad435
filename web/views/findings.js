// @ts-check
import { text } from "../texts.js";

const VERDICTS = { fails: "check.fails", missing: "check.missing", holds: "check.all-holds" };
const SIGNS = { holds: "✓", fails: "✗", open: "…", missing: "!" };

/**
 * What a check has found, in words: `verdict` for all of it, `root` step by step. Calls `see(version)` for an event
 * that does not fit; draws any findings given to the function it returns.
 * @param {HTMLElement} root
 * @param {HTMLElement} verdict
 * @param {(version: number) => void} see
 */
export function findingList(root, verdict, see) {
  /** @param {import("../games/check.js").Finding[]} findings */
  return function draw(findings) {
    const worst = ["fails", "missing"].find((result) => findings.some((one) => one.result === result)) ?? "holds";
    verdict.dataset.result = worst;
    verdict.textContent = text(VERDICTS[worst]);
    root.replaceChildren(...findings.map((finding) => item(finding, see)));
  };
}

function item(finding, see) {
  const element = document.createElement("li");
  const sign = document.createElement("i"), words = document.createElement("span");
  element.dataset.result = finding.result;
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = SIGNS[finding.result];
  words.textContent = sentenceOf(finding);
  element.append(sign, words);
  if (finding.version !== undefined && finding.step !== "chain") {
    // It closes the dialog that it stands in: what it leads to lies behind.
    const button = document.createElement("button");
    button.className = "small";
    button.textContent = text("check.see", { version: finding.version });
    button.addEventListener("click", () => see(finding.version));
    element.append(button);
  }
  return element;
}

/** @param {import("../games/check.js").Finding} finding */
function sentenceOf({ step, result, game, version, values }) {
  const isNone = step === "nonces" && result === "holds" && values?.count === 0;
  return text(isNone ? "check.nonces.none" : `check.${step}.${result}`, { ...values, game, version });
}
