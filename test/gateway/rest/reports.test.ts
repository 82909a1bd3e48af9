/** Reports through the API (specification 2.8, 4.10), and the Flag sent to other servers (6.2). */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { latestOpenReports } from '../../../src/actors/account/reports/reports.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { serverActorId } from '../../../src/actors/intents.ts';
import { getReports, postReport } from '../../../src/gateway/rest/reports/reports.endpoints.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

let { people, api, alice, bob } = await newPeople();
let rita: Person;
let spam: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  rita = people.remote('rita', 'there.example');
  spam = await people.publish(bob, { text: 'Buy!' });
  people.takeDeliveries();
  const rules = [{ id: '1', text: 'Be kind', hint: '' }];
  await people.server.call(Instance.changeSettings.to(instanceKey, { rules }));
});

const report = (given: Record<string, unknown>) => api.ask(postReport, alice, { account_id: bob.id, ...given });
const mine = (given = {}) => api.ask(getReports, alice, given);

describe('a report', () => {
  test('says what it is about, is listed for its author alone, and counts against the limit', async () => {
    const { body } = await report({ status_ids: [String(spam.id)], comment: ' Spam! ', category: 'spam' });
    expect(body).toMatchObject({
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'Spam!',
      forwarded: false,
      status_ids: [String(spam.id)],
      rule_ids: [],
      target_account: { acct: 'bob' },
    });
    expect((await mine()).body).toEqual([body]);
    expect((await api.ask(getReports, bob)).body).toEqual([]);
    expect(api.counted).toEqual(['reports']);
  });

  test.each([
    [{}, 'other'],
    [{ category: 'legal' }, 'legal'],
    [{ rule_ids: ['1', '1'] }, 'violation'],
    [{ rule_ids: ['1'], category: 'spam' }, 'violation'],
  ])('with %j is of the category %s', async (given, category) => {
    expect((await report(given)).body).toMatchObject({ category });
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['of nobody', { account_id: '1' }, { code: 'notFound' }],
    ['of oneself', { account_id: 'alice' }, { code: 'validation' }],
    ['of a status that there is not', { status_ids: ['1'] }, { code: 'notFound' }],
    ['of a status of somebody else', { status_ids: ['hers'] }, { code: 'notFound' }],
    ['of a status that is not for her', { status_ids: ['hidden'] }, { code: 'notFound' }],
    [
      'with a comment that is too long',
      { comment: 'x'.repeat(1_001) },
      { message: 'Validation failed: Comment is too long (maximum is 1000 characters)' },
    ],
    [
      'of a rule that there is not',
      { rule_ids: ['1', '2'] },
      { message: 'Validation failed: Rule ids does not reference valid rules' },
    ],
    [
      'of too many statuses',
      { status_ids: Array.from({ length: 101 }, (_, index) => String(index + 1)) },
      { message: 'Validation failed: Status ids is too long (maximum is 100 statuses)' },
    ],
  ])('%s is refused, and leaves nothing', async (_what, given, failure) => {
    const hers = await people.publish(alice);
    const hidden = await people.publish(bob, { visibility: 'direct' });
    const ids: Record<string, string> = { alice: `${alice.id}`, hers: `${hers.id}`, hidden: `${hidden.id}` };
    const named = JSON.parse(JSON.stringify(given), (_key, value) => ids[value] ?? value);
    await expect(report(named)).rejects.toMatchObject(failure);
    expect([(await mine()).body, latestOpenReports(people.server.read, 40), api.counted]).toEqual([[], [], []]);
  });

  test('names collections of the account, and of nobody else', async () => {
    const collectionOf = async (owner: Person) => {
      const written = { name: 'Cats', description: '', sensitive: false, discoverable: true, candidates: [] };
      return (await people.server.call(Account.createCollection.to(owner.id, written))).collectionId;
    };
    const [hers, his] = [await collectionOf(alice), await collectionOf(bob)];
    const { body } = await report({ collection_ids: [String(his), String(his)] });
    expect(body).toMatchObject({ collection_ids: [String(his)], status_ids: [] });
    expect((await report({})).body).toMatchObject({ collection_ids: [] });
    for (const given of [[String(hers)], ['1'], [String(his), '1']])
      await expect(report({ collection_ids: given })).rejects.toMatchObject({ code: 'notFound' });
    const tooMany = Array.from({ length: 51 }, (_, index) => String(index + 1));
    await expect(report({ collection_ids: tooMany })).rejects.toMatchObject({
      message: 'Validation failed: Collection ids is too long (maximum is 50 collections)',
    });
    expect(latestOpenReports(people.server.read, 9)).toHaveLength(2);
  });

  test('stays open until it is closed, and is found by staff as long', async () => {
    const ids = [];
    for (const comment of ['one', 'two', 'three']) ids.unshift(String((await report({ comment })).body.id));
    expect(latestOpenReports(people.server.read, 2).map(({ comment }) => comment)).toEqual(['three', 'two']);
    const reportId = BigInt(ids[0]!);
    for (let time = 0; time < 2; time += 1)
      await people.server.call(Account.resolveReport.to(alice.id, { reportId, resolvedById: bob.id }));
    expect(latestOpenReports(people.server.read, 9).map(({ comment }) => comment)).toEqual(['two', 'one']);
    const { body } = await mine();
    expect(body).toMatchObject([{ action_taken: true, action_taken_at: expect.any(String) }, {}, {}]);
    expect(idsIn(body)).toEqual(ids);
    await expect(people.server.call(Account.resolveReport.to(bob.id, { reportId }))).rejects.toMatchObject({
      code: 'notFound',
    });
  });
});

describe('of an account of another server', () => {
  const flags = () => people.takeDeliveries().map(({ intent, inboxes }) => [intent.kind, intent.actorId, inboxes]);

  test.each([
    [{}, true],
    [{ forward: 'true' }, true],
    [{ forward: '0' }, false],
  ])('with %j its own server is told (%s), by the actor of this one', async (given, forwarded) => {
    const post = await people.receive(rita, 'https://there.example/1');
    const told = { account_id: rita.id, status_ids: [String(post.id)], ...given };
    expect((await report(told)).body).toMatchObject({ forwarded, target_account: { acct: 'rita@there.example' } });
    const sent = [['flag', serverActorId, ['https://there.example/users/rita/inbox']]];
    expect(flags()).toEqual(forwarded ? sent : []);
  });

  test.each<[string[], string[]]>([
    [['there.example'], ['there.example/users/rita']],
    [
      ['THERE.example', 'elsewhere.example'],
      ['there.example/users/rita', 'elsewhere.example/users/dave'],
    ],
    [['elsewhere.example'], ['elsewhere.example/users/dave']],
    [['other.example'], []],
    [[], ['there.example/users/rita']],
  ])('with the domains %j these are told, and no other', async (domains, told) => {
    const dave = people.remote('dave', 'elsewhere.example');
    const parent = await people.receive(dave, 'https://elsewhere.example/1');
    const replies = [];
    for (const number of [2, 3])
      replies.push(await people.receive(rita, `https://there.example/${number}`, { replyTo: parent }));
    const { body } = await report({
      account_id: rita.id,
      status_ids: replies.map(({ id }) => String(id)),
      forward: true,
      forward_to_domains: domains,
    });
    expect(body).toMatchObject({ forwarded: told.length > 0 });
    expect(people.takeDeliveries().flatMap(({ inboxes }) => inboxes)).toEqual(
      told.map((actor) => `https://${actor}/inbox`),
    );
  });

  test('nobody is told of a report about a neighbour', async () => {
    expect((await report({ forward: true })).body).toMatchObject({ forwarded: false });
    expect(flags()).toEqual([]);
  });
});
