/** Scheduled statuses through the API (behaviour of the Mastodon API), including their publication. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findScheduled } from '../../../src/actors/account/scheduled/scheduled.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import {
  deleteScheduledStatus,
  getScheduledStatus,
  getScheduledStatuses,
  putScheduledStatus,
} from '../../../src/gateway/rest/scheduled-statuses/scheduled-statuses.endpoints.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { scheduledRunner } from '../../../src/operations/scheduled/publish-scheduled.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import type { Services } from '../../../src/services/services.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import { testServices } from '../../support/services.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let { people, api, alice, bob } = await newPeople();
/** What the network thread works with. */
let network: Services;
let effectsRun: number;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  network = testServices(people.server, { elsewhere: new Map(), home: { ids: new BigUint64Array(), complete: true } });
  effectsRun = 0;
});

const now = () => people.server.clock.now();
const at = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
const schedule = async (ahead = 10 * minute, more: object = {}, by = alice) =>
  (
    await api.ask<Record<string, unknown> & { params: Record<string, unknown> }>(postStatus, by, {
      status: 'Later',
      scheduled_at: at(ahead),
      ...more,
    })
  ).body;
const scheduled = async (by = alice) => idsIn((await api.ask(getScheduledStatuses, by)).body);
const refused = (words: string | RegExp) => ({
  code: 'validation',
  message: expect.stringMatching(typeof words === 'string' ? new RegExp(`^Validation failed: ${words}`) : words),
});
const texts = (by = alice) => people.statusEntries(by).map(({ id }) => people.statusRecord(id)?.text);

/** Time moves on, and network threads do what is asked of them. */
async function pass(milliseconds: number): Promise<void> {
  people.server.clock.advance(milliseconds);
  const [number, run] = scheduledRunner(network);
  for (; effectsRun < people.server.effects.length; effectsRun += 1) {
    const { effect, request, answer } = people.server.effects[effectsRun]!;
    if (effect !== number) continue;
    answer(await run(request));
    people.server.settle();
  }
}

test('it is published in the trace of the request that wrote it', async () => {
  await schedule(10 * minute);
  people.server.clock.advance(10 * minute);
  const [, run] = scheduledRunner(network);
  const call = vi.spyOn(network.client, 'call');
  await run(people.server.effects[0]!.request, 'request-1');
  expect(call.mock.calls.map(([, flow]) => flow)).toEqual([{ flow: `account:${alice.id}`, cause: 'request-1' }]);
});

test('mentions that publishing would refuse are refused at once', async () => {
  const { body } = await api.ask(postStatus, bob, { status: 'To quote' });
  const direct = { visibility: 'direct', quoted_status_id: body.id };
  await expect(schedule(10 * minute, { status: '@bob hi', allowed_mentions: [] })).rejects.toMatchObject({
    ...refused('Text mentions accounts that are not allowed'),
    details: { unexpected_accounts: [expect.objectContaining({ username: 'bob' })] },
  });
  await expect(schedule(10 * minute, direct)).rejects.toMatchObject(refused('Cannot quote a non-mentioned user'));
  expect(await scheduled()).toEqual([]);
  await schedule(10 * minute, { ...direct, status: '@bob hi', allowed_mentions: [`${bob.id}`] });
  await pass(10 * minute);
  expect(texts()).toEqual(['@bob hi']);
});

test('it has the custom emojis of the time when it is published', async () => {
  await schedule(10 * minute, { status: 'Ducks :teal:' });
  const url = 'https://files.example/teal.png';
  const teal = { shortcode: 'teal', url, staticUrl: url, visibleInPicker: true };
  people.server.callNow(Instance.putEmoji.to(instanceKey, teal));
  await pass(10 * minute);
  const [entry] = people.statusEntries(alice);
  expect(people.statusRecord(entry!.id)?.emojis).toEqual([{ shortcode: 'teal', url, staticUrl: url }]);
});

test('a status with a time is kept until then, and published once, as if its author had sent it then', async () => {
  const parent = await people.publish(bob);
  const poll = { options: ['a', 'b'], expires_in: 600, multiple: true };
  const given = {
    status: ' @bob Later #tag ',
    in_reply_to_id: `${parent.id}`,
    spoiler_text: 'w',
    language: 'de',
    poll,
  };
  const scheduledAt = at(10 * minute);
  const answer = await schedule(10 * minute, given);
  expect(answer).toEqual({
    id: expect.stringMatching(/^[0-9]+$/),
    scheduled_at: scheduledAt,
    params: {
      text: '@bob Later #tag',
      poll: { ...poll, hide_totals: false },
      media_ids: null,
      sensitive: null,
      spoiler_text: 'w',
      visibility: 'public',
      in_reply_to_id: `${parent.id}`,
      language: 'de',
      application_id: expect.any(String),
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
      quoted_status_id: null,
      quote_approval_policy: null,
      reply_approval_policy: null,
      local_only: false,
    },
    media_attachments: [],
  });
  await pass(10 * minute - 1);
  expect([texts(), await scheduled()]).toEqual([[], [answer.id]]);
  await pass(1);
  const [entry] = people.statusEntries(alice);
  expect(people.statusRecord(entry!.id)).toMatchObject({
    text: '@bob Later #tag',
    createdAt: now(),
    inReplyToId: parent.id,
    spoilerText: 'w',
    language: 'de',
    poll: { options: ['a', 'b'], expiresAt: now() + 600_000 },
  });
  expect(findScheduled(people.server.read, alice.id, BigInt(String(answer.id)))).toBeUndefined();
  expect(await scheduled()).toEqual([]);
  await pass(day);
  expect(texts()).toHaveLength(1);
});

test('a content warning alone becomes the text, and the status stays sensitive', async () => {
  await schedule(10 * minute, { status: '', spoiler_text: 'Spiders' });
  await pass(10 * minute);
  const [entry] = people.statusEntries(alice);
  expect(people.statusRecord(entry!.id)).toMatchObject({ text: 'Spiders', spoilerText: '', sensitive: true });
});

test.each<[string, object, string]>([
  ['a time in four minutes', { scheduled_at: 4 }, 'Scheduled at The scheduled date must be in the future'],
  ['a time in the past', { scheduled_at: -60 }, 'Scheduled at The scheduled date must be in the future'],
  ['no text', { status: ' ' }, "Text can't be blank"],
  ['too much text', { status: 'x'.repeat(501) }, 'Text character limit of 500 exceeded'],
  ['a bad poll', { poll: { options: ['a'], expires_in: 600 } }, 'Poll options must have more than one item'],
  [
    ...(['a poll beside a quote', { poll: { options: ['a', 'b'], expires_in: 600 }, quoted_status_id: '1' }] as const),
    'A post cannot have both a poll and a quote',
  ],
])('%s is refused at once', async (_what, { scheduled_at: minutes, ...given }: { scheduled_at?: number }, words) => {
  await expect(schedule((minutes ?? 10) * minute, given)).rejects.toMatchObject(refused(words));
  expect(await scheduled()).toEqual([]);
});

test.each(['tomorrow', '2025-13-45', '12:00', '1735732800', '2025-01-02T'])('%s is no time', async (scheduled_at) => {
  await expect(api.ask(postStatus, alice, { status: 'x', scheduled_at })).rejects.toMatchObject(
    refused(/is not a time/),
  );
  expect(texts()).toEqual([]);
});

test.each([
  ['with a zone', '2025-01-02T13:00:00+01:00'],
  ['in UTC', '2025-01-02T12:00:00.000Z'],
  ['without a zone', '2025-01-02 12:00:00'],
  ['as Ruby writes it', '2025-01-02 12:00:00 UTC'],
])('a time is read %s', async (_how, scheduled_at) => {
  expect(await schedule(0, { scheduled_at })).toMatchObject({ scheduled_at: '2025-01-02T12:00:00.000Z' });
});

test('an answer to what the author may not see is refused', async () => {
  const { id } = await people.publish(bob, { visibility: 'private' });
  await expect(schedule(10 * minute, { in_reply_to_id: `${id}` })).rejects.toMatchObject({ code: 'notFound' });
});

test('25 of one day, and 300 in all, are the limits', async () => {
  for (let count = 0; count < 300; count += 1) await schedule((1 + (count % 12)) * day);
  await expect(schedule(13 * day)).rejects.toMatchObject(refused('You have exceeded the limit of 300 scheduled posts'));
  const [first] = await scheduled();
  const sameDay = api.ask(putScheduledStatus!, alice, { id: first, scheduled_at: at(12 * day + minute) });
  expect((await sameDay).body).toMatchObject({ scheduled_at: at(12 * day + minute) });
  await api.ask(deleteScheduledStatus!, alice, { id: first });
  await expect(schedule(day)).rejects.toMatchObject(
    refused('You have exceeded the limit of 25 scheduled posts for today'),
  );
  expect(await schedule(13 * day)).toHaveProperty('scheduled_at');
});

describe('one that is scheduled', () => {
  test('is its author’s alone', async () => {
    const { id } = await schedule();
    for (const endpoint of [getScheduledStatus, deleteScheduledStatus])
      await expect(api.ask(endpoint!, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
    const moved = api.ask(putScheduledStatus!, bob, { id, scheduled_at: at(day) });
    await expect(moved).rejects.toMatchObject({ code: 'notFound' });
    expect((await api.ask(getScheduledStatus!, alice, { id })).body).toMatchObject({
      id,
      scheduled_at: at(10 * minute),
    });
  });

  test('is moved to another time, and published then alone', async () => {
    const { id } = await schedule();
    const moved = await api.ask(putScheduledStatus!, alice, { id, scheduled_at: at(20 * minute) });
    expect(moved.body).toMatchObject({ id, scheduled_at: at(20 * minute) });
    await pass(10 * minute);
    expect(texts()).toEqual([]);
    await expect(api.ask(putScheduledStatus!, alice, { id, scheduled_at: at(minute) })).rejects.toMatchObject(
      refused('Scheduled at'),
    );
    await pass(10 * minute);
    expect(texts()).toEqual(['Later']);
  });

  test('is dropped, once', async () => {
    const { id } = await schedule();
    expect((await api.ask(deleteScheduledStatus!, alice, { id })).body).toEqual({});
    await expect(api.ask(deleteScheduledStatus!, alice, { id })).rejects.toMatchObject({ code: 'notFound' });
    await pass(day);
    expect(texts()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['whose parent is gone', () => people.remove({ id: people.statusEntries(bob)[0]!.id, author: bob })],
    [
      'of an account that may no longer sign in',
      () => people.server.call(Account.changeLogin.to(alice.id, { disabled: true })),
    ],
  ])('%s by then is not published, and not kept', async (_what, happen) => {
    const parent = await people.publish(bob);
    await schedule(10 * minute, { in_reply_to_id: `${parent.id}` });
    await happen();
    await pass(10 * minute);
    expect([texts(), await scheduled()]).toEqual([[], []]);
  });

  test('is tried again when the server could not do it, and published once when it did and was not heard', async () => {
    const { client } = network;
    const failing = { call: async () => Promise.reject(new Failure('overloaded')) };
    await schedule();
    Object.assign(network, { client: failing });
    await pass(10 * minute);
    expect([texts(), (await scheduled()).length]).toEqual([[], 1]);
    const unheard = {
      call: async (...call: Parameters<typeof client.call>) => {
        await client.call(...call);
        throw new Failure('outcomeUnknown');
      },
    };
    Object.assign(network, { client: unheard });
    await pass(minute);
    expect([texts(), (await scheduled()).length]).toEqual([['Later'], 1]);
    Object.assign(network, { client });
    await pass(minute);
    expect([texts(), await scheduled()]).toEqual([['Later'], []]);
  });
});

test('under one idempotency key it is scheduled once, and says under which', async () => {
  api.headers.set('idempotency-key', 'k');
  const first = await schedule();
  expect(first).toMatchObject({ params: { idempotency: 'k' } });
  expect(await schedule(20 * minute, { status: 'Otherwise' })).toEqual(first);
  expect(await scheduled()).toHaveLength(1);
  // What is published at once is another request.
  expect((await api.ask(postStatus, alice, { status: 'Now' })).body).toMatchObject({ content: '<p>Now</p>' });
  await pass(10 * minute);
  expect(texts().sort()).toEqual(['Later', 'Now']);
});

test('a repeated request is answered by what it has scheduled, although it is refused now', async () => {
  const parent = await people.publish(bob);
  const given = { in_reply_to_id: `${parent.id}` };
  api.headers.set('idempotency-key', 'k');
  const first = await schedule(10 * minute, given);
  await people.remove(parent);
  expect(await schedule(10 * minute, given)).toEqual(first);
  await api.ask(deleteScheduledStatus, alice, { id: first.id });
  await expect(schedule(10 * minute, given)).rejects.toMatchObject({ code: 'notFound' });
});

test.each<[string, object, object]>([
  ['a private one', { visibility: 'private', sensitive: true }, { visibility: 'private', sensitive: true }],
  ['one of the default visibility', { visibility: undefined }, { visibility: 'public', sensitive: null }],
  ['one with another quote policy', { quote_approval_policy: 'followers' }, { quote_approval_policy: 'followers' }],
  [
    'a poll that hides its totals',
    { poll: { options: ['a', 'b'], expires_in: '600', hide_totals: 'true' } },
    { poll: { options: ['a', 'b'], expires_in: 600, multiple: false, hide_totals: true } },
  ],
  ['one that stays here', { local_only: true }, { local_only: true }],
  ['a quote', { quoted_status_id: 'one' }, { quoted_status_id: 'one' }],
])('%s tells its parameters, and is published with them', async (_what, given, echoed) => {
  const { body: quoted } = await api.ask(postStatus, alice, { status: 'One' });
  const withId = (parameters: object) =>
    'quoted_status_id' in parameters ? { quoted_status_id: quoted.id } : parameters;
  const { id, params } = await schedule(10 * minute, withId(given));
  expect(params).toMatchObject(withId(echoed));
  expect((await api.ask(getScheduledStatus!, alice, { id })).body).toMatchObject({ params });
  await pass(10 * minute);
  const [entry] = people.statusEntries(alice);
  const record = people.statusRecord(entry!.id)!;
  const { visibility, sensitive, poll, quote, quoteApproval } = record;
  expect({ visibility, sensitive, poll, quote: quote?.statusId, quoteApproval }).toEqual({
    visibility: params.visibility,
    sensitive: params.sensitive ?? false,
    poll: params.poll === null ? undefined : expect.objectContaining({ hideTotals: true, expiresAt: now() + 600_000 }),
    quote: params.quoted_status_id === null ? undefined : BigInt(String(quoted.id)),
    quoteApproval: approvalOf(params),
  });
});

/** As stored: everybody by default, nobody for what is not public. */
function approvalOf({ visibility, quote_approval_policy: policy }: Record<string, unknown>) {
  if (visibility === 'private') return undefined;
  return { automatic: [policy === 'followers' ? 'followers' : 'public'], manual: [] };
}
