// @ts-check
import { gameOf } from "../games/list.js";

/**
 * The hands in a replay, if its game has any: the returned function says what to show at a version. Until they have
 * loaded, which calls `draw`, and if they fail to, the cards lie face down.
 * @param {import("../games/timeline.js").Timeline} timeline
 * @param {() => void} draw
 */
export function openHands(timeline, draw) {
  let dealt = /** @type {import("../games/replay-hands.js").ReplayHands | null} */ (null);
  const bring = async (/** @type {NonNullable<import("../games/game.js").Game<any>["hands"]>} */ hands) => {
    const [{ ReplayHands }, { handsOf }] = await Promise.all([import("../games/replay-hands.js"), hands()]);
    dealt = new ReplayHands(timeline.events, handsOf);
    draw();
  };
  const { hands } = gameOf(timeline.at(1).room.game);
  if (hands) bring(hands).catch(() => {});
  return (/** @type {number} */ version) => dealt?.at(version);
}
