/** Search in the text of statuses, for threads that ask the one which has the index. */
import type { Id } from '../../runtime/ids.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { Phrase } from './tokens.ts';

/** What a status has or is (behaviour of the Mastodon API). */
export const searchProperties = [
  'image',
  'video',
  'audio',
  'media',
  'poll',
  'link',
  'embed',
  'sensitive',
  'reply',
  'quote',
] as const;
export type SearchProperty = (typeof searchProperties)[number];

/** One thing that found statuses have, or must not have. */
export type SearchTerm =
  | { readonly phrase: Phrase }
  | { readonly tag: string }
  | { readonly property: SearchProperty }
  | { readonly language: string }
  | { readonly authorId: Id };

export const searchScopes = ['all', 'library', 'public'] as const;
/**
 * `public`: public statuses of authors who want to be found. `library`: what the asker wrote, was mentioned in,
 * favourited, reblogged, bookmarked or voted in.
 */
export type SearchScope = (typeof searchScopes)[number];

export interface SearchQuery {
  readonly askerId: Id;
  /** All of them. */
  readonly required: readonly SearchTerm[];
  readonly excluded: readonly SearchTerm[];
  readonly scope: SearchScope;
  /** Only statuses with ids between these. */
  readonly minId: Id;
  readonly maxId: Id;
  readonly limit: number;
}

export interface SearchState {
  /** Entries of statuses. */
  readonly statuses: number;
  readonly bytes: number;
  /** How much of a rebuild is done, from 0 to 1; undefined while there is none. */
  readonly rebuilt: number | undefined;
  /** Commits that are not read yet. */
  readonly commitsBehind: number;
  /** Why the index is left alone for the moment: a sentence. */
  readonly problem: string | undefined;
}

export interface Search {
  /**
   * The ids of statuses that match, newest first. The caller checks which of them the asker is shown: the index may be
   * behind. Throws Failure as `Client.call` does.
   */
  find(query: SearchQuery): Promise<readonly Id[]>;
  state(): Promise<SearchState>;
  /**
   * Begins to read everything again, unless that is under way or has just ended, and tells after a moment how far it is.
   * Statuses are found meanwhile.
   */
  rebuild(): Promise<SearchState>;
}

export const searchRole = 'search';
export const findTopic = 'find statuses';
export const searchStateTopic = 'state of the search';
export const rebuildTopic = 'rebuild the search';

export function searchOf(client: Client): Search {
  const ask = <Reply>(topic: string, request: unknown) => client.ask<Reply>(searchRole, 0, topic, request);
  return {
    find: (query) => ask<readonly Id[]>(findTopic, query),
    state: () => ask<SearchState>(searchStateTopic, {}),
    rebuild: () => ask<SearchState>(rebuildTopic, {}),
  };
}
