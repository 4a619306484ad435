// @ts-check
import { followNetwork } from "../net/network.js";
import { checkIdentity } from "../store/account.js";
import { followIdentity } from "../store/identity.js";
import { text } from "../texts/texts.js";

/**
 * Says so where the hub has signed this device out, with a way back: another device of the player did it, or the name
 * was given up. An answer of 401 to this browser's token tells, on any page (`store/requests.js`); what a room's line
 * says is a reason to ask. A page without a room asks when somebody looks at it. Nothing polls: such a page has nothing
 * at stake until it asks the hub for something, and that answer tells, too.
 * @param {boolean} hasRoom
 * @param {import("../pages/elements.js").Toast} toast
 * @param {() => void} comeBack
 */
export function followSignOut(hasRoom, toast, comeBack) {
  followIdentity((_, how) => {
    if (how !== "signed-out") return;
    toast(text("error.unknown-token"), "bad", { label: text("you.come-back"), take: comeBack });
  });
  if (hasRoom) return;
  checkIdentity();
  followNetwork({ check: checkIdentity, online: checkIdentity, offline() {} });
}
