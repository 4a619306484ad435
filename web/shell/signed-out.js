// @ts-check
import { followNetwork } from "../net/network.js";
import { checkIdentity, comeBack } from "../store/account.js";
import { followIdentity } from "../store/identity.js";
import { text } from "../texts/texts.js";

/**
 * Says so where the hub has signed this device out, with a way back: another device of the player did it, or the name
 * was given up. An answer `unknown-token` to this browser's token tells, on any page (`store/requests.js`); what a
 * room's line says is a reason to ask. A page without a room asks when somebody looks at it. Nothing polls: such a page
 * has nothing at stake until it asks the hub for something, and that answer tells, too. The token is kept, and tried
 * again on any page: when somebody looks at it, and when the network is back.
 * @param {boolean} hasRoom
 * @param {import("../pages/elements.js").Toast} toast
 * @param {() => void} choose opens where one chooses a name, or enters a code
 */
export function followSignOut(hasRoom, toast, choose) {
  const offer = { label: text("you.come-back"), take: choose };
  followIdentity((player, how, before) => {
    if (how === "signed-out") toast(text("error.unknown-token"), "bad", offer);
    if (how === "elsewhere") toast(text("you.elsewhere", { name: before?.name }), "bad", offer);
    // Only another server makes one player another by itself.
    if (how === "back" && before) toast(text("you.elsewhere", { name: before.name }));
    if (how === "back") toast(text("you.back", { name: player?.name }));
  });
  const check = hasRoom ? comeBack : checkIdentity;
  check();
  followNetwork({ check, online: check, offline() {} });
}
