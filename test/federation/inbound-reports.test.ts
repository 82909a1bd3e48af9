/** Reports in both directions (specification 6.2: Flag). */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { allNotifications } from '../../src/actors/account/notifications/notifications.queries.ts';
import { reportLimits } from '../../src/actors/account/reports/limits.ts';
import { latestOpenReports } from '../../src/actors/account/reports/reports.queries.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { type Intent, serverActorId } from '../../src/actors/intents.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

let bed: InboundBed;
let aliceId: bigint;
let carolId: bigint;
/** The actor of another server. */
let server: RemotePerson;

beforeEach(async () => {
  bed = new InboundBed();
  onTestFinished(() => expect(bed.gateway.actors.problems).toEqual([]));
  aliceId = await bed.local('alice');
  carolId = await bed.local('carol');
  server = bed.person('remote.example', 'remote.example', { type: 'Application' });
  await bed.know(server);
});

const alice = `${home}/users/alice`;
const reports = () =>
  latestOpenReports(bed.read, 1_000).map(({ targetId, statusIds, comment }) => ({ targetId, statusIds, comment }));
const flag = (object: unknown, more: Record<string, unknown> = {}) =>
  bed.send(server, server.activity('Flag', object, more));

describe('a Flag', () => {
  it.each<[string, (status: string) => unknown, string]>([
    ['of Mastodon', (status) => [alice, status], 'Spam'],
    ['of Akkoma, with whole objects', (status) => [alice, { type: 'Note', id: status, content: 'Buy!' }], 'Spam'],
    ['that names the status alone', (status) => status, 'Spam'],
    ['of Misskey, with the status in its text', () => alice, 'Note: STATUS\n-----\nSpam'],
  ])('%s is a report of the account with the status', async (_whose, object, content) => {
    const statusId = await bed.publish(aliceId, 'Buy!');
    const status = `${alice}/statuses/${statusId}`;
    const comment = content.replace('STATUS', status);
    expect(await flag(object(status), { content: comment })).toBe(202);
    expect(reports()).toEqual([{ targetId: aliceId, statusIds: [statusId], comment }]);
  });

  it('of Lemmy has the reason in its summary', async () => {
    const statusId = await bed.publish(aliceId, 'Buy!');
    await flag(`${alice}/statuses/${statusId}`, { summary: 'Spam' });
    expect(reports()).toEqual([{ targetId: aliceId, statusIds: [statusId], comment: 'Spam' }]);
  });

  it('names a collection of the account, alone or beside it, and tells those who handle reports', async () => {
    const moderator = await bed.local('mona');
    await bed.gateway.actors.call(Account.changeLogin.to(moderator, { role: 'moderator' }));
    const written = { name: 'Cats', description: '', sensitive: false, discoverable: true, candidates: [] };
    const { collectionId } = await bed.gateway.actors.call(Account.createCollection.to(aliceId, written));
    for (const object of [
      `${alice}/featured_collections/${collectionId}`,
      [alice, `${home}/collections/${collectionId}`],
    ])
      expect(await flag(object, { content: 'Spam' })).toBe(202);
    const [last, first] = latestOpenReports(bed.read, 2);
    for (const kept of [first, last])
      expect(kept).toMatchObject({ targetId: aliceId, statusIds: [], collectionIds: [collectionId] });
    const notified = Array.from(allNotifications(bed.read, moderator, {}), ({ notification }) => notification);
    const cause = { type: 'admin.report', accountId: bed.accountOf(server.uri) };
    expect(notified).toMatchObject([
      { ...cause, reportId: first!.id },
      { ...cause, reportId: last!.id },
    ]);
  });

  it('that comes twice is one report, and one of two accounts is two', async () => {
    const object = [alice, `${home}/users/carol`];
    for (let time = 0; time < 2; time += 1) await flag(object, { content: 'Both' });
    const known = server.activity('Flag', object, { content: 'Both' });
    await bed.gateway.actors.call(
      Account.fileReport.to(bed.accountOf(server.uri)!, {
        ...{ targetId: aliceId, statusIds: [], ruleIds: [], category: 'other', comment: 'Both' },
        activityUri: String(known.id),
      }),
    );
    expect(reports().map(({ targetId }) => targetId)).toEqual([carolId, aliceId]);
  });

  it.each([
    ['about nobody here', 'https://elsewhere.example/users/rita'],
    ['about nobody at all', []],
    ['about a name that is not taken', `${home}/users/nobody`],
  ])('%s is no report', async (_what, object) => {
    await flag(object);
    expect(reports()).toEqual([]);
  });

  it('shows staff no status that its server was never sent', async () => {
    const hidden = await bed.publish(aliceId, 'Between us', { visibility: 'private' });
    await flag([alice, `${alice}/statuses/${hidden}`]);
    expect(reports()).toMatchObject([{ targetId: aliceId, statusIds: [] }]);
    await bed.follow(aliceId, bed.person('remote.example', 'bob'));
    await bed.send(bed.person('remote.example', 'bob'), bed.person('remote.example', 'bob').activity('Follow', alice));
    await flag([alice, `${alice}/statuses/${hidden}`, alice]);
    expect(reports()[0]).toMatchObject({ targetId: aliceId, statusIds: [hidden] });
  });

  it('of an actor of another host, or a text without an end, does no harm', async () => {
    const forged = { ...server.activity('Flag', alice), id: 'https://elsewhere.example/flags/1' };
    expect(await bed.send(server, forged)).toBe(403);
    await flag(alice, { content: 'x'.repeat(20_000) });
    expect(reports().map(({ comment }) => comment.length)).toEqual([reportLimits.remoteCommentCharactersMax]);
  });

  it('is one of so many that a host may send on a day', async () => {
    const { perHostAndDayMax } = reportLimits;
    const accountId = bed.accountOf(server.uri)!;
    const report = { targetId: carolId, statusIds: [], ruleIds: [], category: 'other' as const, comment: '' };
    for (let count = 0; count < perHostAndDayMax; count += 1)
      await bed.gateway.actors.call(Domain.receiveReport.to('remote.example', { accountId, report }));
    expect(await flag(alice)).toBe(202);
    expect(reports()).toHaveLength(perHostAndDayMax);
    bed.gateway.actors.clock.advance(24 * 60 * 60 * 1_000);
    await flag(alice, { id: 'https://remote.example/flags/tomorrow' });
    expect(reports()).toHaveLength(perHostAndDayMax + 1);
  });
});

it('ours is a Flag of the server itself, which names the account first', async () => {
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.follow(aliceId, bob);
  await bed.send(bob, bob.create(bob.note('1')));
  const statusId = bed.stored(bob.note('1').id)!.id;
  const uri = 'https://remote.example/collections/7';
  const { collectionId } = await bed.gateway.actors.call(
    Account.receiveCollection.to(bobId, {
      collection: {
        uri,
        name: 'Cats',
        description: '',
        sensitive: false,
        discoverable: true,
        createdAt: 1,
        updatedAt: 1,
      },
      ...{ itemUris: [], items: [] },
    }),
  );
  const { reportId } = await bed.gateway.actors.call(
    Account.fileReport.to(aliceId, {
      ...{ targetId: bobId, statusIds: [statusId, 1n], ruleIds: [], category: 'spam', comment: 'Spam' },
      collectionIds: [collectionId, 1n],
      forwardTo: { host: 'remote.example', inbox: `${bob.uri}/inbox` },
    }),
  );
  const intent: Intent = { kind: 'flag', actorId: serverActorId, activityId: reportId, targetId: bobId, reportId };
  expect(translateIntent(intent, bed.read, bed.gateway.services.addresses)).toMatchObject({
    signerId: serverActorId,
    activity: {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${home}/activities/${reportId}`,
      type: 'Flag',
      actor: `${home}/actor`,
      content: 'Spam',
      object: [bob.uri, bob.note('1').id, uri],
    },
  });
});
