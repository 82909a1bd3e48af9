/** What can be found in local text. Offsets are in UTF-16 units of the text that was searched. */

export interface LinkToken {
  kind: 'link';
  start: number;
  end: number;
  url: string;
  /** Whether the scheme is http or https: only those count as 23 characters and get a preview card. */
  isWeb: boolean;
}

export interface MentionToken {
  kind: 'mention';
  start: number;
  end: number;
  /** As written. */
  username: string;
  /** host[:port] as written; undefined where only a user name was. */
  domain: string | undefined;
  /** `user` or `user@host[:port]`, normalised: the key under which the caller resolves it. */
  handle: string;
}

export interface HashtagToken {
  kind: 'hashtag';
  start: number;
  end: number;
  /** Normalised: the identity of the tag. */
  name: string;
  /** As the author wrote it, without the sign. */
  display: string;
}

export type TextToken = LinkToken | MentionToken | HashtagToken;

/** What a finder answers when a candidate is refused and nothing can begin inside it: where to go on. */
export interface Skip {
  kind: 'skip';
  end: number;
}
