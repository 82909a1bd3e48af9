/** The answer to a POST is made of what was sent: the same bytes as a later GET, without reading the status back. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { newPeople } from '../../support/api-people.ts';

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
});
