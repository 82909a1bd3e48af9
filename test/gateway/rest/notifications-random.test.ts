/**
 * Pages of notifications, one by one and in groups, from what a gateway has kept, after whatever has happened: as a gateway
 * shows them that has kept nothing, as after a restart, and as a plain reading of storage says. Seeded; a failure prints
 * its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { notificationRequests } from '../../../src/actors/account/notifications/notification-requests.state.ts';
import type { NotificationChoice } from '../../../src/actors/account/notifications/notifications.queries.ts';
import type { NotificationType } from '../../../src/actors/account/notifications/notifications.records.ts';
import { addNotification } from '../../../src/actors/account/notifications/notify.ts';
import type { PageBounds } from '../../../src/actors/pages.ts';
import {
  type GroupedType,
  groupKeyOf,
  groupOfKey,
  isGroupedType,
} from '../../../src/actors/policy/notification-groups.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import { NotificationGroups } from '../../../src/operations/presentation/notification-groups.ts';
import { atOnce, type SliceMeter } from '../../../src/operations/presentation/slice.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import type { Post } from '../../support/acts.ts';
import { cachesOf } from '../../support/caches.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';
import { storedNotifications } from '../../support/stored-notifications.ts';

const actsPerRound = 12;
const rounds = 8;
const samplesMax = 8;
const hour = 60 * 60 * 1_000;

class Recipient {
  readonly random: SeededRandom;
  readonly people: People;
  readonly alice: Person;
  readonly others: readonly Person[];
  /** One that has room for all, and one for a few lists only. */
  readonly keeping: readonly GatewayServices[];
  private readonly posts: Post[] = [];

  static settled(seed: number): Recipient {
    const people = new People();
    const alice = people.local('alice');
    const locals = ['bob', 'carol', 'dave', 'erin', 'frank', 'grace'].map((name) => people.local(name));
    const remotes = ['heidi', 'ivan', 'judy'].map((name) => people.remote(name, `${name}.example`));
    const others = [...locals, ...remotes];
    return new Recipient(seed, people, alice, others);
  }

  private constructor(seed: number, people: People, alice: Person, others: readonly Person[]) {
    this.random = new SeededRandom(seed);
    this.people = people;
    this.alice = alice;
    this.others = others;
    this.keeping = [presenting(people.server), presenting(people.server, cachesOf({ notifications: 12_000 }))];
  }

  async act(): Promise<void> {
    const { random, people, alice, others } = this;
    const other = random.pick(others);
    const local = random.pick(others.filter(({ destination }) => destination === undefined));
    const post = this.posts.length === 0 ? undefined : random.pick(this.posts);
    const own = this.posts.filter(({ author }) => author === alice);
    const ownPost = own.length === 0 ? undefined : random.pick(own);
    switch (random.below(21)) {
      case 0:
      case 1:
        this.posts.push(await people.publish(alice));
        return;
      case 2:
      case 3: {
        const visibility = random.pick(['public', 'private', 'direct'] as const);
        this.posts.push(await people.publish(local, { mentions: [alice], visibility }));
        return;
      }
      case 4:
      case 5:
      case 6:
        if (ownPost !== undefined) await people.favourite(other, ownPost);
        return;
      case 7:
        if (ownPost !== undefined) await people.reblog(local, ownPost);
        return;
      case 8:
        await people.follow(local, alice);
        return;
      case 9:
        await people.unfollow(local, alice);
        return;
      case 10:
        if (ownPost !== undefined) await people.unfavourite(local, ownPost);
        return;
      case 11:
        if (post !== undefined) await this.remove(post);
        return;
      case 13:
        people.change(local, { displayName: `Called ${random.below(1_000)}` });
        return;
      case 12:
        people.server.clock.advance(random.pick([1_000, hour, 13 * hour]));
        return;
      default:
        return this.decide(other);
    }
  }

  /** What the recipient does about notifications, or about somebody. */
  private async decide(other: Person): Promise<void> {
    const { random, alice } = this;
    const { server } = this.people;
    const ids = this.stored({}, { limit: 5_000 }).map(({ id }) => id);
    switch (random.below(12)) {
      case 0:
        await this.people.block(alice, other);
        return;
      case 1:
        await this.people.unblock(alice, other);
        return;
      case 2:
        await this.people.mute(alice, other, { notifications: random.chance(0.7) });
        return;
      case 3:
        await this.people.unmute(alice, other);
        return;
      case 4:
      case 5:
        if (ids.length > 0)
          await server.call(Account.dismissNotification.to(alice.id, { notificationId: random.pick(ids) }));
        return;
      case 6:
        if (random.chance(0.2)) await server.call(Account.clearNotifications.to(alice.id, {}));
        return;
      case 7: {
        const key = this.stored({}, { limit: 100 })[0]?.key;
        const group = key === undefined ? undefined : groupOfKey(key);
        if (group !== undefined && !('aloneId' in group))
          await server.call(Account.dismissGroup.to(alice.id, { group }));
        return;
      }
      case 8: {
        const forNotFollowing = random.pick(['accept', 'filter', 'drop'] as const);
        await server.call(Account.changeNotificationPolicy.to(alice.id, { forNotFollowing }));
        return;
      }
      case 9: {
        const requestIds = Array.from(server.read.range(notificationRequests, [alice.id]), ({ key }) => key[1]);
        const isAccepted = random.chance(0.7);
        await server.call(Account.settleNotificationRequests.to(alice.id, { requestIds, isAccepted }));
        return;
      }
      default:
        this.flood();
    }
  }

  private async remove(post: Post): Promise<void> {
    await this.people.remove(post);
    this.posts.splice(this.posts.indexOf(post), 1);
  }

  /** Many at once, as of a post that everybody likes. */
  private flood(): void {
    const { random, people, alice, others } = this;
    const count = random.pick([3, 12, 60]);
    const statusId = this.posts.at(-1)?.id;
    people.server.turn(Account.actor, alice.id, (turn) => {
      for (let index = 0; index < count; index += 1)
        addNotification(turn, {
          type: statusId === undefined ? 'follow' : 'favourite',
          fromId: random.pick(others).id,
          statusId,
        });
    });
    people.server.settle();
  }

  settle(): void {
    this.people.server.settle();
  }

  private stored(choice: NotificationChoice, bounds: PageBounds) {
    return storedNotifications(this.people.server.read, this.alice.id, choice, bounds, (id, notification) => ({
      id,
      notification,
      key: groupKeyOf(id, notification),
    })).items;
  }

  /** The same pages with as many pauses as there can be. */
  readInSlices({ notifications, answers }: GatewayServices, asked: Asked): { single: string; groups: string } {
    const impatient: typeof notifications = Object.create(notifications, { meter: { get: impatientMeter } });
    const { choice, grouped, bounds } = asked;
    const { id } = this.alice;
    const single = atOnce(impatient.pageInSlices(id, choice, bounds));
    const groups = atOnce(new NotificationGroups(impatient).pageInSlices(id, choice, grouped, bounds));
    return shownAs(answers, single, groups, asked);
  }

  /** Whatever was read now and then is kept. */
  read(services: GatewayServices, asked: Asked): { single: string; groups: string } {
    const { choice, grouped, bounds } = asked;
    const { notifications, notificationGroups, answers } = services;
    const single = notifications.page(this.alice.id, choice, bounds);
    const groups = notificationGroups.page(this.alice.id, choice, grouped, bounds);
    return shownAs(answers, single, groups, asked);
  }

  ask(): Asked {
    const { random } = this;
    const ids = this.stored({}, { limit: 5_000 }).map(({ id }) => id);
    const id = () =>
      ids.length === 0 || random.chance(0.5) ? undefined : random.pick(ids) + BigInt(random.below(3) - 1);
    const types = (): ReadonlySet<NotificationType> | undefined =>
      random.chance(0.7) ? undefined : new Set(['favourite', 'mention'] as const);
    return {
      choice: {
        types: types(),
        excludeTypes: random.chance(0.8) ? undefined : new Set(['favourite'] as const),
        fromId: random.chance(0.85) ? undefined : random.pick(this.others).id,
        includeFiltered: random.chance(0.2),
      },
      grouped: new Set(random.chance(0.7) ? (['favourite', 'reblog', 'follow'] as const) : (['follow'] as const)),
      bounds: {
        limit: random.pick([1, 3, 20, 40]),
        maxId: id(),
        sinceId: id(),
        minId: random.chance(0.7) ? undefined : id(),
      },
      isPartial: random.chance(0.3),
    };
  }

  expectTruth(asked: Asked): number {
    const fresh = presenting(this.people.server);
    const truth = this.read(fresh, asked);
    for (const kept of this.keeping) {
      expect(this.read(kept, asked)).toEqual(truth);
      expect(this.readInSlices(kept, asked)).toEqual(truth);
    }
    const { choice, bounds } = asked;
    const shownIds = storedNotifications(this.people.server.read, this.alice.id, choice, bounds, (id) =>
      fresh.notifications.one(this.alice.id, id) === undefined ? undefined : id,
    ).items;
    expect(fresh.notifications.page(this.alice.id, choice, bounds).items.map(({ id }) => id)).toEqual(shownIds);
    expect(this.groupsOf(fresh, asked)).toEqual(this.plainGroups(fresh, asked));
    return shownIds.length;
  }

  private groupsOf({ notificationGroups }: GatewayServices, { choice, grouped, bounds }: Asked): PlainGroup[] {
    return notificationGroups.page(this.alice.id, choice, grouped, bounds).items.map((group) => ({
      key: group.key,
      count: group.count,
      newestId: group.newestId,
      oldestId: group.oldestId,
      by: group.accountIds,
    }));
  }

  /** Of all that is stored: what is within the bounds, up to where the last group begins; and what is older is counted. */
  private plainGroups({ notifications }: GatewayServices, { choice, grouped, bounds }: Asked): PlainGroup[] {
    const { minId, limit } = bounds;
    const everything = {
      includeFiltered: choice.includeFiltered,
      fromId: choice.fromId,
      types: choice.types,
      excludeTypes: choice.excludeTypes,
    };
    const all = storedNotifications(
      this.people.server.read,
      this.alice.id,
      everything,
      { limit: 100_000 },
      (id, notification) =>
        notifications.one(this.alice.id, id) === undefined
          ? undefined
          : { id, notification, key: keyOf(grouped, id, notification) },
    ).items;
    const after = minId ?? bounds.sinceId;
    const within = all.filter(
      ({ id }) => (bounds.maxId === undefined || id < bounds.maxId) && (after === undefined || id > after),
    );
    const ordered = minId === undefined ? within : within.toReversed();
    const keys = new Set<string>();
    const page: typeof all = [];
    for (const one of ordered) {
      page.push(one);
      if (keys.add(one.key).size === limit) break;
    }
    const ids = page.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1));
    const [oldest, newest] = [ids[0], ids.at(-1)];
    const groups = [...keys].map((key): PlainGroup => {
      const members = all.filter((one) => one.key === key && one.id <= newest!);
      const onPage = members.filter(({ id }) => id >= oldest!);
      const by = [...new Set(members.map(({ notification }) => notification.accountId))].slice(0, samplesMax);
      return { key, count: members.length, newestId: onPage[0]!.id, oldestId: onPage.at(-1)!.id, by };
    });
    return groups.sort((one, other) => (one.newestId > other.newestId ? -1 : 1));
  }
}

type Shown<Name extends 'notifications' | 'notificationGroups'> = ReturnType<GatewayServices[Name]['page']>;

function shownAs(
  answers: GatewayServices['answers'],
  { items: single, ...page }: Shown<'notifications'>,
  { items: groups, ...groupPage }: Shown<'notificationGroups'>,
  asked: Asked,
): { single: string; groups: string } {
  const options = {
    ...{ inList: true, partialAccounts: asked.isPartial, supported: undefined },
    dialect: 'specification' as const,
  };
  const text = (cursors: object) =>
    JSON.stringify(cursors, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  return {
    single: text(page) + answers.notifications(single).toString(),
    groups: text(groupPage) + answers.notificationGroups(groups, options).toString(),
  };
}

/** Every look at it finds that the slice is over. */
function impatientMeter(): SliceMeter {
  let count = 0;
  return {
    get readCount() {
      count += presentationLimits.readsPerSlice;
      return count;
    },
    now: () => 0,
  };
}

interface Asked {
  readonly choice: NotificationChoice;
  readonly grouped: ReadonlySet<GroupedType>;
  readonly bounds: PageBounds;
  readonly isPartial: boolean;
}

interface PlainGroup {
  readonly key: string;
  readonly count: number;
  readonly newestId: Id;
  readonly oldestId: Id;
  readonly by: readonly Id[];
}

function keyOf(grouped: ReadonlySet<GroupedType>, id: Id, notification: Parameters<typeof groupKeyOf>[1]): string {
  const { type } = notification;
  return isGroupedType(type) && grouped.has(type) ? groupKeyOf(id, notification) : `ungrouped-${id}`;
}

/** Answers how many notifications were shown: none to one that has everything dropped. */
async function play(seed: number): Promise<number> {
  const recipient = Recipient.settled(seed);
  let shown = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (let act = 0; act < actsPerRound; act += 1) {
      // A block forbids some of it.
      expect(['answered', 'notFound', 'forbidden']).toContain(await outcomeOf(recipient.act()));
      recipient.settle();
      for (const services of recipient.keeping) recipient.read(services, recipient.ask());
    }
    for (let count = 0; count < 3; count += 1) shown += recipient.expectTruth(recipient.ask());
    recipient.people.expectSound();
  }
  expect(recipient.people.server.problems).toEqual([]);
  return shown;
}

test.each(fixedSeeds(3, 6))('pages of notifications show what storage says (seed %i)', async (seed) => {
  expect(await play(seed)).toBeGreaterThan(0);
});

testFreshSeeds('pages of notifications', play, { seconds: 60 });
