/** Bounds of followed tags: a home with some merges their timelines. */
export const followedTagLimits = { followedMax: 400 } as const;
