/** Tokens found in local text. Offsets are in UTF-16 units of the searched text. */

export interface LinkToken {
  kind: 'link';
  start: number;
  end: number;
  url: string;
  /** Whether the scheme is http or https: only these count as 23 characters and get a preview card. */
  isWeb: boolean;
}

export interface MentionToken {
  kind: 'mention';
  start: number;
  end: number;
  /** As written. */
  username: string;
  /** host[:port] as written; undefined for a plain user name. */
  domain: string | undefined;
  /** `user` or `user@host[:port]`, normalised: the key by which the caller resolves it. */
  handle: string;
}

export interface HashtagToken {
  kind: 'hashtag';
  start: number;
  end: number;
  /** Normalised: the identity of the tag. */
  name: string;
  /** As written, without the sign. */
  display: string;
}

export type TextToken = LinkToken | MentionToken | HashtagToken;

/** A rejected candidate in which no token can begin: where to continue. */
export interface Skip {
  kind: 'skip';
  end: number;
}
