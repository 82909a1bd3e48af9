/** A status as a viewer sees it: the part that is cached for everybody, and the viewer's state. */
import type { QuotePermission } from '../../actors/policy/quotes.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Encoded, KnownAccount, KnownStatus } from './known-status.ts';
import type { ShownQuote } from './quotes.ts';
import type { Standing } from './sources.ts';
import type { StateReader } from './viewer-state.ts';

export interface ShownStatus<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly status: KnownStatus<StatusBody, AccountBody>;
  readonly author: KnownAccount<AccountBody>;
  readonly state: StateBody;
  /** Which fields of the state are shown. */
  readonly shownTo: StateReader;
  /** Of a reblog. */
  readonly original: ShownStatus<StatusBody, AccountBody, StateBody> | undefined;
  /** Of a reblog: that of the original. */
  readonly quotePermission: QuotePermission;
  /** Undefined where it shows nothing of others. */
  readonly parts: ShownParts<StatusBody, ShownStatus<StatusBody, AccountBody, StateBody>> | undefined;
}

/** What a status shows of others. */
export interface ShownParts<StatusBody extends Encoded, Shown> {
  /** Its quote; inside a quote, without a status. */
  readonly quote: ShownQuote<Shown> | undefined;
  /** Encoded; undefined where it links to none. */
  readonly collections: StatusBody | undefined;
  /** Encoded; undefined for a card that names no account. */
  readonly card: StatusBody | undefined;
}

/** An account to whom its own notifications or conversations are shown. */
export interface Owner<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly viewer: Viewer;
  /** Another object after each change. */
  readonly standing: Standing;
  /** Undefined for a status that does not exist for the account. */
  status(statusId: Id): ShownStatus<StatusBody, AccountBody, StateBody> | undefined;
  /** The account as this one is shown it. */
  formOf(account: KnownAccount<AccountBody>): KnownAccount<AccountBody>;
}
