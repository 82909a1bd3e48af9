/** A post that stays on this server: whatever is done with it, no other server hears of it (docs/decisions/0081). */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { reblogStatus } from '../../src/operations/interactions/reblog-status.ts';
import { unreblogStatus } from '../../src/operations/interactions/unreblog-status.ts';
import { changeQuotePolicy } from '../../src/operations/quotes/change-quote-policy.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { changeReplyPolicy } from '../../src/operations/statuses/change-reply-policy.ts';
import { deleteStatus } from '../../src/operations/statuses/delete-status.ts';
import { editStatus } from '../../src/operations/statuses/edit-status.ts';
import { pinStatus, unpinStatus } from '../../src/operations/statuses/pin-status.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { home } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

/** alice and carol of this server, each followed by bob of another, who is known here. */
async function bedWithFollower() {
  const bed = soundBed();
  const [alice, carol] = [await bed.local('alice'), await bed.local('carol')];
  const bob = bed.person('remote.example', 'bob');
  for (const name of ['alice', 'carol']) await bed.send(bob, bob.activity('Follow', `${home}/users/${name}`));
  const as = (accountId: bigint) => ({
    caller: { kind: 'account' as const, accountId, limits: unlimited },
    services: bed.gateway.services,
  });
  const post = async (by: bigint, more: object = {}) =>
    (await publishStatus(as(by), { text: 'Between us', spoilerText: '', localOnly: true, ...more })).statusId;
  const log = () =>
    bed.read.partitions.flatMap((partition) =>
      Array.from(partition.range(deliveryLog, []), ({ value }) => value.intent),
    );
  const record = (id: bigint) => findStatusRecord(bed.read, id);
  const ask = async (path: string) =>
    (await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } } as never)).status;
  return { bed, alice, carol, bob, as, post, log, record, ask };
}

describe('a post for this server alone', () => {
  it('is told to nobody, whatever becomes of it', async () => {
    const { bed, alice, carol, as, post, log, record } = await bedWithFollower();
    const before = log().length;
    const poll = { options: ['a', 'b'], multiple: false, hideTotals: false, expiresInSeconds: 600 };
    const statusId = await post(alice, { text: '@bob@remote.example @carol hello', poll });
    expect(record(statusId)).toMatchObject({ localOnly: true, mentions: [{ username: 'bob' }, { username: 'carol' }] });
    await editStatus(as(alice), { statusId, text: '@bob@remote.example changed', spoilerText: '', keepsPoll: true });
    await changeQuotePolicy(as(alice), { statusId, policy: 'nobody' });
    await changeReplyPolicy(as(alice), { statusId, policy: 'following' });
    await changeReplyPolicy(as(alice), { statusId, policy: 'public' });
    await pinStatus(as(alice), { statusId });
    await unpinStatus(as(alice), { statusId });
    await pinStatus(as(alice), { statusId });
    // What answers it, boosts it and quotes it stays as well, whatever is asked for.
    const replyId = await post(carol, { localOnly: false, inReplyToId: statusId });
    const { status: reblog } = await reblogStatus(as(carol), { statusId });
    const quoteId = await post(alice, { localOnly: false, quotedStatusId: statusId });
    for (const id of [replyId, reblog.id, quoteId]) expect(record(id)?.localOnly).toBe(true);
    await bed.gateway.actors.call(Account.markSensitive.to(alice, { statusId, destinations: [] } as never));
    await unreblogStatus(as(carol), { statusId });
    await reblogStatus(as(carol), { statusId });
    await deleteStatus(as(carol), { statusId: replyId });
    await deleteStatus(as(alice), { statusId });
    expect(log().slice(before)).toEqual([]);
    const marker = await post(alice, { localOnly: undefined });
    expect(log().slice(before)).toMatchObject([{ kind: 'create', statusId: marker }]);
  });

  it('does not exist for other servers', async () => {
    const { bed, alice, bob, as, post, ask, record } = await bedWithFollower();
    const statusId = await post(alice);
    const reblogId = (await reblogStatus(as(alice), { statusId })).status.id;
    await pinStatus(as(alice), { statusId });
    const publicId = await post(alice, { localOnly: undefined });
    const replyId = await post(alice, { inReplyToId: publicId });
    const quoteId = await post(alice, { quotedStatusId: publicId });
    const paths = [statusId, reblogId, replyId, quoteId].flatMap((id) => [
      `/users/alice/statuses/${id}`,
      `/users/alice/statuses/${id}/activity`,
      `/users/alice/statuses/${id}/replies`,
      `/users/alice/statuses/${id}/likes`,
      `/@alice/${id}`,
    ]);
    for (const path of [...paths, `/users/alice/quote_authorizations/${quoteId}`])
      expect([path, await ask(path)]).toEqual([path, 404]);
    const body = async (path: string) =>
      (await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } } as never)).text();
    for (const path of [
      '/users/alice/outbox?page=true',
      '/users/alice/collections/featured',
      `/users/alice/statuses/${publicId}`,
      `/users/alice/statuses/${publicId}/replies`,
    ]) {
      const text = await body(path);
      for (const id of [statusId, reblogId, replyId, quoteId])
        expect([path, text.includes(String(id))]).toEqual([path, false]);
    }
    expect(JSON.parse(await body('/users/alice/outbox'))).toMatchObject({ totalItems: 1 });
    // Activities that guess its address.
    const uri = `${home}/users/alice/statuses/${statusId}`;
    await bed.send(bob, bob.activity('Like', uri));
    await bed.send(bob, bob.activity('Announce', uri, { to: ['https://www.w3.org/ns/activitystreams#Public'] }));
    const note = bob.note('guess', { inReplyTo: uri, quote: uri, cc: [`${home}/users/alice`] });
    await bed.send(bob, bob.activity('Create', note));
    expect(bed.stored(note.id)).toMatchObject({ inReplyToId: undefined, quote: undefined });
    await deleteStatus(as(alice), { statusId });
    expect([await ask(`/users/alice/statuses/${statusId}`), record(statusId)]).toEqual([404, undefined]);
  });

  it('is nothing that an intent says, whoever stored it', async () => {
    const { bed, alice, post } = await bedWithFollower();
    const statusId = await post(alice);
    const { addresses } = bed.gateway.services;
    for (const kind of ['create', 'update', 'pin', 'unpin'] as const)
      expect(
        translateIntent({ kind, actorId: alice, activityId: 5n, statusId }, bed.read, addresses)?.activity,
      ).toBeUndefined();
    const revoked = { kind: 'revokeReply', actorId: alice, activityId: 5n, statusId: 6n, replyId: statusId } as const;
    expect(translateIntent(revoked, bed.read, addresses)?.activity).toBeUndefined();
  });

  it('asks no other server for whom it mentions, and quotes none of them', async () => {
    const { bed, alice, bob, post, as, record } = await bedWithFollower();
    const asked = bed.asked.length;
    const statusId = await post(alice, { text: '@nobody@far.example hello' });
    expect([bed.asked.slice(asked), record(statusId)?.mentions]).toEqual([[], []]);
    const note = bob.note('quoted', { cc: [`${home}/users/alice`] });
    await bed.send(bob, bob.activity('Create', note));
    const quoted = { text: 'x', spoilerText: '', localOnly: true, quotedStatusId: bed.stored(note.id)!.id };
    await expect(publishStatus(as(alice), quoted)).rejects.toMatchObject({ code: expect.any(String) });
  });
});
