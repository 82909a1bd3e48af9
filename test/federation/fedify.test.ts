/**
 * A real remote server (Fedify): what its user remy does is shown here, and what alice does here is verified, parsed as
 * JSON-LD and understood by Fedify.
 */
import {
  Accept,
  type Activity,
  type Object as ActivityObject,
  Add,
  Announce,
  Block,
  Create,
  Delete,
  EmojiReact,
  Flag,
  Follow,
  Like,
  Mention,
  Move,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Question,
  Remove,
  Tombstone,
  Undo,
  Update,
} from '@fedify/vocab';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilAnswered } from '../support/asking.ts';
import { type FedifyServer, startFedifyServer } from '../support/fedify-server.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { openStream, type StreamReader } from '../support/stream-readers.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';
import { type ConsentBed, withHerLeave, withRemysLeave } from './fedify-consent.ts';

let server: RunningServer;
let remote: FedifyServer;
let alice: User;
let stream: StreamReader;
let remy: { readonly id: string; readonly actor: URL };

beforeAll(async () => {
  [server, remote] = await Promise.all([
    startTestServer({ host: '127.0.0.1' }),
    startFedifyServer('127.0.0.2', ['remy', 'rita']),
  ]);
  alice = await server.createUser('alice');
  const path = `/api/v1/accounts/search?q=remy@${remote.host}&resolve=true`;
  const answer = await untilAnswered(() => server.fetch(path, { token: alice.token }));
  const [found] = (await answer.json()) as { id: string }[];
  remy = { id: found!.id, actor: remote.actor('remy') };
  stream = await openStream(server, 'websocket', { channel: 'user', token: alice.token });
});

afterAll(async () => {
  stream.close();
  await remote.stop();
  expect(await server.stop(), server.output()).toBe(0);
});

async function api<Value>(method: string, path: string, json?: unknown): Promise<Value> {
  const body = json === undefined ? {} : { json };
  const answer = await server.fetch(`/api/v1/${path}`, { method, token: alice.token, ...body });
  expect([method, path, answer.status]).toEqual([method, path, 200]);
  return (await answer.json()) as Value;
}

interface Status {
  id: string;
  uri: string;
  content: string;
  edited_at: string | null;
  favourites_count: number;
  reblogs_count: number;
  replies_count: number;
  in_reply_to_id: string | null;
  poll: { id: string; votes_count: number; options: { title: string; votes_count: number }[] };
  quote: { state: string } | null;
  quotes_count: number;
}

const aliceActor = () => `${server.origin}/users/alice`;
const post = (status: string, more: object = {}) => api<Status>('POST', 'statuses', { status, ...more });
const statusOf = ({ id }: { id: string }) => api<Status>('GET', `statuses/${id}`);
const relation = async () => (await api<object[]>('GET', `accounts/relationships?id[]=${remy.id}`))[0];

/** The status is, or comes to be, like this. */
const becomes = (status: { id: string }, expected: Partial<Status>) =>
  until(async () => {
    const now = await statusOf(status);
    expect(now).toMatchObject(expected);
    return now;
  });

/** A status of remy's that has come to alice. */
async function received(uri: URL): Promise<Status> {
  const find = async () => (await api<Status[]>('GET', 'timelines/home')).find((status) => status.uri === uri.href);
  return until(find, { description: `${uri.href} at alice's` });
}

function notified(type: string, status?: Status) {
  const fits = (one: { type: string; account: { id: string }; status?: Status }) =>
    one.type === type && one.account.id === remy.id && one.status?.id === status?.id;
  const find = async () => (await api<Parameters<typeof fits>[0][]>('GET', 'notifications')).find(fits);
  return until(find, { description: `a notification of ${type}` });
}

type Kind<Value extends Activity> = new (...values: never[]) => Value;

/** An activity that remy's server has taken as signed by alice, and that is about such an object. */
async function heard<Value extends Activity>(
  kind: Kind<Value>,
  fits: (activity: Value, object: ActivityObject | undefined) => unknown = () => true,
): Promise<Value> {
  const find = () =>
    remote.received.find(
      ({ activity, object }) =>
        activity instanceof kind && activity.actorId?.href === aliceActor() && Boolean(fits(activity, object)),
    );
  return (await until(find, { description: `remy to hear a ${kind.name}` })).activity as Value;
}

const isAbout = (uri: string) => (activity: Activity) => activity.objectId?.href === uri;
/** Of an Undo: what is undone. */
const undoes = (kind: Kind<Activity>, uri: string) => (_undo: Undo, object: ActivityObject | undefined) =>
  object instanceof kind && object.objectId?.href === uri;

const own = () => ({ id: remote.newAddress('activities'), actor: remy.actor });
const send = async <Value extends Activity>(activity: Value): Promise<Value> => {
  await remote.send('remy', aliceActor(), activity);
  return activity;
};

function note(html: string, more: ConstructorParameters<typeof Note>[0] = {}): Note {
  const id = remote.newAddress('notes');
  return remote.serve(new Note({ id, attribution: remy.actor, content: html, to: PUBLIC_COLLECTION, ...more }));
}

const publish = async (published: Note | Question): Promise<Status> => {
  await send(new Create({ ...own(), object: published, to: PUBLIC_COLLECTION }));
  return received(published.id!);
};

const bed = (): ConsentBed => ({
  ...{ remote, remy, aliceActor, api, post, statusOf, becomes, heard, isAbout, own, send, note, publish, get },
});

test('they follow each other', async () => {
  await send(new Follow({ ...own(), object: new URL(aliceActor()) }));
  await heard(Accept);
  await notified('follow');
  await stream.next(
    ({ event, payload }) => event === 'notification' && (payload as { type: string }).type === 'follow',
  );
  await api('POST', `accounts/${remy.id}/follow`);
  const follow = await heard(Follow, isAbout(remy.actor.href));
  await send(new Accept({ ...own(), object: follow }));
  expect(await relation()).toMatchObject({ following: { reblogs: true }, followed_by: true });
});

describe('what remy does shows here:', () => {
  test('an answer that mentions, a like and a boost, and that they are taken back', async () => {
    const status = await post('React to me');
    const answer = note('<p>Gladly.</p>', {
      replyTarget: new URL(status.uri),
      tags: [new Mention({ href: new URL(aliceActor()), name: `@alice@${server.host}` })],
      cc: new URL(aliceActor()),
    });
    await send(new Create({ ...own(), object: answer, to: PUBLIC_COLLECTION, cc: new URL(aliceActor()) }));
    const acts = [Like, Announce].map((Kind) => {
      return new Kind({ ...own(), object: new URL(status.uri), to: PUBLIC_COLLECTION });
    });
    for (const act of acts) await send(act);
    await becomes(status, { favourites_count: 1, reblogs_count: 1, replies_count: 1 });
    for (const type of ['favourite', 'reblog']) await notified(type, status);
    const reply = await received(answer.id!);
    expect(reply).toMatchObject({ content: '<p>Gladly.</p>', in_reply_to_id: status.id });
    await notified('mention', reply);
    for (const object of acts) await send(new Undo({ ...own(), object }));
    await send(new Delete({ ...own(), object: new Tombstone({ id: answer.id }) }));
    await becomes(status, { favourites_count: 0, reblogs_count: 0, replies_count: 0 });
  });

  test('an emoji reaction counts as a favourite, until it is undone', async () => {
    const status = await post('React with a fox');
    const reaction = await send(new EmojiReact({ ...own(), object: new URL(status.uri), content: '🦊' }));
    await becomes(status, { favourites_count: 1 });
    await send(new Undo({ ...own(), object: reaction }));
    await becomes(status, { favourites_count: 0 });
  });

  test('an edit, and a change of the profile', async () => {
    const before = note('<p>Before</p>');
    const status = await publish(before);
    const after = before.clone({ content: '<p>After</p>' });
    await send(new Update({ ...own(), object: after, to: PUBLIC_COLLECTION }));
    await becomes(status, { content: '<p>After</p>' });
    remote.changeProfile('remy', { name: 'Remy Renamed' });
    await send(new Update({ ...own(), object: await remote.person('remy'), to: PUBLIC_COLLECTION }));
    const account = () => api<{ display_name: string }>('GET', `accounts/${remy.id}`);
    await until(async () => (await account()).display_name === 'Remy Renamed');
  });

  test('a vote, whose count comes back', async () => {
    const status = await post('Tea?', { poll: { options: ['Yes', 'No'], expires_in: 3_600 } });
    const vote = new Note({
      id: remote.newAddress('notes'),
      attribution: remy.actor,
      name: 'No',
      replyTarget: new URL(status.uri),
      to: new URL(aliceActor()),
    });
    await send(new Create({ ...own(), object: vote, to: new URL(aliceActor()) }));
    const now = await until(async () => {
      const { poll } = await statusOf(status);
      return poll.votes_count === 1 ? poll : undefined;
    });
    expect(now.options).toMatchObject([{ votes_count: 0 }, { votes_count: 1 }]);
  });

  withHerLeave(bed);

  test('a pinned note, until it is pinned no more', async () => {
    const pinned = note('<p>Mine</p>');
    const { id } = await publish(pinned);
    const target = new URL(`${remy.actor.href}/featured`);
    const pins = async () =>
      (await api<Status[]>('GET', `accounts/${remy.id}/statuses?pinned=true`)).map((status) => status.id);
    await send(new Add({ ...own(), object: pinned.id, target }));
    await until(async () => (await pins()).includes(id));
    await send(new Remove({ ...own(), object: pinned.id, target }));
    await until(async () => (await pins()).length === 0);
  });

  test('a report', async () => {
    const status = await post('Reported');
    const objects = [new URL(aliceActor()), new URL(status.uri)];
    await send(new Flag({ ...own(), objects, content: 'Rude words' }));
    await until(async () => (await server.run('reports', 'list')).includes('Rude words'));
  });
});

async function get(address: URL): Promise<Response> {
  const answer = await fetch(address, { headers: { accept: 'application/activity+json' } });
  expect(answer.status).toBe(200);
  return answer;
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe('what alice does is understood there:', () => {
  test('a post with a mention and a warning, its edit and its end', async () => {
    const status = await post(`Hello @remy@${remote.host} #introductions`, { spoiler_text: 'Waves', language: 'en' });
    const create = await heard(Create, isAbout(status.uri));
    const shown = (await create.getObject()) as Note;
    expect([create.id?.href, shown.summary?.toString()]).toEqual([`${status.uri}/activity`, 'Waves']);
    expect([shown.sensitive, create.toIds]).toEqual([true, [PUBLIC_COLLECTION]]);
    expect(shown.contents.map((content) => (typeof content === 'object' ? content.locale.baseName : ''))).toContain(
      'en',
    );
    const tags = await all(shown.getTags());
    expect(tags.map((tag) => tag.constructor.name)).toEqual(expect.arrayContaining(['Mention', 'Hashtag']));
    await api('PUT', `statuses/${status.id}`, { status: 'Goodbye' });
    const update = await heard(Update, isAbout(status.uri));
    expect(((await update.getObject()) as Note).content?.toString()).toBe('<p>Goodbye</p>');
    await api('DELETE', `statuses/${status.id}`);
    await heard(Delete, (_delete, object) => object instanceof Tombstone && object.id?.href === status.uri);
  });

  test('an answer, a favourite and a boost, and that they are taken back', async () => {
    const theirs = note('<p>React to me</p>');
    const { id } = await publish(theirs);
    const uri = theirs.id!.href;
    const reply = await post(`@remy@${remote.host} gladly`, { in_reply_to_id: id });
    const create = await heard(Create, isAbout(reply.uri));
    expect(((await create.getObject()) as Note).replyTargetId?.href).toBe(uri);
    // What is taken back before it was delivered need not be told.
    for (const [act, undo, type] of [
      ['favourite', 'unfavourite', Like],
      ['reblog', 'unreblog', Announce],
    ] as const) {
      await api('POST', `statuses/${id}/${act}`);
      await heard(type, isAbout(uri));
      await api('POST', `statuses/${id}/${undo}`);
      await heard(Undo, undoes(type, uri));
    }
  });

  test('a vote', async () => {
    const id = remote.newAddress('questions');
    const options = ['Tea', 'Coffee'].map((name) => new Note({ name }));
    const question = new Question({
      id,
      attribution: remy.actor,
      content: '<p>What?</p>',
      exclusiveOptions: options,
      to: PUBLIC_COLLECTION,
    });
    const { poll } = await publish(remote.serve(question));
    await api('POST', `polls/${poll.id}/votes`, { choices: [1] });
    const vote = await heard(Create, (_create, object) => object instanceof Note && object.name === 'Coffee');
    expect(((await vote.getObject()) as Note).replyTargetId?.href).toBe(id.href);
  });

  test('a poll', async () => {
    const status = await post('Which?', { poll: { options: ['This', 'That'], expires_in: 3_600, multiple: true } });
    const question = (await (await heard(Create, isAbout(status.uri))).getObject()) as Question;
    const options = await all(question.getInclusiveOptions());
    expect([question.constructor, options.map(({ name }) => name)]).toEqual([Question, ['This', 'That']]);
  });

  withRemysLeave(bed);

  test('a pinned post, a changed profile, new keys, a report', async () => {
    const { id, uri } = await post('Mine');
    for (const [act, kind] of [
      ['pin', Add],
      ['unpin', Remove],
    ] as const) {
      await api('POST', `statuses/${id}/${act}`);
      expect((await heard(kind, isAbout(uri))).targetId?.href).toMatch(/\/featured$/);
    }
    await api('PATCH', 'accounts/update_credentials', { display_name: 'Alice Renamed' });
    await heard(Update, (_update, object) => object instanceof Person && object.name === 'Alice Renamed');
    const told = remote.received.length;
    await server.run('accounts', 'rotate-keys', 'alice');
    await until(() => remote.received.slice(told).some(({ activity }) => activity instanceof Update));
    await heard(Create, isAbout((await post('With other keys')).uri));
    await api('POST', 'reports', { account_id: remy.id, comment: 'Not nice', forward: true });
    await until(() => remote.received.find(({ activity }) => activity instanceof Flag));
  });

  test('a block, until it is taken back, and that she leaves', async () => {
    const uri = remy.actor.href;
    await api('POST', `accounts/${remy.id}/unfollow`);
    await heard(Undo, undoes(Follow, uri));
    await api('POST', `accounts/${remy.id}/block`);
    await heard(Block, isAbout(uri));
    await api('POST', `accounts/${remy.id}/unblock`);
    await heard(Undo, undoes(Block, uri));
  });
});

describe('remy goes:', () => {
  test('to rita, whom alice follows then', async () => {
    await api('POST', `accounts/${remy.id}/follow`);
    await heard(Follow, isAbout(remy.actor.href));
    remote.changeProfile('rita', { aliases: [remy.actor] });
    await send(new Move({ ...own(), object: remy.actor, target: remote.actor('rita') }));
    await heard(Follow, isAbout(remote.actor('rita').href));
    expect(await relation()).toMatchObject({ following: false });
  });

  test('blocks alice, and takes it back', async () => {
    const block = await send(new Block({ ...own(), object: new URL(aliceActor()) }));
    expect(await relation()).toMatchObject({ blocked_by: true });
    await send(new Undo({ ...own(), object: block }));
    expect(await relation()).toMatchObject({ blocked_by: false });
  });
});
