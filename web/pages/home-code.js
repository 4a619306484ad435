// @ts-check
import { roomAmong } from "../net/open-rooms.js";
import { codesIn } from "../net/room-code.js";
import { roomAddress } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { element, input } from "./elements.js";

/** Wires the field for a room's code, which is folded until it is needed. */
export function codeField() {
  const form = element("join-form"), field = input(form, "code"), problem = element("join-problem");
  element("have-code").addEventListener("toggle", (/** @type {Event} */ { target }) => {
    if (/** @type {HTMLDetailsElement} */ (target).open) field.focus();
  });
  field.addEventListener("input", () => { problem.textContent = ""; });
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { codes, ...why } = codesIn(field.value), [first] = codes;
    problem.textContent = first ? "" : whyNoCode(why);
    const code = first && await roomAmong(codes).catch(() => first);
    if (code) return location.assign(roomAddress(code));
    if (first) problem.textContent = text("join.no-room", { code: first });
    field.focus();
  });
  // A single-line field drops line breaks, which may end a link or a word.
  field.addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
    const pasted = event.clipboardData?.getData("text").trim() ?? "";
    if (!/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    field.value = pasted.replace(/\s+/g, " ");
  });
}

/** @param {Omit<ReturnType<typeof codesIn>, "codes">} why */
function whyNoCode({ problem, sign: character }) {
  if (problem === "link") return text("join.link");
  return problem === "sign" ? text("join.sign", { character }) : text("join.length");
}
