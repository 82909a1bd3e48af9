/** How a part of a status, such as its poll, is written to a Note and read from one. */
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { RemoteTags } from './read-tags.ts';

/** For a status of a local account: `username` is its author's. */
export interface Writing {
  readonly reader: Reader;
  readonly addresses: Addresses;
  readonly username: string;
}

/** What of the object was read before. */
export interface Reading {
  readonly type: string;
  /** An article, a video or the like, which is shown as title, text and a link to it. */
  readonly isConverted: boolean;
  readonly tags: RemoteTags;
}

export interface NotePart<Read extends object> {
  /** Its fields of a RemoteNote; what does not fit is left out. */
  read(object: JsonObject, reading: Reading): Read;
  /** The properties and tags of a local status that has it. */
  write(status: Status, writing: Writing): WrittenPart;
  /** Terms of the `@context` that only this part uses; for the statuses for which `isIn` is true. */
  readonly context?: { readonly terms: JsonObject; isIn(status: Partial<Status>): boolean };
}

export interface WrittenPart {
  readonly properties?: JsonObject;
  readonly tags?: readonly JsonObject[];
}

/** Of a part that no other server is told. */
export const unwrittenPart: NotePart<object> = { read: () => ({}), write: () => ({}) };
