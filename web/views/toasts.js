// @ts-check

/** How long a toast stays, in ms: time to read it, more for longer ones. */
const SHORTEST = 3_500;
const PER_CHARACTER = 45;
/** Most toasts at a time; the oldest makes room. */
const LIMIT = 3;

/** Short messages in `root`: calls show one. @param {HTMLElement} root */
export function toasts(root) {
  return function show(/** @type {string} */ text, kind = "") {
    if (!text || [...root.children].some((toast) => toast.textContent === text)) return;
    const toast = document.createElement("p");
    toast.className = `toast ${kind}`;
    toast.textContent = text;
    root.append(toast);
    if (root.children.length > LIMIT) root.firstElementChild?.remove();
    setTimeout(() => toast.remove(), SHORTEST + text.length * PER_CHARACTER);
  };
}
