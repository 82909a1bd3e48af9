/** Posts for this server alone, through the API: who sees them, and where they count. */
import { beforeEach, describe, expect, test } from 'vitest';
import { getAccountStatuses } from '../../../src/gateway/rest/accounts-statuses/get-account-statuses.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

type Entity = Record<string, unknown> & { id: string };

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
});

const post = async (by: Person, given: object = {}) =>
  (await api.ask(postStatus, by, { status: 'Here', ...given })).body as Entity;

describe('a post for this server alone', () => {
  test.each([
    [{ local_only: true }],
    [{ local_only: 'true' }],
    [{ federated: 'false' }],
  ])('is one with %j, which everybody here sees and no visitor', async (given) => {
    const status = await post(alice, given);
    expect(status).toMatchObject({ local_only: true, quote_approval: { automatic: [], current_user: 'automatic' } });
    const quote = api.ask(postStatus, bob, { status: 'So', quoted_status_id: status.id });
    await expect(quote).rejects.toMatchObject({ code: 'notFound' });
    expect((await api.ask(getStatus, bob, { id: status.id })).body).toMatchObject({ id: status.id, local_only: true });
    await expect(api.ask(getStatus, undefined, { id: status.id })).rejects.toMatchObject({ code: 'notFound' });
    const lists = async (viewer: Person | undefined) => [
      idsIn((await api.ask(publicTimeline, viewer, {})).body),
      idsIn((await api.ask(getAccountStatuses, viewer, { id: `${alice.id}` })).body),
    ];
    expect(await lists(bob)).toEqual([[status.id], [status.id]]);
    expect(await lists(undefined)).toEqual([[], []]);
    people.expectSound();
  });

  test.each([[{}], [{ local_only: false }], [{ federated: true }]])('is none with %j', async (given) => {
    const status = await post(alice, given);
    expect(status.local_only).toBeUndefined();
    expect((await api.ask(getStatus, undefined, { id: status.id })).body).toMatchObject({ id: status.id });
  });

  test('counts among the replies to one that stays here too, and to no other', async () => {
    const [open, kept] = [await post(alice), await post(alice, { local_only: true })];
    await post(bob, { in_reply_to_id: open.id, local_only: true });
    const reply = await post(bob, { in_reply_to_id: kept.id });
    expect(reply.local_only).toBe(true);
    const repliesOf = async ({ id }: Entity) =>
      ((await api.ask(getStatus, alice, { id })).body as Entity).replies_count;
    expect([await repliesOf(open), await repliesOf(kept)]).toEqual([0, 1]);
    people.expectSound();
  });
});
