/** What turns do about a part of a status, such as its poll, when something happens to the status. */
import type { Envelope } from '../../../runtime/contract.ts';
import type { Destination } from '../../intents.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { ReceivedStatus } from '../remote/remote.messages.ts';
import type { EditStatus, PublishedStatus, PublishStatus } from './statuses.messages.ts';
import type { Status } from './statuses.records.ts';

export interface PartHooks {
  /** Where a new status for everybody is delivered because of it. */
  destinations?(message: PublishStatus): readonly Destination[];
  /** The status was stored: stores what belongs to the part. `received`: of a remote status. */
  stored?(turn: AccountTurn, status: Status, received?: ReceivedStatus): void;
  /**
   * Informs others of the part of a new status. One message may be returned in place of being sent: its recipient gives
   * the reply of the call. `message`: of a local status.
   */
  published?(turn: AccountTurn, status: Status, message?: PublishStatus): Envelope<PublishedStatus> | undefined;
  /** Takes over what another server reports without an edit. Returns the status as stored then. */
  reported?(turn: AccountTurn, before: Status, received: ReceivedStatus): Status;
  /** A local author's edit shows nothing new, but changes the part. True where other servers have to be informed. */
  adjusted?(turn: AccountTurn, before: Status, after: Status, edit: EditStatus): boolean;
  /** An edit was stored: changes what belongs to the part. */
  changed?(turn: AccountTurn, before: Status, after: Status, received?: ReceivedStatus): void;
  /** Informs others of the edited part, after everybody was informed of the edit. */
  edited?(turn: AccountTurn, before: Status, after: Status): void;
  /** The status was removed: removes what belongs to the part, and informs others. */
  removed?(turn: AccountTurn, status: Status): void;
}
