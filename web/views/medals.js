// @ts-check

/** Of the first three places. */
export const MEDALS = ["🥇", "🥈", "🥉"];
