/** The encoded forms of a status that is shown to a viewer. */

import type { ShownStatus } from '../../operations/presentation/shown-status.ts';
import type { StateReader } from '../../operations/presentation/viewer-state.ts';
import type { EncodedAccount } from './encoded-account.ts';

/**
 * The part of the entity after the account, up to the first part that depends on the viewer; without such a part, ending
 * with a stranger's quote permission and the most frequent viewer state; for a reblog only up to the reblogged status,
 * whose separator is a colon. The account is stored once for all its statuses: serving many different pages is bound by
 * memory (measured), and this halves what is read.
 */
export type EncodedStatus = Buffer;

/**
 * Viewer state as JSON up to the end of the entity, for each kind of reader; and the part that ends the poll of a
 * status.
 */
export type EncodedState = Readonly<Record<StateReader, Buffer>> & {
  readonly poll: Readonly<Record<StateReader, Buffer>>;
};

/** The forms of the API: encoded JSON. */
export interface EntityForms {
  readonly status: EncodedStatus;
  readonly account: EncodedAccount;
  readonly state: EncodedState;
}

export type EncodableStatus = ShownStatus<EntityForms>;
