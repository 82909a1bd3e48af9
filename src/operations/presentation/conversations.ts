/**
 * Conversations as their owner is shown them: with their last status, and with everybody whom that is from or for. The
 * newest are kept, and who takes part beside them.
 */
import {
  conversationsOf,
  findConversation,
  type StoredConversation,
  versionOfConversations,
} from '../../actors/account/conversations/conversations.queries.ts';
import { type Page, type PageBounds, takePage } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Encoded, KnownAccount, KnownStatus } from './known-status.ts';
import { presentationLimits } from './limits.ts';
import { participantsOf } from './participants.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';
import { VersionedLists } from './versioned-lists.ts';

/** About what a conversation takes with what faces made of it. */
const conversationBytes = 700;

interface Participants<StatusBody extends Encoded, AccountBody extends Encoded> {
  /** According to this version of the last status. */
  readonly of: KnownStatus<StatusBody, AccountBody>;
  readonly accounts: readonly KnownAccount<AccountBody>[];
}

/** A conversation as a gateway thread keeps it: when it changes, another one takes its place. */
export class KnownConversation<StatusBody extends Encoded, AccountBody extends Encoded> implements StoredConversation {
  readonly id: Id;
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** What a face made of it without accounts and status. */
  encoded: Uint8Array | undefined = undefined;
  private participants: Participants<StatusBody, AccountBody> | undefined = undefined;

  constructor({ id, threadId, isUnread }: StoredConversation) {
    this.id = id;
    this.threadId = threadId;
    this.isUnread = isUnread;
  }

  /** Whoever takes part according to the last status, as long as what is known of them is true. */
  accounts(
    status: KnownStatus<StatusBody, AccountBody>,
    find: () => readonly KnownAccount<AccountBody>[],
  ): readonly KnownAccount<AccountBody>[] {
    const known = this.participants;
    if (known?.of === status && known.accounts.every(({ isCurrent }) => isCurrent)) return known.accounts;
    const accounts = find();
    this.participants = { of: status, accounts };
    return accounts;
  }
}

export interface ShownConversation<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly known: KnownConversation<StatusBody, AccountBody>;
  /** Without the owner, except where nobody else takes part. */
  readonly accounts: readonly KnownAccount<AccountBody>[];
  readonly lastStatus: ShownStatus<StatusBody, AccountBody, StateBody>;
}

export class ConversationPresenter<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly services: Pick<Services, 'snapshots'>;
  private readonly statuses: Presenter<StatusBody, AccountBody, StateBody>;
  private readonly recent: VersionedLists<KnownConversation<StatusBody, AccountBody>>;

  constructor(
    services: Pick<Services, 'snapshots' | 'caches'>,
    statuses: Presenter<StatusBody, AccountBody, StateBody>,
  ) {
    const { snapshots, caches } = services;
    this.services = services;
    this.statuses = statuses;
    this.recent = new VersionedLists({
      bytesMax: caches.bytesMax('conversations'),
      entryBytes: conversationBytes,
      readFirst: presentationLimits.conversationsReadFirst,
      keptMax: presentationLimits.conversationsKeptMax,
      versionsOf(accountId) {
        const version = versionOfConversations(snapshots, accountId);
        // One that goes on leaves its place.
        return { version, appendedSince: version };
      },
      read: (accountId, bounds) => knownOf(conversationsOf(snapshots, accountId, bounds)),
    });
    caches.measure('conversations', this.recent);
  }

  /** The one that was continued last comes first; the cursors are ids of last statuses. */
  page(accountId: Id, bounds: PageBounds): Page<ShownConversation<StatusBody, AccountBody, StateBody>> {
    const showStatus = this.statuses.each(accountId, 'single');
    return takePage(
      this.recent.entries(accountId, bounds),
      bounds,
      ({ id }) => id,
      (known) => this.show(accountId, known, showStatus(known.id)),
    );
  }

  /** Undefined for one that there is not, or whose last status its owner is not shown any more. */
  one(accountId: Id, threadId: Id): ShownConversation<StatusBody, AccountBody, StateBody> | undefined {
    const stored = findConversation(this.services.snapshots, accountId, threadId);
    if (stored === undefined) return undefined;
    const known = new KnownConversation<StatusBody, AccountBody>({ ...stored, id: stored.lastStatusId, threadId });
    return this.show(accountId, known, this.statuses.one(known.id, accountId, 'single'));
  }

  private show(
    accountId: Id,
    known: KnownConversation<StatusBody, AccountBody>,
    lastStatus: ShownStatus<StatusBody, AccountBody, StateBody> | undefined,
  ): ShownConversation<StatusBody, AccountBody, StateBody> | undefined {
    if (lastStatus === undefined) return undefined;
    const { status } = lastStatus;
    const accounts = known.accounts(status, () =>
      participantsOf(status, accountId).flatMap((id) => this.statuses.account(id) ?? []),
    );
    return { known, accounts, lastStatus };
  }
}

function* knownOf<StatusBody extends Encoded, AccountBody extends Encoded>(
  conversations: Iterable<StoredConversation>,
): Generator<KnownConversation<StatusBody, AccountBody>> {
  for (const stored of conversations) yield new KnownConversation(stored);
}
