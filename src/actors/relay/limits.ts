/** Bounds of the relay's state, with their units in their names. */
const hour = 60 * 60 * 1_000;

export const relayLimits = {
  subscriptionsMax: 20_000,
  /** What was passed on is recognised for this long: other servers repeat what they could not deliver for two days. */
  seenAgeMilliseconds: 60 * hour,
  /** The sweep of names goes on with every so many new posts, and looks at so many for each, which adds two at most. */
  sweptEvery: 64,
  sweptForEach: 4,
  /** Names of earlier versions were stored by portions of time; so many are removed for each new post. */
  formerPortionMilliseconds: 12 * hour,
  formerRemovedForEach: 8,
  /** Entries of the log examined for what may go, in one turn. */
  trimmedAtOnce: 500,
  /** Subscribers that are told of a new key, in one turn. */
  toldAtOnce: 500,
  filterEntriesMax: 1_000,
  /** Relays of others that this server joins. */
  joinedMax: 100,
} as const;
