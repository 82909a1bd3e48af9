/**
 * Pages of conversations from what a gateway has kept, after whatever has happened: as a gateway shows them that has kept
 * nothing, as after a restart, and in the order of what is stored. Seeded; a failure prints its seed.
 */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { conversationsOf } from '../../../src/actors/account/conversations/conversations.queries.ts';
import type { PageBounds } from '../../../src/actors/pages.ts';
import { takePage } from '../../../src/actors/pages.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../../sim/seeds.ts';
import type { Post } from '../../support/acts.ts';
import { cachesOf } from '../../support/caches.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

const acts = 60;

class Correspondent {
  readonly random: SeededRandom;
  readonly people = new People();
  readonly alice = this.people.local('alice');
  /** One that has room for all, and one for a few conversations only. */
  readonly keeping = [
    presenting(this.people.server),
    presenting(this.people.server, cachesOf({ conversations: 9_000 })),
  ];
  private readonly others = ['bob', 'carol', 'dave'].map((name) => this.people.local(name));
  private readonly posts: Post[] = [];

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async act(): Promise<void> {
    const { random, people, alice } = this;
    const { server } = people;
    const threadIds = this.stored({ limit: 400 });
    const post = this.posts.length === 0 ? undefined : random.pick(this.posts);
    switch (random.below(9)) {
      case 0:
        if (post === undefined) return;
        await people.remove(post);
        this.posts.splice(this.posts.indexOf(post), 1);
        return;
      case 1:
        if (threadIds.length > 0)
          server.callNow(Account.readConversation.to(alice.id, { threadId: random.pick(threadIds) }));
        return;
      case 2:
        if (threadIds.length > 0)
          server.callNow(Account.removeConversation.to(alice.id, { threadId: random.pick(threadIds) }));
        return;
      case 3:
        people.change(random.pick(this.others), { displayName: `Called ${random.below(1_000)}` });
        return;
      default: {
        const author = random.pick([alice, ...this.others]);
        const mentions = [alice, ...this.others].filter(
          (one) => one !== author && (one === alice || random.chance(0.3)),
        );
        const replyTo = random.chance(0.4) ? post : undefined;
        this.posts.push(await people.publish(author, { visibility: 'direct', mentions, replyTo }));
      }
    }
  }

  private stored(bounds: PageBounds): Id[] {
    const stored = conversationsOf(this.people.server.read, this.alice.id, bounds);
    return takePage(
      stored,
      bounds,
      ({ id }) => id,
      ({ threadId }) => threadId,
    ).items;
  }

  ask(): PageBounds {
    const { random } = this;
    const ids = this.posts.map(({ id }) => id);
    const cursor = () => (ids.length === 0 || random.chance(0.5) ? undefined : random.pick(ids));
    const limit = random.pick([1, 3, 20, 40]);
    return { limit, maxId: cursor(), sinceId: cursor(), minId: random.chance(0.7) ? undefined : cursor() };
  }

  read({ conversations, answers }: GatewayServices, bounds: PageBounds): string {
    const { items, newest, oldest, full } = conversations.page(this.alice.id, bounds);
    return `${newest} ${oldest} ${full} ${answers.conversations(items).toString()}`;
  }

  expectTruth(bounds: PageBounds): number {
    const fresh = presenting(this.people.server);
    for (const kept of this.keeping) expect(this.read(kept, bounds)).toBe(this.read(fresh, bounds));
    const { answers, conversations } = fresh;
    const listed = conversations.page(this.alice.id, bounds).items;
    const one = this.stored(bounds).map((threadId) => conversations.one(this.alice.id, threadId)!);
    const text = answers.conversations(one).toString();
    expect(answers.conversations(listed).toString()).toBe(text);
    return listed.length;
  }
}

/** Answers how many conversations were shown. */
async function play(seed: number): Promise<number> {
  const correspondent = new Correspondent(seed);
  let shown = 0;
  for (let act = 0; act < acts; act += 1) {
    await correspondent.act();
    correspondent.people.server.settle();
    for (const services of correspondent.keeping) correspondent.read(services, correspondent.ask());
    if (act % 3 === 0) shown += correspondent.expectTruth(correspondent.ask());
  }
  correspondent.people.expectSound();
  expect(correspondent.people.server.problems).toEqual([]);
  return shown;
}

test.each(fixedSeeds(4))('pages of conversations show what storage says (seed %i)', async (seed) => {
  expect(await play(seed)).toBeGreaterThan(0);
});

testFreshSeeds('pages of conversations', play, { seconds: 30 });
