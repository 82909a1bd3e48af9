/**
 * Whatever remote accounts do, alone or to each other, under each other's ids too, and whatever state they and the local
 * accounts are in: every activity is answered 202, no turn fails, and what is stored agrees. Seeded; a failure prints its
 * seed.
 */
import { expect, test } from 'vitest';
import { accountRules } from '../../src/actors/account/account.actor.ts';
import { Account } from '../../src/actors/account/account.messages.ts';
import { Failure } from '../../src/runtime/errors.ts';
import { SeededRandom } from '../sim/random.ts';
import { fixedSeeds, testFreshSeeds } from '../sim/seeds.ts';
import { plainPost } from '../support/plain-post.ts';
import { assertSound } from '../support/sound.ts';
import { home, InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

const steps = 80;
const host = 'remote.example';
/** The first two are in one partition, the third in the other. */
const names = ['bob', 'carol', 'mallory'] as const;
const uriOf = (name: string) => `https://${host}/users/${name}`;
const featuredOf = ({ uri }: RemotePerson) => `${uri}/featured`;
const aPoll = { options: ['Tea', 'Coffee'], multiple: true, hideTotals: false, expiresInSeconds: 3_600 };

class World {
  readonly bed = new InboundBed();
  readonly random: SeededRandom;
  readonly people = names.map((name) => {
    const alsoKnownAs = names.filter((other) => other !== name).map(uriOf);
    return this.bed.person(host, name, { featured: `${uriOf(name)}/featured`, alsoKnownAs });
  });
  readonly locals: { readonly id: bigint; readonly uri: string }[] = [];
  readonly ids: bigint[] = [];
  readonly posts: string[] = [];
  number = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async populate(): Promise<this> {
    const { bed } = this;
    for (const name of ['alice', 'zoe']) {
      const [id, uri] = [await bed.local(name), `${home}/users/${name}`];
      this.locals.push({ id, uri });
      const post = {
        ...plainPost('Hello'),
        poll: aPoll,
        quoteApproval: { automatic: ['public' as const], manual: [] },
      };
      const { statusId } = await bed.gateway.actors.call(Account.publish.to(id, post));
      this.posts.push(`${uri}/statuses/${statusId}`);
    }
    for (const person of this.people) {
      this.ids.push(await bed.know(person));
      for (const { id, uri } of this.locals) {
        await bed.follow(id, person);
        await bed.send(person, person.activity('Follow', uri));
      }
    }
    return this;
  }

  get local() {
    return this.random.pick(this.locals);
  }

  /** The id of a post here, or of one that a remote account may have published: whose that is, is left to chance. */
  get post(): string {
    return this.random.chance(0.5) ? this.random.pick(this.posts) : this.noteId;
  }

  get noteId(): string {
    return `https://${host}/notes/${this.random.below(3)}`;
  }

  note(by: RemotePerson, more: object = {}) {
    const { random, local, post, noteId } = this;
    const tag = [{ type: 'Mention', href: local.uri, name: '@somebody' }];
    return by.note('', {
      id: noteId,
      ...(random.chance(0.3) ? { quote: post } : {}),
      ...(random.chance(0.3) ? { inReplyTo: post } : {}),
      ...(random.chance(0.5) ? { tag, to: random.chance(0.5) ? [publicAudience, local.uri] : [local.uri] } : {}),
      ...more,
    });
  }
}

type Act = (by: RemotePerson, world: World) => object;

const toAll = { to: [publicAudience] };
const followOf = (actor: string, object: string) => ({ type: 'Follow', actor, object });

const acts: readonly Act[] = [
  (by, world) => by.create(world.note(by)),
  (by, world) => by.create(world.note(by)),
  (by, world) => by.activity('Update', world.note(by, { content: `${world.number}`, updated: updatedOf(world) })),
  (by, { noteId }) => by.activity('Delete', noteId),
  (by, { noteId }) => by.activity('Undo', noteId),
  (by, { post }) => by.activity('Announce', post, toAll),
  (by, { post, noteId }) => ({ ...by.activity('Announce', post, toAll), id: noteId }),
  (by, { post }) => by.activity('Undo', by.activity('Announce', post, toAll)),
  (by, { post }) => by.activity('Like', post),
  (by, { post }) => by.activity('Undo', by.activity('Like', post)),
  (by, { local }) => by.activity('Follow', local.uri),
  (by, { local, number }) => ({ ...by.activity('Follow', local.uri), id: `${by.uri}#follows/${number}` }),
  (by, { local }) => by.activity('Undo', by.activity('Follow', local.uri)),
  (by, { local }) => by.activity('Block', local.uri),
  (by, { local }) => by.activity('Undo', by.activity('Block', local.uri)),
  (by, { local }) => by.activity('Accept', followOf(local.uri, by.uri)),
  (by, { local }) => by.activity('Reject', followOf(local.uri, by.uri)),
  (by, { local }) => by.activity('Undo', by.activity('Accept', followOf(local.uri, by.uri))),
  (by, world) => by.activity('QuoteRequest', world.post, { instrument: world.note(by, { quote: world.post }) }),
  (by, { noteId }) => by.activity('Add', noteId, { target: featuredOf(by) }),
  (by, { noteId }) => by.activity('Remove', noteId, { target: featuredOf(by) }),
  (by, { random }) => by.activity('Update', { ...by.document, suspended: random.chance(0.3) }),
  (by, { random }) => by.activity('Update', { ...by.document, manuallyApprovesFollowers: random.chance(0.5) }),
  (by, { local, posts, number, random }) =>
    by.activity('Create', {
      ...{ id: `${by.uri}#votes/${number}`, type: 'Note', attributedTo: by.uri, to: [local.uri] },
      ...{ name: random.pick(aPoll.options), inReplyTo: random.pick(posts) },
    }),
  (by, { local, post }) => by.activity('Flag', [local.uri, post]),
];
const rareActs: readonly Act[] = [
  (by, { random }) => by.activity('Move', by.uri, { target: uriOf(random.pick(names)) }),
  (by) => by.activity('Delete', by.uri),
];

function updatedOf({ random }: World): string {
  return `2025-01-01T11:${10 + random.below(50)}:00Z`;
}

const localActs = [
  (id: bigint, targetId: bigint) => Account.follow.to(id, { targetId, options: {} }),
  (id: bigint, targetId: bigint) => Account.unfollow.to(id, { targetId }),
  (id: bigint, targetId: bigint) => Account.block.to(id, { targetId }),
  (id: bigint, targetId: bigint) => Account.unblock.to(id, { targetId }),
  (id: bigint, requesterId: bigint) => Account.authorizeFollow.to(id, { requesterId }),
  (id: bigint, requesterId: bigint) => Account.rejectFollow.to(id, { requesterId }),
  (id: bigint, _other: bigint, yes: boolean) => Account.changeLogin.to(id, { suspended: yes }),
  (id: bigint, _other: bigint, yes: boolean) => Account.changeProfile.to(id, { locked: yes }),
];

async function actHere({ bed, random, local, ids }: World): Promise<void> {
  const message = random.pick(localActs)(local.id, random.pick(ids), random.chance(0.5));
  try {
    await bed.gateway.actors.call<unknown>(message);
  } catch (error) {
    // What is not allowed in this state.
    if (!(error instanceof Failure)) throw error;
  }
}

async function play(seed: number): Promise<void> {
  const world = await new World(seed).populate();
  const { bed, random, people } = world;
  const { actors } = bed.gateway;
  const sent: [RemotePerson, object][] = [];
  for (; world.number < steps; world.number += 1) {
    if (random.chance(0.2)) actors.clock.advance(1_000 * (1 + random.below(200)));
    if (random.chance(0.2)) await actHere(world);
    const isRepeated = sent.length > 0 && random.chance(0.1);
    const by = random.pick(people);
    const [sender, activity] = isRepeated
      ? random.pick(sent)
      : [by, random.pick(random.chance(0.02) ? rareActs : acts)(by, world)];
    sent.push([sender, activity]);
    const inbox = random.chance(0.5) ? '/inbox' : '/users/alice/inbox';
    const thread = random.chance(0.1) ? bed.anotherThread() : bed.gateway;
    const status = await bed.send(sender, activity, { inbox, thread });
    expect([status, actors.problems], JSON.stringify(activity)).toEqual([202, []]);
  }
  actors.settle();
  await bed.runEffects();
  assertSound(actors.disks, accountRules);
  await bed.close();
}

test.each(fixedSeeds(6))('seed %d', play);

testFreshSeeds('what remote accounts do', play, { seconds: 90 });
