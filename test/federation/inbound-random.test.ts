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

const steps = 120;
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
    return this.bed.person(host, name, {
      featured: `${uriOf(name)}/featured`,
      featuredTags: `${uriOf(name)}/tags`,
      featuredCollections: `${uriOf(name)}/collections`,
      interactionPolicy: { canFeature: { automaticApproval: [publicAudience] } },
      alsoKnownAs,
    });
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
      const keys = { publicKeyPem: 'public', privateKeyPem: 'private', createdAt: 0 };
      await bed.gateway.actors.call(Account.setKeysIfAbsent.to(id, keys));
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

  /** Edits close it, change its options, and report totals. */
  private question() {
    const { random, bed } = this;
    const names = random.pick([
      ['Tea', 'Coffee'],
      ['Tea', 'Coffee', 'Water'],
    ]);
    const oneOf = names.map((name) => ({ type: 'Note', name, replies: { totalItems: random.below(9) } }));
    const endTime = new Date(bed.now + random.between(-60_000, 600_000)).toISOString();
    return { type: 'Question', oneOf, endTime, votersCount: random.below(20) };
  }

  /** A collection that the account has, or says that it has. */
  collectionOf({ uri }: RemotePerson): string {
    return `${uri}/collections/${this.random.below(2)}`;
  }

  /** A proof that something may be quoted or shown in a collection; mostly it is to be had, and of the right thing. */
  stamp(by: RemotePerson, about: { readonly type: string; readonly object?: unknown; readonly instrument?: unknown }) {
    const id = `${by.uri}/stamps/${this.random.below(4)}`;
    const type = about.type === 'QuoteRequest' ? 'QuoteAuthorization' : 'FeatureAuthorization';
    const proves = { interactingObject: about.instrument, interactionTarget: about.object };
    if (this.random.chance(0.8)) this.bed.web.set(id, { id, type, attributedTo: by.uri, ...proves });
    return id;
  }

  /** What a local account asks of others and has not been answered, or has. */
  asked(by: RemotePerson) {
    const ofThem = (address: unknown) => typeof address === 'string' && address.startsWith(`https://${by.host}/`);
    const requests = this.bed
      .sent()
      .filter(({ type, object }) => (type === 'QuoteRequest' || type === 'FeatureRequest') && ofThem(object));
    return requests.length === 0 ? undefined : this.random.pick(requests);
  }

  note(by: RemotePerson, more: object = {}) {
    const { random, local, post, noteId } = this;
    const tag = [{ type: 'Mention', href: local.uri, name: '@somebody' }];
    return by.note('', {
      id: noteId,
      ...(random.chance(0.2) ? { quote: post } : {}),
      ...(random.chance(0.2) ? this.question() : {}),
      ...(random.chance(0.3) ? { inReplyTo: post } : {}),
      ...(random.chance(0.5) ? { tag, to: random.chance(0.5) ? [publicAudience, local.uri] : [local.uri] } : {}),
      ...more,
    });
  }
}

type Act = (by: RemotePerson, world: World) => object;

function item(by: RemotePerson, world: World) {
  const { random, people, locals } = world;
  const featured = random.pick([...people, ...locals]).uri;
  const id = `${by.uri}/items/${random.below(3)}`;
  const owner = people.find(({ uri }) => uri === featured) ?? by;
  const featureAuthorization = world.stamp(owner, {
    ...{ type: 'FeatureRequest', object: featured, instrument: world.collectionOf(by) },
  });
  return { id, type: 'FeaturedItem', featuredObject: featured, featuredObjectType: 'Person', featureAuthorization };
}

function collection(by: RemotePerson, world: World) {
  const id = world.collectionOf(by);
  const orderedItems = world.random.chance(0.5) ? [item(by, world)] : [];
  const said = { name: `${world.number}`, discoverable: true, sensitive: false, totalItems: orderedItems.length };
  const found = { id, type: 'FeaturedCollection', attributedTo: by.uri, ...said, orderedItems };
  world.bed.web.set(id, found);
  return world.random.chance(0.5) ? found : id;
}

/** To a request of a local account, whole or by its id; where there is none, to a Follow. */
function answered(by: RemotePerson, world: World): object {
  const { random, local } = world;
  const type = random.chance(0.7) ? 'Accept' : 'Reject';
  const request = world.asked(by);
  if (request === undefined) return by.activity(type, followOf(local.uri, by.uri));
  const result = world.stamp(by, request as { type: string });
  return by.activity(type, random.chance(0.5) ? request : request.id, { result });
}

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
  (by, { random, number }) => {
    const update = random.chance(0.5) ? { inbox: `${by.uri}/inbox/${random.below(2)}` } : { name: `${number}` };
    return by.activity('Update', { ...by.document, ...update });
  },
  (by, { random }) => {
    const target = random.chance(0.5) ? featuredOf(by) : `${by.uri}/tags`;
    return by.activity(random.pick(['Add', 'Remove']), { type: 'Hashtag', name: '#cats' }, { target });
  },
  (by, world) => by.activity('FeatureRequest', world.local.uri, { instrument: collection(by, world) }),
  (by, world) => by.activity('Add', collection(by, world), { target: `${by.uri}/collections` }),
  (by, world) => by.activity('Update', collection(by, world)),
  (by, world) => by.activity('Delete', world.collectionOf(by)),
  (by, world) => by.activity('Add', item(by, world), { target: world.collectionOf(by) }),
  (by, world) => by.activity('Remove', item(by, world), { target: world.collectionOf(by) }),
  (by, { random }) => by.activity('Delete', `${by.uri}/stamps/${random.below(4)}`),
  ...Array<Act>(3).fill(answered),
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
  (id: bigint, _other: bigint, yes: boolean) => Account.changeProfile.to(id, { locked: yes, discoverable: !yes }),
  (id: bigint, _other: bigint, yes: boolean) =>
    yes ? Account.blockDomain.to(id, { domain: host, followed: [] }) : Account.unblockDomain.to(id, { domain: host }),
  (id: bigint, accountId: bigint) =>
    Account.createCollection.to(id, {
      ...{ name: 'Ours', description: '', sensitive: false, discoverable: true },
      candidates: [{ accountId, destination: { host, inbox: `https://${host}/inbox` } }],
    }),
];

/** A local account quotes a remote status, asking its server. */
function quoting({ bed, random, noteId }: World, id: bigint) {
  const quoted = bed.stored(noteId);
  if (quoted === undefined || quoted.uri === undefined) return undefined;
  const request = { uri: quoted.uri, destination: { host, inbox: `https://${host}/inbox` } };
  const quote = { statusId: quoted.id, accountId: quoted.accountId, state: 'pending' as const, request };
  return Account.publish.to(id, plainPost(`Look ${random.below(100)}`, { quote }));
}

async function actHere(world: World): Promise<void> {
  const { bed, random, local, ids } = world;
  const drawn = random.pick(localActs)(local.id, random.pick(ids), random.chance(0.5));
  const message = random.chance(0.3) ? quoting(world, local.id) : drawn;
  if (message === undefined) return;
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

test.each(fixedSeeds(4))('seed %d', play);

testFreshSeeds('what remote accounts do', play, { seconds: 90 });
