/**
 * The accounts that a viewer blocks or mutes, or that block the viewer, whether statuses need a check for it, and its
 * followed tags. Loaded once per account with streams, and again when it changes.
 */

import { hasFilters } from '../../actors/account/filters/filters.queries.ts';
import { exclusiveMembers } from '../../actors/account/lists/lists.queries.ts';
import { blocksAnyDomain } from '../../actors/account/relationships/blocked-domains.queries.ts';
import { type HiddenAccounts, hiddenAccounts } from '../../actors/account/relationships/viewer.queries.ts';
import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { everyFeed, readsAll } from '../../actors/policy/feed-access.ts';
import { type FeedServices, feedReaches } from '../../operations/timelines/feed-access.ts';
import type { Id } from '../../runtime/ids.ts';
import type { ChannelKind } from './channels.ts';

/** Shared, because most accounts hide nobody. */
const nobody: HiddenAccounts = new Map();
const noMembers: ReadonlySet<Id> = new Set();
const noTags: readonly string[] = [];

export class VisibilityFilter {
  readonly accountId: Id;
  /** Whether this viewer's statuses must be encoded individually: because of filters, or hidden domains. */
  needsOwnFrames = false;
  /** Normalised names: public statuses with one of them are in its home. */
  followedTags = noTags;
  /** What it may read of the public timelines. */
  private reaches = everyFeed;
  private hidden = nobody;
  private exclusive = noMembers;

  constructor(accountId: Id) {
    this.accountId = accountId;
  }

  /** Call again when blocks, mutes, filters or exclusive lists have changed. */
  load(services: FeedServices): void {
    const { snapshots } = services;
    this.readFeeds(services);
    const hidden = hiddenAccounts(snapshots, this.accountId);
    const exclusive = exclusiveMembers(snapshots, this.accountId);
    this.exclusive = exclusive.size === 0 ? noMembers : exclusive;
    this.hidden = hidden.size === 0 ? nobody : hidden;
    this.needsOwnFrames = hasFilters(snapshots, this.accountId) || blocksAnyDomain(snapshots, this.accountId);
  }

  /** Call again when others may read the public timelines, or the role has changed. Tells whether it may make a difference. */
  readFeeds(services: FeedServices): boolean {
    const before = this.reaches;
    this.reaches = feedReaches(services, this.accountId);
    return before !== this.reaches;
  }

  /** Whether the viewer may read all that public channels of a kind carry. */
  readsAll({ reads }: Pick<ChannelKind, 'reads'>): boolean {
    return reads === undefined || readsAll(this.reaches[reads]);
  }

  /** Whether the viewer may read a status in a public channel. */
  reads({ reads }: Pick<ChannelKind, 'reads'>, { local }: Pick<StatusFacts, 'local'>): boolean {
    return reads === undefined || this.reaches[reads][local ? 'local' : 'remote'];
  }

  followTags(names: readonly string[]): void {
    this.followedTags = names.length === 0 ? noTags : names;
  }

  /**
   * True when nobody is hidden and nothing filtered: every public status may be sent unchecked, the same as to
   * everybody.
   */
  get isClear(): boolean {
    return this.hidden === nobody && !this.needsOwnFrames;
  }

  /** Whether the viewer's home omits the account, because it is in an exclusive list. */
  leavesOut(accountId: Id): boolean {
    return this.exclusive.has(accountId);
  }

  shows(facts: StatusFacts, now: number): boolean {
    if (this.hidden === nobody) return true;
    if (this.hides(facts.accountId, now)) return false;
    return facts.reblogOfAccountId === undefined || !this.hides(facts.reblogOfAccountId, now);
  }

  /** Whether it mentions somebody who is hidden: then the viewer's home is decided individually. */
  mentionsHidden({ mentions }: StatusFacts, now: number): boolean {
    return this.hidden !== nobody && mentions.some((accountId) => this.hides(accountId, now));
  }

  private hides(accountId: Id, now: number): boolean {
    const until = this.hidden.get(accountId);
    return until !== undefined && until > now;
  }
}
