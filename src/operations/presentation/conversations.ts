/**
 * Conversations as their owner sees them: with their last status and its participants. The newest are cached, with
 * their participants.
 */

import {
  conversationsOf,
  conversationVersionSpaces,
  findConversation,
  type StoredConversation,
  versionOfConversations,
} from '../../actors/account/conversations/conversations.queries.ts';
import { type Page, type PageBounds, PageInMaking } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { CachedAccount, EncodedForms } from './cached-status.ts';
import { presentationLimits } from './limits.ts';
import { participantsOf } from './participants.ts';
import type { Presenter } from './presenter.ts';
import type { ShownStatus } from './shown-status.ts';
import type { Decision } from './sources.ts';
import { type CachedList, VersionedLists } from './versioned-lists.ts';

/** Approximate memory of a conversation with its encoded form and the decision what is shown of it. */
const conversationBytes = 1_500;

/** A conversation cached in a gateway thread. Immutable: a changed one replaces it. */
export class CachedConversation<Shown> implements StoredConversation {
  readonly id: Id;
  readonly threadId: Id;
  readonly isUnread: boolean;
  /** The encoded form without accounts and status. */
  encoded: Uint8Array | undefined = undefined;
  /** The decision what its owner is shown of it. */
  decision: Decision<Shown | undefined> | undefined = undefined;

  constructor({ id, threadId, isUnread }: StoredConversation) {
    this.id = id;
    this.threadId = threadId;
    this.isUnread = isUnread;
  }
}

export interface ShownConversation<Forms extends EncodedForms> {
  readonly known: CachedConversation<ShownConversation<Forms>>;
  /** Without the owner, unless there is no other participant. */
  readonly accounts: readonly CachedAccount<Forms>[];
  readonly lastStatus: ShownStatus<Forms>;
}

export class ConversationPresenter<Forms extends EncodedForms> {
  private readonly services: Pick<Services, 'snapshots'>;
  private readonly statuses: Presenter<Forms>;
  private readonly recent: VersionedLists<CachedConversation<ShownConversation<Forms>>>;

  constructor(services: Pick<Services, 'snapshots' | 'caches' | 'events'>, statuses: Presenter<Forms>) {
    const { snapshots, caches, events } = services;
    this.services = services;
    this.statuses = statuses;
    this.recent = new VersionedLists({
      events,
      bytesMax: caches.bytesMax('conversations'),
      entryBytes: conversationBytes,
      readFirst: presentationLimits.conversationsReadFirst,
      readNext: presentationLimits.conversationsReadNext,
      keptMax: presentationLimits.conversationsKeptMax,
      storedVersions: (accountId) => snapshots.stored(conversationVersionSpaces, [accountId]),
      versionsOf(accountId) {
        const version = versionOfConversations(snapshots, accountId);
        // A conversation that continues changes its position.
        return { version, appendedSince: version };
      },
      read: (accountId, bounds) => knownOf(conversationsOf(snapshots, accountId, bounds)),
      isSame: (cached, { threadId, isUnread }) => cached.threadId === threadId && cached.isUnread === isUnread,
    });
    caches.measure('conversations', this.recent);
  }

  /** The current newest conversations of an account. */
  newest(accountId: Id): CachedList<CachedConversation<ShownConversation<Forms>>> {
    return this.recent.current(accountId);
  }

  /** Most recently continued first; the cursors are ids of last statuses. */
  page(accountId: Id, bounds: PageBounds, newest = this.newest(accountId)): Page<ShownConversation<Forms>> {
    const show = this.showTo(accountId);
    const making = new PageInMaking<ShownConversation<Forms>>(bounds);
    for (const { entries, from, until } of this.recent.stretches(newest, bounds))
      for (let index = from; index < until; index += 1) {
        const known = entries[index]!;
        if (making.take(known.id, show(known))) return making.page;
      }
    return making.page;
  }

  /** Undefined for an unknown conversation, or one whose last status the owner may no longer see. */
  one(accountId: Id, threadId: Id): ShownConversation<Forms> | undefined {
    const stored = findConversation(this.services.snapshots, accountId, threadId);
    if (stored === undefined) return undefined;
    const known = new CachedConversation<ShownConversation<Forms>>({
      ...stored,
      id: stored.lastStatusId,
      threadId,
    });
    return this.showTo(accountId)(known);
  }

  private showTo(
    accountId: Id,
  ): (known: CachedConversation<ShownConversation<Forms>>) => ShownConversation<Forms> | undefined {
    const { recorder } = this.statuses;
    const { viewerVersion, status: showStatus, formOf } = this.statuses.owner(accountId, 'single');
    const decide = (known: CachedConversation<ShownConversation<Forms>>): ShownConversation<Forms> | undefined => {
      const lastStatus = showStatus(known.id);
      if (lastStatus === undefined) return undefined;
      const participants = participantsOf(lastStatus.status, accountId);
      const found = participants.flatMap((id) => this.statuses.account(id) ?? []);
      return { known, accounts: found.map(formOf), lastStatus };
    };
    return (known) => recorder.decide(known, viewerVersion, decide);
  }
}

function* knownOf<Shown>(conversations: Iterable<StoredConversation>): Generator<CachedConversation<Shown>> {
  for (const stored of conversations) yield new CachedConversation(stored);
}
