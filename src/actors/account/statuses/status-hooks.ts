/**
 * What a feature does when something happens to a status: about its part of it, such as a poll, or about what it keeps of
 * the status, such as a pin. It is an `x.hooks.ts` of the feature and a row of `account/hooks-of-statuses.ts`, so that
 * statuses know nothing of the features above them.
 */
import type { BodyOf, Envelope } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Destination } from '../../intents.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { ReceivedStatus } from '../remote/remote.messages.ts';
import type { EditStatus, PublishedStatus, PublishStatus, statusMessages } from './statuses.messages.ts';
import type { Status } from './statuses.records.ts';

/** Entries about a status, by the status and another id, that are removed in slices once the status is gone. */
export interface SweptEntries {
  /** Messages name the entries by it. Append-only over all features: 0 to 8 are given. */
  readonly number: number;
  readonly entries: Keyspace<[Id, Id], unknown>;
  /** Called before each entry is removed: informs whom it concerns. `isForgotten`: its author has not deleted it. */
  swept?(turn: AccountTurn, statusId: Id, otherId: Id, isForgotten: boolean): void;
}

export type CountedElsewhere = Pick<ReceivedStatus, 'tally'>;

export interface StatusHooks {
  /** Where a new status for everybody is delivered because of it. */
  destinations?(message: PublishStatus): readonly Destination[];
  /** The status was stored: stores what belongs to the part. `counted`: elsewhere, of one that comes from there. */
  stored?(turn: AccountTurn, status: Status, counted?: CountedElsewhere): void;
  /**
   * Informs others of the part of a new status. One message may be returned in place of being sent: its recipient gives
   * the reply of the call. `message`: of a local status.
   */
  published?(turn: AccountTurn, status: Status, message?: PublishStatus): Envelope<PublishedStatus> | undefined;
  /** A reply was stored that has to wait: asks for consent. One message may be returned, as above. */
  held?(turn: AccountTurn, status: Status, message?: PublishStatus): Envelope<PublishedStatus> | undefined;
  /** Takes over what another server reports without an edit. Returns the status as stored then. */
  reported?(turn: AccountTurn, before: Status, received: ReceivedStatus): Status;
  /** A local author's edit shows nothing new, but changes the part. True where other servers have to be informed. */
  adjusted?(turn: AccountTurn, before: Status, after: Status, edit: EditStatus): boolean;
  /** An edit was stored: changes what belongs to the part. */
  changed?(turn: AccountTurn, before: Status, after: Status, received?: ReceivedStatus): void;
  /** Informs others of the edited part, after everybody was informed of the edit. */
  edited?(turn: AccountTurn, before: Status, after: Status): void;
  /** Its author deletes it: called before it is removed. */
  deleted?(turn: AccountTurn, status: Status, message: BodyOf<typeof statusMessages.deleteStatus>): void;
  /** The status was removed: removes what belongs to the part, and informs others. */
  removed?(turn: AccountTurn, status: Status): void;
  /** Entries of others about the status: they may be many. */
  readonly sweeps?: readonly SweptEntries[];
}
