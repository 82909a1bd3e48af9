/** A status as a viewer sees it: the part that is cached for everybody, and the viewer's state. */

import type { Permission } from '../../actors/policy/approval.ts';
import type { QuotePermission } from '../../actors/policy/quotes.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { CachedAccount, CachedStatus, EncodedForms } from './cached-status.ts';
import type { ShownQuote } from './quotes.ts';
import type { ViewerVersion } from './sources.ts';
import type { StateReader } from './viewer-state.ts';

export interface ShownStatus<Forms extends EncodedForms> {
  readonly status: CachedStatus<Forms>;
  readonly author: CachedAccount<Forms>;
  readonly state: Forms['state'];
  /** Which fields of the state are shown. */
  readonly shownTo: StateReader;
  /** Of a reblog. */
  readonly original: ShownStatus<Forms> | undefined;
  /** Of a reblog: that of the original. */
  readonly quotePermission: QuotePermission;
  /** Undefined where it shows nothing of others. */
  readonly parts: ShownParts<Forms> | undefined;
}

/** What a status shows of others. */
export interface ShownParts<Forms extends EncodedForms> {
  /** Its quote; inside a quote, without a status. */
  readonly quote: ShownQuote<ShownStatus<Forms>> | undefined;
  /** Encoded; undefined where it links to none. */
  readonly collections: Forms['status'] | undefined;
  /** Encoded; undefined for a card that names no account. */
  readonly card: Forms['status'] | undefined;
  /** Whether the viewer may reply; undefined where everybody may. */
  readonly replyPermission: Permission | undefined;
}

/** An account to whom its own notifications or conversations are shown. */
export interface Owner<Forms extends EncodedForms> {
  readonly viewer: Viewer;
  /** Another object after each change. */
  readonly viewerVersion: ViewerVersion;
  /** Undefined for a status that does not exist for the account. */
  status(statusId: Id): ShownStatus<Forms> | undefined;
  /** The account as this one is shown it. */
  formOf(account: CachedAccount<Forms>): CachedAccount<Forms>;
}
