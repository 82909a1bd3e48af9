/** Bounds of link cards. */
const hourMilliseconds = 60 * 60 * 1_000;

export const cardLimits = {
  /** A card is fetched anew for a status that is written later than this (behaviour of the Mastodon API). */
  freshMilliseconds: 14 * 24 * hourMilliseconds,
  /** What could not be fetched is not asked for again so soon. */
  failedMilliseconds: hourMilliseconds,
  /** Pages of one host that wait to be fetched; links to more of them get no card. */
  waitingMax: 256,
  /** Statuses informed in one turn. */
  informedMax: 200,
} as const;
