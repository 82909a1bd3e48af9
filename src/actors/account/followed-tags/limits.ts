/** Bounds of followed tags: a home timeline merges theirs. */
export const followedTagLimits = { followedMax: 400 } as const;
