// @ts-check
import { topDialog } from "./top-dialog.js";

/**
 * Keeps live regions in the dialog that is open on top: what is outside of it lies behind it and is inert, so that it
 * is neither seen well nor read out. (A popover would be seen, and be as inert.)
 * @param {Document} page
 * @param {[HTMLElement, () => HTMLElement][]} regions each with what holds it while no dialog is open
 */
export function keepOverDialogs(page, regions) {
  const place = () => {
    const dialog = topDialog(page);
    for (const [region, home] of regions) {
      const top = dialog ?? home();
      if (region.parentElement === top) continue;
      // What it says has been read out where it was; but a button must not be hidden.
      for (const said of region.children) if (!said.querySelector("button")) said.setAttribute("aria-hidden", "true");
      top.append(region);
    }
  };
  // Not when something is to be said: a region that has just come is not listened to yet.
  new MutationObserver(place).observe(page.body, { subtree: true, attributeFilter: ["open", "data-playing"] });
}
