/** Replies that take consent, between servers (interaction policies of GoToSocial), with documents as other servers send them. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { replyRequestsOf } from '../../src/actors/account/reply-requests/reply-requests.queries.ts';
import type { ReplyPolicy } from '../../src/actors/account/statuses/reply-policy.records.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { type Delivery, deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { decideReply } from '../../src/operations/replies/decide-reply.ts';
import { revokeReply } from '../../src/operations/replies/revoke-reply.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { until } from '../support/until.ts';
import { home, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { bedOfAlice } from './quotes-bed.ts';

const approved = { replyApproval: { automatic: [], manual: ['public'] } } satisfies Partial<PublishStatus>;
const forFollowers = { replyApproval: { automatic: ['followers'], manual: [] } } satisfies Partial<PublishStatus>;
const aliceUri = `${home}/users/alice`;

/** What a server sends that asks first. */
const request = (by: RemotePerson, answered: string, instrument: unknown) =>
  by.activity('ReplyRequest', answered, { instrument });

const replyTo = (by: RemotePerson, uri: string, id = 'reply') =>
  by.note(id, {
    inReplyTo: uri,
    tag: [{ type: 'Mention', href: aliceUri, name: '@alice' }],
    cc: [`${by.uri}/followers`, aliceUri],
  });

async function asked(policy: Partial<PublishStatus> = approved) {
  const found = await bedOfAlice();
  const { bed, alice, bob, post, authorization } = found;
  const { statusId, uri } = await post(policy);
  const note = replyTo(bob, uri);
  const waiting = () => replyRequestsOf(bed.read, alice, { limit: 10 }, (id) => id).items;
  const path = () => authorization(bed.stored(note.id)?.id).replace('quote', 'reply');
  const answers = (type: string) => found.sent().filter((one) => one.type === type);
  return { ...found, statusId, uri, note, waiting, path, answers };
}

describe('a reply to a status of this server', () => {
  it('that needs consent waits, seen by its author and by whoever is asked alone, until that one agrees', async () => {
    const { bed, bob, as, view, notified, fetched, statusId, uri, note, waiting, path, answers } = await asked();
    const query = request(bob, uri, note);
    expect(await bed.send(bob, query)).toBe(202);
    const held = bed.stored(note.id)!;
    expect(held).toMatchObject({ inReplyToId: statusId, heldReply: { state: 'pending', visibility: 'public' } });
    expect([waiting(), view(statusId).counters.replies, notified()]).toEqual([[held.id], 0, ['mention']]);
    expect((await fetched(path())).status).toBe(404);
    // Again, also as a reply: nothing happens twice.
    await bed.send(bob, { ...query, id: `${bob.uri}#requests/2` });
    await bed.send(bob, bob.create(note));
    expect([waiting(), notified(), answers('Accept')]).toEqual([[held.id], ['mention'], []]);

    await decideReply(as(), { replyId: held.id, isAccepted: true });
    expect(bed.stored(note.id)).toMatchObject({ visibility: 'public', inReplyToId: statusId });
    expect(bed.stored(note.id)?.heldReply).toBeUndefined();
    expect([waiting(), view(statusId).counters.replies]).toEqual([[], 1]);
    expect(answers('Accept')).toEqual([
      expect.objectContaining({
        actor: aliceUri,
        to: [bob.uri],
        object: { id: `${bob.uri}#requests/2`, type: 'ReplyRequest', actor: bob.uri, object: uri, instrument: note.id },
        result: `${home}${path()}`,
      }),
    ]);
    expect(await fetched(path())).toMatchObject({
      status: 200,
      body: {
        id: `${home}${path()}`,
        type: 'ReplyAuthorization',
        attributedTo: aliceUri,
        interactingObject: note.id,
        interactionTarget: uri,
      },
    });
  });

  it('that comes without a request waits as well, and followers are told that it was agreed to', async () => {
    const { bed, bob, as, notified, uri, note, waiting, path, answers } = await asked();
    await bed.send(bob, bob.create(note));
    expect([waiting().length, notified()]).toEqual([1, ['mention']]);
    await decideReply(as(), { replyId: waiting()[0]!, isAccepted: true });
    expect(answers('Accept')).toEqual([
      expect.objectContaining({
        to: [bob.uri],
        cc: [publicAudience, `${aliceUri}/followers`],
        object: note.id,
        target: uri,
        result: `${home}${path()}`,
      }),
    ]);
  });

  it('that is refused stays unseen, whatever comes after', async () => {
    const { bed, bob, as, view, notified, statusId, uri, note, waiting, answers } = await asked();
    await bed.send(bob, request(bob, uri, note));
    await decideReply(as(), { replyId: waiting()[0]!, isAccepted: false });
    const object = expect.objectContaining({ type: 'ReplyRequest', instrument: note.id });
    expect(answers('Reject')).toEqual([expect.objectContaining({ object, to: [bob.uri] })]);
    await bed.send(bob, bob.create(note));
    await bed.send(bob, { ...request(bob, uri, note), id: `${bob.uri}#requests/2` });
    await bed.send(bob, bob.activity('Update', { ...note, content: '<p>Anew</p>', updated: '2030-01-01T00:00:00Z' }));
    expect(bed.stored(note.id)).toMatchObject({ visibility: 'direct', heldReply: { state: 'rejected' } });
    expect([waiting(), view(statusId).counters.replies, notified()]).toEqual([[], 0, []]);
    expect([answers('Accept'), answers('Reject').length]).toEqual([[], 2]);
    await expect(decideReply(as(), { replyId: bed.stored(note.id)!.id, isAccepted: true })).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  it('of a follower is agreed to at once where followers may; of a stranger it is refused, and nothing is kept', async () => {
    const { bed, bob, statusId, uri, note, answers, view, fetched, path } = await asked(forFollowers);
    await bed.send(bob, request(bob, uri, note));
    expect([bed.stored(note.id), answers('Reject').length]).toEqual([undefined, 1]);
    await bed.send(bob, bob.activity('Follow', aliceUri));
    await bed.send(bob, { ...request(bob, uri, note), id: `${bob.uri}#requests/2` });
    expect(view(statusId).counters.replies).toBe(1);
    expect(answers('Accept').at(-1)).toMatchObject({ result: `${home}${path()}` });
    expect((await fetched(path())).status).toBe(200);
  });

  it('of a follower that comes without a request is agreed to in public, once, so that third servers show it', async () => {
    const { bed, bob, uri, note, answers, view, fetched, path, notified, statusId } = await asked(forFollowers);
    await bed.send(bob, bob.activity('Follow', aliceUri));
    await bed.send(bob, bob.create(note));
    const toAll = { to: [bob.uri], cc: [publicAudience, `${aliceUri}/followers`], object: note.id, target: uri };
    expect(answers('Accept').slice(1)).toEqual([expect.objectContaining({ ...toAll, result: `${home}${path()}` })]);
    expect([view(statusId).counters.replies, notified()]).toEqual([1, ['mention', 'follow']]);
    expect((await fetched(path())).status).toBe(200);
    await bed.send(bob, bob.create(note));
    await bed.send(bob, bob.activity('Update', { ...note, content: '<p>Anew</p>', updated: '2030-01-01T00:00:00Z' }));
    expect(answers('Accept')).toHaveLength(2);
    await bed.send(bob, request(bob, uri, note));
    expect(answers('Accept').at(-1)).toMatchObject({ object: { type: 'ReplyRequest' }, to: [bob.uri] });
  });

  it('of a follower that is private notifies, also where it was asked about', async () => {
    const { bed, bob, uri, note, answers, notified } = await asked(forFollowers);
    await bed.send(bob, bob.activity('Follow', aliceUri));
    const direct = { ...note, to: [aliceUri], cc: [] };
    await bed.send(bob, request(bob, uri, direct));
    expect([notified(), answers('Accept').length]).toEqual([['mention', 'follow'], 2]);
    expect(answers('Accept').at(-1)).not.toHaveProperty('cc');
  });

  it('is refused in public where it came without a request', async () => {
    const { bed, alice, bob, as, uri, note, waiting, answers } = await asked();
    const carol = bed.person('third.example', 'carol');
    await bed.send(carol, carol.activity('Follow', aliceUri));
    await bed.send(bob, bob.create(note));
    await decideReply(as(), { replyId: waiting()[0]!, isAccepted: false });
    const logged = bed.read.partitions.flatMap((one) => Array.from(one.range(deliveryLog, []), ({ value }) => value));
    const isToldAll = ({ followersOf, hosts }: Delivery) => followersOf === alice && hosts.byteLength > 0;
    expect(logged.filter(isToldAll).map(({ intent }) => intent.kind)).toEqual(['rejectReply']);
    const toAll = { to: [bob.uri], cc: [publicAudience, `${aliceUri}/followers`], object: note.id, target: uri };
    expect(answers('Reject')[0]).toMatchObject(toAll);
  });

  it.each<[string, Partial<PublishStatus>, ReplyPolicy, unknown[]]>([
    ['was to wait and may be at once', approved, 'public', [1, ['mention', 'follow'], ['Accept', 'Accept'], true]],
    ['was to be at once and has to wait', forFollowers, 'approved', [0, ['follow'], ['Accept', 'Reject'], false]],
  ])('that %s, while it was on its way', async (_what, policy, after, expected) => {
    const { bed, alice, bob, statusId, note, waiting, view, notified, answers } = await asked(policy);
    await bed.send(bob, bob.activity('Follow', aliceUri));
    const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
    const calls = bed.calls;
    bed.holdCalls = promise;
    const sending = bed.send(bob, bob.create(note));
    await until(() => bed.calls > calls);
    await bed.gateway.actors.call(Account.changeReplyPolicy.to(alice, { statusId, policy: after }));
    goOn(undefined);
    await sending;
    bed.gateway.actors.settle();
    const told = [...answers('Accept'), ...answers('Reject')].map(({ type }) => type);
    const isReply = bed.stored(note.id)?.inReplyToId !== undefined;
    expect([view(statusId).counters.replies, notified(), told, isReply]).toEqual(expected);
    expect([waiting(), bed.stored(note.id)?.heldReply]).toEqual([[], undefined]);
  });

  it('goes on after an edit of what waits, and mentions nobody before it is agreed to', async () => {
    const { bed, bob, as, uri, note, waiting } = await asked();
    const carol = await bed.local('carol');
    const notifiedOf = (id: bigint) =>
      storedNotifications(bed.read, id, {}, { limit: 40 }, (_id, { type }) => type).items;
    await bed.send(bob, request(bob, uri, note));
    const tag = [{ type: 'Mention', href: `${home}/users/carol`, name: '@carol' }];
    const changed = { ...note, tag, content: '<p>Anew</p>', updated: '2030-01-01T00:00:00Z' };
    await bed.send(bob, bob.activity('Update', changed));
    const held = bed.stored(note.id)!;
    expect(held).toMatchObject({ content: '<p>Anew</p>', visibility: 'direct', heldReply: { state: 'pending' } });
    expect(notifiedOf(carol)).toEqual([]);
    await decideReply(as(), { replyId: waiting()[0]!, isAccepted: true });
    expect(notifiedOf(carol)).toEqual(['mention']);
  });

  it.each<[string, (found: Awaited<ReturnType<typeof asked>>) => Promise<unknown>]>([
    ['its author deletes it', ({ bed, bob, note }) => bed.send(bob, bob.activity('Delete', note.id))],
    [
      'what it answers is deleted',
      ({ bed, alice, statusId }) =>
        bed.gateway.actors.call(Account.deleteStatus.to(alice, { statusId, destinations: [] })),
    ],
    [
      'its author is blocked',
      async ({ bed, alice, bob }) =>
        bed.gateway.actors.call(Account.block.to(alice, { targetId: await bed.know(bob) })),
    ],
  ])('waits no more when %s', async (_what, end) => {
    const found = await asked();
    const { bed, bob, uri, note, waiting, notified } = found;
    await bed.send(bob, request(bob, uri, note));
    await end(found);
    bed.gateway.actors.settle();
    expect([waiting(), notified()]).toEqual([[], []]);
  });

  it('leaves the thread when consent is revoked: the proof is gone, and its server is told', async () => {
    const { bed, bob, as, view, statusId, uri, note, path, answers, fetched, waiting } = await asked();
    await bed.send(bob, request(bob, uri, note));
    await decideReply(as(), { replyId: waiting()[0]!, isAccepted: true });
    const address = path();
    await revokeReply(as(), { replyId: bed.stored(note.id)!.id });
    bed.gateway.actors.settle();
    expect([view(statusId).counters.replies, bed.stored(note.id)?.inReplyToId]).toEqual([0, undefined]);
    expect((await fetched(address)).status).toBe(404);
    expect(answers('Delete')).toEqual([expect.objectContaining({ object: `${home}${address}` })]);
  });

  it.each<[string, (bob: RemotePerson, mallory: RemotePerson, uri: string) => object]>([
    ['for somebody else', (bob, mallory, uri) => request(mallory, uri, replyTo(bob, uri))],
    ['for what answers something else', (_bob, mallory, uri) => request(mallory, uri, mallory.note('reply'))],
  ])('is not asked for %s', async (_what, make) => {
    const { bed, bob, uri, answers, waiting } = await asked();
    const mallory = bed.person('evil.example', 'mallory');
    await bed.send(mallory, make(bob, mallory, uri));
    expect([waiting(), answers('Accept'), answers('Reject')]).toEqual([[], [], []]);
  });
});

describe('a reply to a status of another server', () => {
  const bobUri = 'https://remote.example/users/bob';
  const manual = { automaticApproval: [bobUri], manualApproval: [publicAudience] };
  const stamp = 'https://remote.example/stamps/1';

  async function answering(canReply: object = manual) {
    const found = await bedOfAlice();
    const { bed, alice, bob, as, view } = found;
    await bed.follow(alice, bob);
    const note = bob.note('limited', { interactionPolicy: { canReply } });
    await bed.send(bob, bob.create(note));
    const parentId = bed.stored(note.id)!.id;
    const { statusId } = await publishStatus(as(), { text: 'Yes', spoilerText: '', inReplyToId: parentId });
    const uri = `${home}/users/alice/statuses/${statusId}`;
    const own = () => view(statusId).status;
    const replies = () => view(parentId).counters.replies;
    const object = {
      id: `${uri}/reply_request`,
      type: 'ReplyRequest',
      actor: aliceUri,
      object: note.id,
      instrument: uri,
    };
    const of = (type: string) => found.sent().filter((one) => one.type === type);
    return { ...found, note, parentId, statusId, uri, own, replies, object, of };
  }

  it('is asked for, and goes to others once its author agrees', async () => {
    const { bed, bob, note, uri, own, replies, object, of } = await answering();
    expect(own()).toMatchObject({ visibility: 'direct', heldReply: { state: 'pending', visibility: 'public' } });
    expect(of('Create')).toEqual([]);
    expect(of('ReplyRequest')).toEqual([
      expect.objectContaining({
        ...object,
        to: [bob.uri],
        instrument: expect.objectContaining({ id: uri, inReplyTo: note.id, to: [publicAudience] }),
      }),
    ]);
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    bed.gateway.actors.settle();
    expect(own()).toMatchObject({ visibility: 'public', replyAuthorization: stamp });
    expect([own().heldReply, replies()]).toEqual([undefined, 1]);
    expect(of('Create')).toEqual([
      expect.objectContaining({ object: expect.objectContaining({ id: uri, replyAuthorization: stamp }) }),
    ]);
  });

  it.each<[string, (object: { id: string; instrument: string }) => [unknown, Record<string, unknown>]]>([
    ['by the address of the request', ({ id }) => [id, { result: stamp }]],
    ['by the reply itself', ({ instrument }) => [instrument, { result: stamp, target: `${bobUri}/statuses/limited` }]],
    ['by the reply, in the form before version 0.20', ({ instrument }) => [{ type: 'Note', id: instrument }, {}]],
  ])('is agreed to %s', async (_how, make) => {
    const { bed, bob, own, object } = await answering();
    const [answered, more] = make(object);
    await bed.send(bob, bob.activity('Accept', answered, more));
    expect(own().visibility).toBe('public');
    expect(own().replyAuthorization).toMatch(/^https:\/\/remote\.example\//);
  });

  it('stays with its author where it is refused', async () => {
    const { bed, bob, own, replies, object, of } = await answering();
    await bed.send(bob, bob.activity('Reject', object));
    expect(own()).toMatchObject({ visibility: 'direct', heldReply: { state: 'rejected' } });
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    expect([own().heldReply?.state, replies(), of('Create')]).toEqual(['rejected', 0, []]);
  });

  it.each<[string, (found: Awaited<ReturnType<typeof answering>>) => Promise<unknown>]>([
    [
      'somebody else',
      ({ bed, object }) => {
        const mallory = bed.person('evil.example', 'mallory');
        return bed.send(mallory, mallory.activity('Accept', object, { result: 'https://evil.example/stamps/1' }));
      },
    ],
    [
      'a proof of another server',
      ({ bed, bob, object }) =>
        bed.send(bob, bob.activity('Accept', object, { result: 'https://evil.example/stamps/1' })),
    ],
  ])('waits on after an answer with %s', async (_what, answer) => {
    const found = await answering();
    await answer(found);
    expect(found.own().heldReply?.state).toBe('pending');
  });

  it('leaves the thread when its author takes consent back', async () => {
    const { bed, bob, own, replies, object } = await answering();
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    bed.gateway.actors.settle();
    await bed.send(bob, bob.activity('Delete', stamp));
    bed.gateway.actors.settle();
    expect([own().inReplyToId, replies()]).toEqual([undefined, 0]);
  });

  it('is sent as it is to a server that speaks the words before version 0.20, and to nobody else', async () => {
    const { uri, of, own } = await answering({ always: [bobUri], approvalRequired: [publicAudience] });
    expect(own().heldReply?.state).toBe('pending');
    expect(of('Create')).toEqual([expect.objectContaining({ object: expect.objectContaining({ id: uri }) })]);
    expect(of('ReplyRequest')).toEqual([]);
  });

  it('by a third person is fetched when its consent is made known to followers', async () => {
    const { bed, bob, note, parentId, view } = await answering();
    const carol = bed.person('third.example', 'carol');
    const reply = carol.note('reply', { inReplyTo: note.id, cc: [aliceUri] });
    await bed.send(carol, carol.create(reply));
    expect(bed.stored(reply.id)).toBeUndefined();
    bed.web.set(String(reply.id), reply);
    const accepted = bob.activity('Accept', reply.id, { target: note.id, result: stamp });
    await bed.send(bob, accepted);
    expect(bed.stored(reply.id)).toBeUndefined();
    bed.web.set(stamp, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: stamp,
      type: 'ReplyAuthorization',
      attributedTo: bob.uri,
      interactingObject: reply.id,
      interactionTarget: note.id,
    });
    await bed.send(bob, { ...accepted, id: `${String(accepted.id)}/again` });
    bed.gateway.actors.settle();
    expect(bed.stored(reply.id)).toMatchObject({ inReplyToId: parentId, replyAuthorization: stamp });
    expect(view(parentId).counters.replies).toBe(1);
  });

  it.each([
    ['with a proof', true, 1],
    ['without one', false, 0],
  ])('by a third person %s', async (_how, isProved, expected) => {
    const { bed, bob, note, parentId, view } = await answering();
    const carol = bed.person('third.example', 'carol');
    const reply = carol.note('reply', {
      inReplyTo: note.id,
      replyAuthorization: stamp,
      cc: [aliceUri],
    });
    const proof = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: stamp,
      type: 'ReplyAuthorization',
      attributedTo: bob.uri,
      interactingObject: isProved ? reply.id : 'https://third.example/another',
      interactionTarget: note.id,
    };
    bed.web.set(stamp, proof);
    await bed.send(carol, carol.create(reply));
    bed.gateway.actors.settle();
    expect([bed.stored(reply.id) === undefined, view(parentId).counters.replies]).toEqual([!isProved, expected]);
    await bed.send(bob, bob.activity('Delete', stamp));
    bed.gateway.actors.settle();
    expect(view(parentId).counters.replies).toBe(0);
  });
});
