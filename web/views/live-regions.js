// @ts-check
import { topDialog } from "./top-dialog.js";

/**
 * Keeps live regions inside the topmost open dialog: everything outside it is behind it and inert, so barely visible
 * and not read aloud. (A popover would be visible, but just as inert.)
 * @param {Document} page
 * @param {[HTMLElement, () => HTMLElement][]} regions each with its parent while no dialog is open
 */
export function keepOverDialogs(page, regions) {
  const place = () => {
    const dialog = topDialog(page);
    for (const [region, home] of regions) {
      const top = dialog ?? home();
      if (region.parentElement === top) continue;
      // Its content has already been read aloud. But a button must stay reachable.
      for (const said of region.children) if (!said.querySelector("button")) said.setAttribute("aria-hidden", "true");
      top.append(region);
    }
  };
  // Not at the moment of a message: screen readers do not listen yet to a region that has just been inserted.
  new MutationObserver(place).observe(page.body, { subtree: true, attributeFilter: ["open", "data-playing"] });
}
