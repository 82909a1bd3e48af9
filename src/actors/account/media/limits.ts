/** Bounds of media (behaviour of the Mastodon API, where it has one). */
export const mediaLimits = {
  /** What is attached to nothing is removed after this long. */
  unattachedMilliseconds: 24 * 60 * 60 * 1_000,
  /** Of one account, attached to nothing: more than anybody composes at a time. */
  unattachedMax: 200,
  /** Also what apps are shown of a remote status, which may have more: they arrange as many. */
  perStatusMax: 4,
  /** Also of remote media: longer descriptions are cut. */
  descriptionCharactersMax: 10_000,
} as const;
