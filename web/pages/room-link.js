// @ts-check

/** The room's address, without whatever stands behind it. */
export const roomLink = () => location.origin + location.pathname;

/**
 * An address that breaks at its slashes only.
 * @param {HTMLElement} root
 * @param {string} link
 */
export function drawLink(root, link) {
  const parts = link.match(/[^/.]+[/.]*|[/.]+/g) ?? [];
  root.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}
