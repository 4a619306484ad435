// @ts-check

/** How long a toast stays, in ms: time to read it, more for longer ones. */
const SHORTEST = 3_500;
const PER_CHARACTER = 45;
/** A toast with an offer stays this long, in ms, and as long as it has the focus. */
const OFFERED = 20_000;
/** Most toasts at a time; a new one removes the oldest. */
const LIMIT = 3;

/**
 * Short messages in `root`; call the result to show one.
 * @param {HTMLElement} root
 */
export function toasts(root) {
  /**
   * @param {string} text
   * @param {string} [kind]
   * @param {{label: string, take: () => void}} [offer] a button beside it
   */
  return function show(text, kind = "", offer) {
    if (!text || [...root.children].some(({ firstChild }) => firstChild?.textContent === text)) return;
    const toast = document.createElement("p");
    toast.className = `toast ${kind}`;
    toast.append(text);
    if (offer) toast.append(" ", button(offer));
    root.append(toast);
    if (root.children.length > LIMIT) root.firstElementChild?.remove();
    const stay = offer ? OFFERED : SHORTEST + text.length * PER_CHARACTER;
    const leave = () => (toast.contains(document.activeElement) ? setTimeout(leave, stay) : toast.remove());
    setTimeout(leave, stay);
  };
}

function button(/** @type {{label: string, take: () => void}} */ { label, take }) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: "small" });
  element.textContent = label;
  element.addEventListener("click", take);
  return element;
}
