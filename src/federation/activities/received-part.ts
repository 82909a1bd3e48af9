/** How a part of a remote status, such as its quote, is understood: the interface of the rows of received-parts.ts. */
import type { ReceivedStatus } from '../../actors/account/remote/remote.messages.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { KnownAccount } from '../known-accounts.ts';
import type { Inbound, RemoteSource } from './inbound.ts';

export type ReceivedFields = Partial<ReceivedStatus>;

export interface ReceivedPart {
  /** Whether it refers to something of a local account. */
  concernsLocal?(inbound: Inbound, note: RemoteNote): boolean;
  /** Without a fetch; `incomplete` where one is needed first. */
  known?(inbound: Inbound, note: RemoteNote, author: KnownAccount): ReceivedFields | 'incomplete';
  /** What is incomplete, with fetches. What cannot be fetched is left out. */
  fetched?(inbound: Inbound, note: RemoteNote, author: KnownAccount, source: RemoteSource): Promise<ReceivedFields>;
  /** What is incomplete, without a fetch and without waiting: what is not known is left out. */
  soFar?(inbound: Inbound, note: RemoteNote, author: KnownAccount): ReceivedFields;
  /** What an edit says besides, about the stored version. */
  ofEdit?(inbound: Inbound, note: RemoteNote, stored: Status): ReceivedFields;
}
