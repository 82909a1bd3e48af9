/** Bounds of how posts are deleted by rule. */
const [hour, day] = [60 * 60 * 1_000, 24 * 60 * 60 * 1_000];

export const cleanupLimits = {
  ageSecondsMin: 7 * 24 * 60 * 60,
  ageSecondsMax: 10 * 365 * 24 * 60 * 60,
  countMax: 1_000_000_000,
  /** Time to take a rule back before it deletes anything. */
  firstMilliseconds: hour,
  /** Between two searches of all posts. */
  everyMilliseconds: day,
  /** Posts that a slice looks at, and deletes: each deletion goes to all servers that have the post. */
  examinedMax: 500,
  deletedMax: 50,
  pauseMilliseconds: hour / 6,
} as const;
