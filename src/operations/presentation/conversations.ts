/**
 * Conversations as their owner sees them: with their last status and its participants. The newest are cached, with
 * their participants.
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
import { type KeptList, VersionedLists } from './versioned-lists.ts';

/** About the memory of a conversation with its encoded form. */
const conversationBytes = 700;

interface Participants<StatusBody extends Encoded, AccountBody extends Encoded> {
  /** Valid for this version of the last status. */
  readonly of: KnownStatus<StatusBody, AccountBody>;
  readonly accounts: readonly KnownAccount<AccountBody>[];
}

/** A conversation cached in a gateway thread. Immutable: a changed one replaces it. */
export class KnownConversation<StatusBody extends Encoded, AccountBody extends Encoded> implements StoredConversation {
  readonly id: Id;
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** The encoded form without accounts and status. */
  encoded: Uint8Array | undefined = undefined;
  private participants: Participants<StatusBody, AccountBody> | undefined = undefined;

  constructor({ id, threadId, isUnread }: StoredConversation) {
    this.id = id;
    this.threadId = threadId;
    this.isUnread = isUnread;
  }

  /** The participants by the last status, as long as they are current. */
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
  /** Without the owner, unless there is no other participant. */
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
        // A conversation that continues changes its position.
        return { version, appendedSince: version };
      },
      read: (accountId, bounds) => knownOf(conversationsOf(snapshots, accountId, bounds)),
    });
    caches.measure('conversations', this.recent);
  }

  /** The current newest conversations of an account. */
  newest(accountId: Id): KeptList<KnownConversation<StatusBody, AccountBody>> {
    return this.recent.current(accountId);
  }

  /** Most recently continued first; the cursors are ids of last statuses. */
  page(
    accountId: Id,
    bounds: PageBounds,
    newest = this.newest(accountId),
  ): Page<ShownConversation<StatusBody, AccountBody, StateBody>> {
    const showStatus = this.statuses.each(accountId, 'single');
    return takePage(
      this.recent.entries(newest, bounds),
      bounds,
      ({ id }) => id,
      (known) => this.show(accountId, known, showStatus(known.id)),
    );
  }

  /** Undefined for an unknown conversation, or one whose last status the owner may no longer see. */
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
    for (const account of accounts) this.statuses.recorder.add(account);
    return { known, accounts, lastStatus };
  }
}

function* knownOf<StatusBody extends Encoded, AccountBody extends Encoded>(
  conversations: Iterable<StoredConversation>,
): Generator<KnownConversation<StatusBody, AccountBody>> {
  for (const stored of conversations) yield new KnownConversation(stored);
}
