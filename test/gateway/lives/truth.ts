/** What answers say about the same thing: relationships and lists of people, marks of statuses and lists of them, both ends. */
import { expect } from 'vitest';
import { Failure } from '../../../src/runtime/errors.ts';
import type { MemoryApi } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { endpointOf, type Given, type LivesTown } from './town.ts';

interface Relationship {
  readonly id: string;
  readonly following: boolean;
  readonly requested: boolean;
  readonly requested_by: boolean;
  readonly followed_by: boolean;
  readonly blocking: boolean;
  readonly blocked_by: boolean;
  readonly muting: boolean;
  readonly endorsed: boolean;
  readonly domain_blocking: boolean;
}

interface ShownStatus {
  readonly id: string;
  readonly account: { readonly id: string };
  readonly in_reply_to_account_id: string | null;
  readonly favourited: boolean;
  readonly reblogged: boolean;
  readonly bookmarked: boolean;
  readonly muted: boolean;
  readonly pinned?: boolean;
  readonly reblog: ShownStatus | null;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly poll: {
    readonly expired: boolean;
    readonly expires_at: string | null;
    readonly voted: boolean;
    readonly own_votes: readonly number[];
  } | null;
}

const whole = { limit: 80 };

export class Truth {
  private readonly town: LivesTown;
  private readonly api: MemoryApi;
  private readonly active: readonly Person[];
  private readonly relationships = new Map<string, ReadonlyMap<string, Relationship>>();

  constructor(town: LivesTown) {
    this.town = town;
    this.api = town.gateway();
    this.api.dialect = 'mastodon';
    this.active = town.locals.filter((one) => town.isActive(one));
  }

  async expectAll(): Promise<void> {
    for (const person of this.active) this.relationships.set(`${person.id}`, await this.relationshipsOf(person));
    for (const person of this.active) {
      await this.expectRelationships(person);
      await this.expectMarks(person);
      await this.expectTimelines(person);
      await this.expectLists(person);
      await this.expectCollections(person);
      await this.expectScheduled(person);
      await this.expectQuotes(person);
    }
  }

  private async get<Body>(viewer: Person, path: string, given: Given = {}): Promise<Body | undefined> {
    try {
      return (await this.api.ask<Body>(endpointOf('GET', path), viewer, given)).body;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  /** Of people who are not suspended. */
  private async ids(viewer: Person, path: string, given: Given = {}): Promise<string[]> {
    const found = await this.get<{ id: string }[]>(viewer, path, { ...whole, ...given });
    return (found ?? []).map(({ id }) => id).sort();
  }

  private async relationshipsOf(person: Person): Promise<ReadonlyMap<string, Relationship>> {
    const others = this.town.everybody.filter((one) => one !== person && this.town.isActive(one));
    const id = others.map((one) => `${one.id}`);
    const found = (await this.get<Relationship[]>(person, '/api/v1/accounts/relationships', { id }))!;
    return new Map(found.map((one) => [one.id, one]));
  }

  private async expectRelationships(person: Person): Promise<void> {
    const own = [...this.relationships.get(`${person.id}`)!.values()];
    const where = (mark: keyof Relationship) =>
      own
        .filter((one) => one[mark])
        .map(({ id }) => id)
        .sort();
    const shown = new Set(own.map(({ id }) => id));
    const listed = async (path: string, given?: Given) =>
      (await this.ids(person, path, given)).filter((id) => shown.has(id));
    const { id } = person;
    const said = {
      following: where('following'),
      followers: where('followed_by'),
      requests: where('requested_by'),
      blocks: where('blocking'),
      mutes: where('muting'),
      endorsements: where('endorsed'),
    };
    expect(said, person.name).toEqual({
      following: await listed('/api/v1/accounts/:id/following', { id }),
      followers: await listed('/api/v1/accounts/:id/followers', { id }),
      requests: await listed('/api/v1/follow_requests'),
      blocks: await listed('/api/v1/blocks'),
      mutes: await listed('/api/v1/mutes'),
      endorsements: await listed('/api/v1/endorsements'),
    });
    for (const one of own) {
      expect(one.endorsed && !one.following, 'endorsed without being followed').toBe(false);
      expect(one.blocking && (one.following || one.followed_by || one.requested), 'blocked and followed').toBe(false);
      const theirs = this.relationships.get(one.id)?.get(`${person.id}`);
      if (theirs === undefined) continue;
      const { following, followed_by, requested, requested_by, blocking, blocked_by } = one;
      expect(
        { following, followed_by, requested, requested_by, blocking, blocked_by },
        `${person.name} and ${one.id}`,
      ).toEqual({
        ...{ following: theirs.followed_by, followed_by: theirs.following },
        ...{ requested: theirs.requested_by, requested_by: theirs.requested },
        ...{ blocking: theirs.blocked_by, blocked_by: theirs.blocking },
      });
    }
  }

  private async expectMarks(person: Person): Promise<void> {
    const id = [...this.town.known].map((one) => `${one}`);
    const statuses: ShownStatus[] = [];
    for (let first = 0; first < id.length; first += 20)
      statuses.push(
        ...((await this.get<ShownStatus[]>(person, '/api/v1/statuses', { id: id.slice(first, first + 20) })) ?? []),
      );
    const shown = new Set(statuses.map((one) => one.id));
    const listed = async (path: string, given?: Given) =>
      (await this.ids(person, path, given)).filter((one) => shown.has(one));
    const where = (is: (status: ShownStatus) => boolean) =>
      statuses
        .filter((one) => one.reblog === null && is(one))
        .map((one) => one.id)
        .sort();
    expect(
      {
        favourites: where((one) => one.favourited),
        bookmarks: where((one) => one.bookmarked),
        pinned: where((one) => one.pinned === true),
      },
      person.name,
    ).toEqual({
      favourites: await listed('/api/v1/favourites'),
      bookmarks: await listed('/api/v1/bookmarks'),
      pinned: await listed('/api/v1/accounts/:id/statuses', { id: person.id, pinned: true }),
    });
    for (const { poll, id: statusId } of statuses) {
      if (poll === null) continue;
      expect(poll.voted, `votes in ${statusId}`).toBe(
        poll.own_votes.length > 0 || statuses.find((one) => one.id === statusId)!.account.id === `${person.id}`,
      );
    }
  }

  /** Nobody whom the viewer blocks or mutes writes in what the viewer reads, nor a member of an exclusive list at home. */
  private async expectTimelines(person: Person): Promise<void> {
    const own = this.relationships.get(`${person.id}`)!;
    const lists = (await this.get<{ id: string; exclusive: boolean }[]>(person, '/api/v1/lists'))!;
    const exclusive = new Set<string>();
    for (const list of lists.filter((one) => one.exclusive))
      for (const member of await this.ids(person, '/api/v1/lists/:id/accounts', { id: list.id })) exclusive.add(member);
    const _followed = (await this.get<{ name: string }[]>(person, '/api/v1/followed_tags'))!;
    const timelines: [string, Given][] = [
      ['/api/v1/timelines/home', {}],
      ['/api/v1/timelines/public', {}],
      ['/api/v1/timelines/tag/:hashtag', { hashtag: 'cats' }],
      ...lists.map(({ id }): [string, Given] => ['/api/v1/timelines/list/:list_id', { list_id: id }]),
    ];
    for (const [path, given] of timelines) {
      const statuses = (await this.get<ShownStatus[]>(person, path, { ...whole, ...given }))!;
      for (const status of statuses)
        for (const author of new Set([status.account.id, (status.reblog ?? status).account.id])) {
          const what = `${person.name} reads ${status.id} of ${author} in ${path}`;
          const relation = own.get(author);
          if (author !== `${person.id}`) expect(relation, what).toBeDefined();
          expect(
            relation?.blocking === true || relation?.blocked_by === true || relation?.domain_blocking === true,
            what,
          ).toBe(false);
          expect(relation?.muting === true && status.in_reply_to_account_id !== `${person.id}`, `muted: ${what}`).toBe(
            false,
          );
        }
      if (path !== '/api/v1/timelines/home') continue;
      for (const { account, id } of statuses) {
        expect(exclusive.has(account.id), `${person.name} reads ${id} of a member of an exclusive list`).toBe(false);
      }
    }
    const notifications = (await this.get<{ type: string; account: { id: string } }[]>(
      person,
      '/api/v1/notifications',
      whole,
    ))!;
    for (const { type, account } of notifications) {
      const relation = own.get(account.id);
      expect(relation?.blocking === true, `${person.name} hears of ${type} by ${account.id}`).toBe(false);
    }
  }

  private async expectLists(person: Person): Promise<void> {
    const own = this.relationships.get(`${person.id}`)!;
    for (const { id } of (await this.get<{ id: string }[]>(person, '/api/v1/lists'))!)
      for (const member of await this.ids(person, '/api/v1/lists/:id/accounts', { id })) {
        const relation = own.get(member);
        if (member === `${person.id}` || relation === undefined) continue;
        expect(relation.following || relation.requested, `${person.name} lists ${member}`).toBe(true);
        const lists = await this.ids(person, '/api/v1/accounts/:id/lists', { id: member });
        expect(lists, `${person.name} lists ${member}`).toContain(id);
      }
  }

  /** Who is shown in a collection has it among the collections with itself. */
  private async expectCollections(person: Person): Promise<void> {
    type Items = { collection: { id: string; account_id: string; items: { account_id: string; state: string }[] } };
    const collections = await this.get<{ collections: { id: string }[] }>(
      person,
      '/api/v1/accounts/:id/in_collections',
      { id: person.id, ...whole },
    );
    for (const { id } of collections?.collections ?? []) {
      const shown = await this.get<Items>(person, '/api/v1/collections/:id', { id });
      const states = shown?.collection.items.map(({ account_id, state }) => `${account_id} ${state}`);
      expect(states, `${person.name} is in ${id}`).toContain(`${person.id} accepted`);
    }
  }

  /** What is due is published or dropped. */
  private async expectScheduled(person: Person): Promise<void> {
    const scheduled = (await this.get<{ scheduled_at: string }[]>(person, '/api/v1/scheduled_statuses', {
      limit: 40,
    }))!;
    for (const { scheduled_at } of scheduled) expect(Date.parse(scheduled_at)).toBeGreaterThan(this.town.now - 1);
  }

  /** The quotes of an own status are those statuses that say so, as far as they are shown. */
  private async expectQuotes(person: Person): Promise<void> {
    const quoting = new Map<string, string[]>();
    for (const { id, quote, accountId } of this.town.statuses()) {
      const relation = this.relationships.get(`${person.id}`)!.get(`${accountId}`);
      if (quote?.state !== 'accepted' || relation?.domain_blocking === true || relation?.muting === true) continue;
      const shown = await this.get<ShownStatus>(person, '/api/v1/statuses/:id', { id });
      const quoted = `${quote.statusId}`;
      if (shown !== undefined) quoting.set(quoted, [...(quoting.get(quoted) ?? []), `${id}`]);
    }
    for (const { id, accountId, reblogOfId } of this.town.statuses()) {
      if (accountId !== person.id || reblogOfId !== undefined) continue;
      const listed = await this.ids(person, '/api/v1/statuses/:id/quotes', { id });
      expect(listed, `${person.name} reads the quotes of ${id}`).toEqual((quoting.get(`${id}`) ?? []).sort());
    }
  }
}
