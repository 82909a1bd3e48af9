/**
 * Reads what people see of each other and of statuses, through the queries that gateways use: tests of handlers need no
 * keyspaces.
 */

import { accountRules } from '../../src/actors/account/account.actor.ts';
import {
  chooseFavourites,
  favouritedAmong,
  favouritersOf,
  rebloggedAmong,
  rebloggersOf,
} from '../../src/actors/account/interactions/interactions.queries.ts';
import type { AccountCounters, Profile } from '../../src/actors/account/profile/profile.records.ts';
import { type AccountView, findAccount } from '../../src/actors/account/profile/profiles.queries.ts';
import { findRelationship, type RelationshipView } from '../../src/actors/account/relationship-views.queries.ts';
import {
  allAccounts,
  blocksOf,
  followedBy,
  followersOf,
  followRequestsOf,
  mutesOf,
  shownAccounts,
} from '../../src/actors/account/relationships/relationships.queries.ts';
import { viewerOf } from '../../src/actors/account/relationships/viewer.queries.ts';
import { findProfile, findStatusRecord, followIdAt } from '../../src/actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../src/actors/account/statuses/account-statuses.queries.ts';
import type { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { repliesTo } from '../../src/actors/account/statuses/threads.queries.ts';
import type { Destination } from '../../src/actors/intents.ts';
import type { Page } from '../../src/actors/pages.ts';
import { anonymous } from '../../src/actors/policy/visibility.ts';
import { publicEntries, tagEntries } from '../../src/actors/timelines.queries.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { TestServer } from './actors.ts';
import { entryCounts } from './entry-counts.ts';
import { presenting } from './presenting.ts';
import { assertSound } from './sound.ts';

export interface Person {
  readonly id: Id;
  readonly name: string;
  /** Undefined for local people. */
  readonly destination: Destination | undefined;
}

interface Written {
  readonly id: Id;
  readonly author: Person;
}

const all = { limit: 10_000 };

export abstract class Observer {
  abstract readonly server: TestServer;

  /** Every counter and index of accounts agrees with what it counts and lists, on both sides. */
  expectSound(): void {
    assertSound(this.server.disks, accountRules);
  }

  /** Numbers of stored entries, for tests that expect storage to be as before. */
  entryCounts(): Readonly<Record<string, number>> {
    return entryCounts(this.server);
  }

  relationship(viewer: Person, other: Person): RelationshipView {
    return findRelationship(this.server.read, viewer.id, other.id, this.server.clock.now());
  }

  profile(person: Person): Profile | undefined {
    return findProfile(this.server.read, person.id);
  }

  accountCounters(person: Person): AccountCounters {
    return findAccount(this.server.read, person.id)!.counters;
  }

  statusRecord(statusId: Id): Status | undefined {
    return findStatusRecord(this.server.read, statusId);
  }

  /** The follow as the followed account stores it; undefined where there is neither a follow nor a request. */
  followIdAt(target: Person, follower: Person): Id | undefined {
    return followIdAt(this.server.read, target.id, follower.id);
  }

  private shownTo(person: Person) {
    return shownAccounts(this.server.read, this.viewer(person));
  }

  /** Newest first, as all lists here. */
  followerIds(person: Person): Id[] {
    return idsIn(followersOf(this.server.read, person.id, this.shownTo(person), all));
  }

  followedIds(person: Person): Id[] {
    return idsIn(followedBy(this.server.read, person.id, this.shownTo(person), all));
  }

  requesterIds(person: Person): Id[] {
    return idsIn(followRequestsOf(this.server.read, person.id, shownAccounts(this.server.read, anonymous), all));
  }

  blockedIds(person: Person): Id[] {
    return idsIn(blocksOf(this.server.read, person.id, allAccounts(this.server.read), all));
  }

  mutedIds(person: Person): Id[] {
    const { read, clock } = this.server;
    return mutesOf(read, person.id, (id) => id, all, clock.now()).items.map(({ account }) => account);
  }

  favouriteIds(person: Person): Id[] {
    return [...chooseFavourites(this.server.read, person.id, all, (statusId) => statusId).items];
  }

  hasFavourited(person: Person, { id }: { readonly id: Id }): boolean {
    return favouritedAmong(this.server.read, person.id, [id])[0]!;
  }

  hasReblogged(person: Person, { id }: { readonly id: Id }): boolean {
    return rebloggedAmong(this.server.read, person.id, [id])[0]!;
  }

  /** As shown to the author. */
  favouriterIds({ id, author }: Written): Id[] {
    return idsIn(favouritersOf(this.server.read, id, this.shownTo(author), all));
  }

  rebloggerIds({ id, author }: Written): Id[] {
    return idsIn(rebloggersOf(this.server.read, id, this.shownTo(author), all, this.viewer(author)));
  }

  /** The entries in the list of an account's statuses, regardless of visibility. */
  statusEntries(person: Person) {
    return [...statusEntriesOf(this.server.read, person.id, all)];
  }

  publicEntries() {
    return [...publicEntries(this.server.read, 'all', all)];
  }

  taggedIds(tag: string): Id[] {
    return Array.from(tagEntries(this.server.read, [tag], all), ({ id }) => id);
  }

  replyIds({ id }: { readonly id: Id }): Id[] {
    return repliesTo(this.server.read, id);
  }

  /** As gateways show them. */
  shownNotifications(person: Person): { id: Id; type: string; fromId: Id }[] {
    const { items } = presenting(this.server).notifications.page(person.id, {}, all);
    return items.map(({ id, notification: { type, accountId: fromId } }) => ({ id, type, fromId }));
  }

  private viewer(person: Person) {
    return viewerOf(this.server.read, person.id, this.server.clock.now());
  }
}

function idsIn({ items }: Page<AccountView>): Id[] {
  return items.map(({ profile }) => profile.id);
}
