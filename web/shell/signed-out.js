// @ts-check
import { followNetwork } from "../net/network.js";
import { checkIdentity, comeBack } from "../store/account.js";
import { followIdentity } from "../store/identity.js";
import { text } from "../texts/texts.js";

/**
 * Shows when the hub has signed this device out, with a way back: another device of the player did it, or the name was
 * given up. On any page, an answer `unknown-token` to this browser's token shows it (`store/requests.js`); a message in
 * a room is only a reason to ask. A page without a room asks when it becomes visible. Nothing polls: such a page has
 * nothing at stake until it asks the hub for something, and that answer shows it too. The token is kept, and tried
 * again on any page when it becomes visible and when the network is back.
 * @param {boolean} hasRoom
 * @param {import("../pages/elements.js").Toast} toast
 * @param {() => void} choose opens the place for choosing a name or entering a code
 */
export function followSignOut(hasRoom, toast, choose) {
  const offer = { label: text("you.come-back"), take: choose };
  followIdentity((player, how, before) => {
    if (how === "signed-out") toast(text("error.unknown-token"), "bad", offer);
    if (how === "elsewhere") toast(text("you.elsewhere", { name: before?.name }), "bad", offer);
    // Only another server replaces a player without being asked.
    if (how === "back" && before) toast(text("you.elsewhere", { name: before.name }));
    if (how === "back") toast(text("you.back", { name: player?.name }));
  });
  const check = hasRoom ? comeBack : checkIdentity;
  check();
  followNetwork({ check, online: check, offline() {} });
}
