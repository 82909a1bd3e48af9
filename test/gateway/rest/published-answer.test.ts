/**
 * The answer to a POST is built from the request, without reading the status back: it has the same bytes as a later
 * GET.
 */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import { edit, type Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { MemoryApi } from '../../support/memory-api.ts';
import { presenting } from '../../support/presenting.ts';

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
});

describe('what was posted is answered as it is read', () => {
  test.each<[string, () => Promise<Record<string, unknown>> | Record<string, unknown>]>([
    ['plain', () => ({ status: 'hello' })],
    ['with a mention, a tag and a link', () => ({ status: 'hello @bob, #Cats at https://example.org/x?y=1&z' })],
    ['behind a warning, in German', () => ({ status: 'Hallo', spoiler_text: 'Vorsicht "!"', language: 'de' })],
    ['for followers', () => ({ status: 'hello', visibility: 'private' })],
    ['for one', () => ({ status: '@bob hello', visibility: 'direct' })],
    ['as a reply', async () => ({ status: 'hello', in_reply_to_id: (await people.publish(bob)).id })],
  ])('%s', async (_what, given) => {
    const posted = await api.ask(postStatus, alice, await given());
    const read = await api.ask(getStatus, alice, { id: BigInt(posted.body.id as string) });
    expect(JSON.stringify(posted.body)).toBe(JSON.stringify(read.body));
    const elsewhere = await new MemoryApi(people.server).ask(getStatus, alice, {
      id: BigInt(posted.body.id as string),
    });
    expect(JSON.stringify(posted.body)).toBe(JSON.stringify(elsewhere.body));
  });
});

describe('a new status that mentions somebody', () => {
  let post: Post;

  beforeEach(async () => {
    const { body } = await api.ask(postStatus, alice, { status: '@bob hello' });
    post = { id: BigInt(body.id as string), author: alice };
  });

  const read = async () => (await api.ask(getStatus, bob, { id: post.id })).body;

  test('is not read from storage by whom it mentions', async () => {
    const get = vi.spyOn(people.server.read, 'get');
    expect(await read()).toMatchObject({ id: `${post.id}`, favourites_count: 0 });
    expect(get.mock.calls.filter(([space]) => space === (statuses as unknown))).toEqual([]);
  });

  test('is what it has become since', async () => {
    await people.favourite(bob, post);
    expect(await read()).toMatchObject({ favourites_count: 1, favourited: true });
    people.say(edit(post, { text: 'bye' }));
    expect(await read()).toMatchObject({ content: '<p>bye</p>' });
    await people.remove(post);
    await expect(read()).rejects.toMatchObject({ code: 'notFound' });
  });
});

describe('a status that is answered later than something else happened to it', () => {
  test.each<[string, (post: Post, services: GatewayServices) => unknown, Record<string, unknown>]>([
    ['it was favourited', (post) => people.favourite(bob, post), { favourites_count: 1 }],
    ['it was edited', (post) => people.say(edit(post, { text: 'bye' })), { content: '<p>bye</p>' }],
    [
      'events were missed',
      async (post, { events }) => {
        vi.spyOn(events, 'dispatch').mockImplementationOnce(() => undefined);
        await people.favourite(bob, post);
        events.dispatchLoss();
      },
      { favourites_count: 1 },
    ],
    [
      'and to many others',
      async (post, { events }) => {
        await people.favourite(bob, post);
        for (let id = 1n; id <= presentationLimits.recentChangesMax; id += 1n)
          events.dispatch({ partition: 0, commit: 0, events: [{ event: 10, body: { id } }] } as never, []);
      },
      { favourites_count: 1 },
    ],
  ])('is seen as it is now: %s', async (_what, change, expected) => {
    const services = presenting(people.server);
    const show = services.presenter.publishing();
    const post = await people.publish(alice, { mentions: [bob] });
    const { status } = findStatus(people.server.read, post.id)!;
    await change(post, services);
    show(status);
    const shown = services.presenter.one(post.id, bob.id, 'single');
    expect(JSON.parse(services.answers.status(shown!).toString())).toMatchObject(expected);
  });
});

test.each(['', 'a key'])('a new status is not read back, sent with the key "%s"', async (key) => {
  api.headers.set('idempotency-key', key);
  const get = vi.spyOn(people.server.read, 'get');
  await api.ask(postStatus, alice, { status: 'hello' });
  expect(get.mock.calls.filter(([space]) => space === (statuses as unknown))).toEqual([]);
});

test.each<[string, () => Promise<Record<string, unknown>> | Record<string, unknown>]>([
  ['', () => ({})],
  [', a reply', async () => ({ in_reply_to_id: (await people.publish(bob)).id })],
])('a status that was posted before with the same key%s is answered as it is now', async (_what, given) => {
  api.headers.set('idempotency-key', 'a key');
  const request = { status: 'hello', ...(await given()) };
  const { body: posted } = await api.ask(postStatus, alice, request);
  await people.favourite(bob, { id: BigInt(posted.id as string), author: alice });
  const { body: repeated } = await api.ask(postStatus, alice, request);
  expect(repeated).toEqual({ ...posted, favourites_count: 1 });
  expect(api.counted).toEqual(['statuses']);
});

test('a repeated request is answered by its first status, although it could not be published any more', async () => {
  const parent = await people.publish(bob);
  const request = { status: 'hello', in_reply_to_id: `${parent.id}` };
  api.headers.set('idempotency-key', 'a key');
  const { body: posted } = await api.ask(postStatus, alice, request);
  await people.remove(parent);
  expect((await api.ask(postStatus, alice, request)).body).toMatchObject({ id: posted.id, in_reply_to_id: null });
  api.headers.set('idempotency-key', 'another key');
  await expect(api.ask(postStatus, alice, request)).rejects.toMatchObject({ code: 'notFound' });
  api.headers.set('idempotency-key', 'a key');
  await people.remove({ id: BigInt(posted.id as string), author: alice });
  await expect(api.ask(postStatus, alice, request)).rejects.toMatchObject({ code: 'notFound' });
});
