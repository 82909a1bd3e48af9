/** Who may reply, between servers (interaction policies of GoToSocial), with documents as other servers send them. */
import { describe, expect, it } from 'vitest';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { home, publicAudience } from './inbound-bed.ts';
import { bedOfAlice } from './quotes-bed.ts';

const forFollowers = { replyApproval: { automatic: ['followers'], manual: [] } } satisfies Partial<PublishStatus>;
const forMentioned = { replyApproval: { automatic: [], manual: [] } } satisfies Partial<PublishStatus>;

describe('a status of this server', () => {
  it('says who may reply only where not everybody may', async () => {
    const { bed, bob, post, fetched } = await bedOfAlice();
    const bobId = await bed.know(bob);
    const policyOf = async (more: Partial<PublishStatus>) => {
      const { uri } = await post(more);
      const { interactionPolicy, '@context': context } = (await fetched(uri.slice(home.length))).body as {
        interactionPolicy: { canReply?: unknown };
        '@context': [string, object];
      };
      return [interactionPolicy.canReply, 'canReply' in context[1]];
    };
    const mention = { id: bobId, username: 'bob', acct: 'bob@remote.example', url: bob.uri };
    expect(await policyOf({})).toEqual([undefined, false]);
    expect(await policyOf({ ...forFollowers, mentions: [{ mention }] })).toEqual([
      { automaticApproval: [`${home}/users/alice`, `${home}/users/alice/followers`, bob.uri] },
      true,
    ]);
    expect(await policyOf(forMentioned)).toEqual([{ automaticApproval: [`${home}/users/alice`] }, true]);
  });

  it.each<[string, Partial<PublishStatus>, boolean, boolean]>([
    ['is kept where he follows and followers may', forFollowers, true, true],
    ['is dropped where he does not follow', forFollowers, false, false],
    ['is dropped where only mentioned people may', forMentioned, true, false],
    ['is kept where everybody may', {}, false, true],
  ])('a reply by bob %s', async (_what, more, follows, isKept) => {
    const { bed, bob, view, notified, post } = await bedOfAlice();
    const { statusId, uri } = await post(more);
    if (follows) await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    const seen = notified().length;
    const tag = [{ type: 'Mention', href: `${home}/users/alice`, name: '@alice' }];
    const note = bob.note('reply', { inReplyTo: uri, tag, cc: [`${home}/users/alice`] });
    expect(await bed.send(bob, bob.activity('Create', note))).toBe(202);
    expect(bed.stored(note.id)?.inReplyToId).toBe(isKept ? statusId : undefined);
    expect([view(statusId).counters.replies, notified().length - seen]).toEqual(isKept ? [1, 1] : [0, 0]);
  });
});

describe('a status of another server', () => {
  async function withPolicy(canReply: object, more: object = {}) {
    const found = await bedOfAlice();
    const { bed, bob } = found;
    const note = bob.note('limited', {
      interactionPolicy: { canReply },
      cc: [`${home}/users/alice`],
      ...more,
    });
    await bed.send(bob, bob.activity('Create', note));
    const stored = bed.stored(note.id)!;
    const answer = () => publishStatus(found.as(), { text: 'Yes', spoilerText: '', inReplyToId: stored.id });
    return { ...found, note, stored, answer };
  }
  const bobs = 'https://remote.example/users/bob';
  const mention = [{ type: 'Mention', href: `${home}/users/alice`, name: '@alice' }];

  it.each<[string, object, object, object | undefined, boolean]>([
    ['for everybody', { automaticApproval: publicAudience }, {}, undefined, true],
    ['for everybody, in the older words', { always: [publicAudience], approvalRequired: [] }, {}, undefined, true],
    ['for nobody', { automaticApproval: [bobs] }, {}, { automatic: [], manual: [] }, false],
    ['that says nothing', {}, {}, undefined, true],
    [
      'for those whom it mentions',
      { automaticApproval: [bobs, `${home}/users/alice`] },
      { tag: mention },
      { automatic: [], manual: [] },
      true,
    ],
    [
      'for whom its author approves',
      { automaticApproval: [bobs], manualApproval: [publicAudience] },
      {},
      { automatic: [], manual: ['public'] },
      true,
    ],
    [
      'for followers, of whom alice is none',
      { automaticApproval: [`${bobs}/followers`] },
      {},
      { automatic: ['followers'], manual: [] },
      false,
    ],
  ])('%s', async (_what, canReply, more, expected, may) => {
    const { stored, answer } = await withPolicy(canReply, more);
    expect(stored.replyApproval).toEqual(expected);
    if (may) expect(await answer()).toMatchObject({ statusId: expect.any(BigInt) });
    else await expect(answer()).rejects.toMatchObject({ code: 'validation', reason: 'mayNotReply' });
  });

  it('changes its policy without an edit', async () => {
    const { bed, bob, note, stored, answer } = await withPolicy({ automaticApproval: [bobs] });
    const open = { ...note, interactionPolicy: { canReply: { automaticApproval: [publicAudience] } } };
    await bed.send(bob, bob.activity('Update', open));
    const now = bed.stored(note.id)!;
    expect([now.replyApproval, now.editedAt, now.id]).toEqual([undefined, undefined, stored.id]);
    await answer();
  });

  /** A reply by somebody of a third server, whom nobody here knows better. */
  async function answeredByCarol(canReply: object, more: object = {}) {
    const found = await withPolicy(canReply);
    const { bed, note, stored, view } = found;
    const carol = bed.person('third.example', 'carol');
    const reply = carol.note('reply', { inReplyTo: note.id, cc: [`${home}/users/alice`], ...more });
    await bed.send(carol, carol.activity('Create', reply));
    return { ...found, carol, reply, replies: () => view(stored.id).counters.replies };
  }
  const stamp = 'https://remote.example/stamps/1';

  it.each<[string, object, object, number]>([
    ['has no replies of those whom its author does not let reply', { automaticApproval: [bobs] }, {}, 0],
    ['has none of those who had to ask', { automaticApproval: [bobs], manualApproval: [publicAudience] }, {}, 0],
    ['for followers has those of people who may follow', { automaticApproval: [bobs, `${bobs}/followers`] }, {}, 1],
    ['for followed people has those of people who may be', { always: [`${bobs}/following`] }, {}, 1],
    [
      'for followers has none with a proof that is not there',
      { automaticApproval: [`${bobs}/followers`] },
      { replyAuthorization: stamp },
      0,
    ],
    ['of a server that says nothing of replies has them all', {}, {}, 1],
  ])('%s', async (_what, canReply, more, expected) => {
    const { bed, reply, replies } = await answeredByCarol(canReply, more);
    expect([bed.stored(reply.id) === undefined ? 0 : 1, replies()]).toEqual([expected, expected]);
  });

  it('loses a reply of which its author says later that it is not agreed to', async () => {
    const { bed, bob, note, reply, replies } = await answeredByCarol({ automaticApproval: [`${bobs}/followers`] });
    const mallory = bed.person('evil.example', 'mallory');
    await bed.send(mallory, mallory.activity('Reject', reply.id, { target: note.id }));
    expect(replies()).toBe(1);
    await bed.send(bob, bob.activity('Reject', reply.id, { target: note.id }));
    expect([replies(), bed.stored(reply.id)?.inReplyToId]).toEqual([0, undefined]);
    await bed.send(bob, bob.activity('Accept', reply.id, { target: note.id, result: stamp }));
    expect(replies()).toBe(0);
  });

  it('loses a reply when the consent of which its author told later is taken back', async () => {
    const { bed, bob, note, reply, replies } = await answeredByCarol({ automaticApproval: [`${bobs}/followers`] });
    await bed.send(bob, bob.activity('Accept', reply.id, { target: note.id, result: stamp }));
    expect([replies(), bed.stored(reply.id)?.replyAuthorization]).toEqual([1, stamp]);
    await bed.send(bob, bob.activity('Delete', stamp));
    bed.gateway.actors.settle();
    expect([replies(), bed.stored(reply.id)?.inReplyToId]).toEqual([0, undefined]);
  });
});
