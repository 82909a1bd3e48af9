/** Reporting somebody from a page (specification 4.10). */
import { expect, test } from 'vitest';
import { latestOpenReports } from '../../../src/actors/account/reports/reports.queries.ts';
import { deliveryLog } from '../../../src/actors/partition/partition.state.ts';
import { operator } from '../../../src/operations/caller.ts';
import { resolveReport } from '../../../src/operations/reports/open-reports.ts';
import { learnt } from '../../support/learnt.ts';
import { People } from '../../support/people.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const withPeople = async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const reports = () => latestOpenReports(site.gateway.actors.read, 40);
  return { site, alice, bob, reports, path: `/web/accounts/${alice.id}/report` };
};

test('the menus of a profile and of a post lead to the form, and that of a post names it', async () => {
  const { alice, bob, path } = await withPeople();
  const id = await alice.write('Buy!');
  const { html } = await bob.ask('/@alice');
  expect(html).toContain(`href="${path}"`);
  expect(html).toContain(`href="${path}?status=${id}"`);
  expect((await alice.ask('/@alice')).html).not.toContain(path);
  expect((await bob.ask(`${path}?status=${id}`)).html).toContain(`href="/@alice/${id}"`);
});

test('a report is sent with its post, its rules and its text', async () => {
  const { site, alice, bob, reports, path } = await withPeople();
  await site.settings({ rules: [{ id: '7', text: 'No advertising', hint: '' }] });
  const id = await alice.write('Buy!');
  expect(textOf((await bob.ask(path)).html)).toContain('No advertising');
  const fields = { status: id, category: 'violation', rule: '7', comment: 'Look at this' };
  const { status, html } = await bob.act(path, { ...fields, return_to: '/public' });
  expect([status, textOf(html).includes('Your report was sent'), html.includes('href="/public"')]).toEqual([
    ...[200, true, true],
  ]);
  expect(reports()).toMatchObject([
    { accountId: bob.id, targetId: alice.id, statusIds: [BigInt(id)], ruleIds: ['7'], comment: 'Look at this' },
  ]);
});

test('whoever has reported something sees whether the staff are done with it', async () => {
  const { site, alice, bob, reports, path } = await withPeople();
  const own = async (who = bob) => textOf((await who.ask('/settings/reports')).html);
  expect(await own()).toContain('You have reported nothing.');
  const id = await alice.write('Buy!');
  const sent = await bob.act(path, { status: id, category: 'spam', comment: 'Look <here>' });
  expect(sent.html).toContain('href="/settings/reports"');
  const page = await bob.ask('/settings/reports');
  expectStrict(page);
  expect(textOf(page.html)).toMatch(/The staff have not closed it yet .*@alice .*It is spam.*Look &lt;here&gt;/);
  expect(page.html).toContain(`href="/@alice/${id}"`);
  expect(await own(alice)).not.toContain('It is spam');
  const context = { caller: operator, services: site.gateway.services };
  await resolveReport(context, { reportId: String(reports()[0]!.id) });
  await alice.act(`/web/statuses/${id}/delete`);
  const after = await bob.ask('/settings/reports');
  expect(textOf(after.html)).toContain('The staff closed it');
  expect(after.html).not.toContain(`href="/@alice/${id}"`);
  expect((await site.stranger.ask('/settings/reports')).location).toContain('/auth/sign_in');
});

test('of a remote account its server is told, and that of whom its post answers, where they are chosen', async () => {
  const { site, bob } = await withPeople();
  const people = new People(site.gateway.actors);
  const { actors } = site.gateway;
  const [rita, dave] = [
    await learnt(actors, 'rita', 'there.example'),
    await learnt(actors, 'dave', 'elsewhere.example'),
  ];
  const parent = await people.receive(dave, 'https://elsewhere.example/1');
  const { id } = await people.receive(rita, 'https://there.example/2', { replyTo: parent });
  const path = `/web/accounts/${rita.id}/report`;
  const page = await bob.ask(`${path}?status=${id}`);
  expectStrict(page);
  expect(textOf(page.html)).toMatch(/Tell there\.example as well .*Tell elsewhere\.example as well/);
  expect(textOf((await bob.ask(path)).html)).not.toContain('elsewhere.example');
  const delivered = (inbox: string) =>
    actors.read.partitions
      .flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value.single))
      .flat()
      .filter((one) => one.inbox === inbox).length;
  const inboxes = ['https://there.example/users/rita/inbox', 'https://elsewhere.example/users/dave/inbox'];
  const told = async (fields: Record<string, string>) => {
    const before = inboxes.map(delivered);
    const { status } = await bob.act(path, { status: String(id), category: 'spam', ...fields });
    expect(status).toBe(200);
    actors.settle();
    return inboxes.map((inbox, index) => delivered(inbox) - before[index]!);
  };
  expect(await told({})).toEqual([0, 0]);
  expect(await told({ forward: '1' })).toEqual([1, 0]);
  expect(await told({ forward_answered: '1' })).toEqual([0, 1]);
  expect(await told({ forward: '1', forward_answered: '1' })).toEqual([1, 1]);
});

test('the page of a collection leads to the form, and the collection goes with the report', async () => {
  const { alice, bob, reports, path } = await withPeople();
  const { location } = await alice.act('/web/collections', { name: 'Cats' });
  const collectionId = location!.split('/').at(-1)!;
  expect((await bob.ask(location!)).html).toContain(`href="${path}?collection=${collectionId}"`);
  expect((await alice.ask(location!)).html).not.toContain(path);
  expect((await bob.ask(`${path}?collection=${collectionId}`)).html).toContain(`href="${location}"`);
  await bob.act(path, { collection: collectionId, category: 'spam' });
  expect(reports()).toMatchObject([{ targetId: alice.id, statusIds: [], collectionIds: [BigInt(collectionId)] }]);
});

test('what is too long is shown again, with what is wrong', async () => {
  const { bob, reports, path } = await withPeople();
  const { status, html } = await bob.act(path, { category: 'spam', comment: `${'x'.repeat(1_000)}!` });
  expect([status, reports()]).toEqual([422, []]);
  expect(html).toContain('value="spam" checked');
  expect(html).toContain('This is too long: there can be 1,000 characters.');
});

test('strangers sign in first, and nobody reports whom there is not', async () => {
  const { site, bob, path } = await withPeople();
  expect((await site.stranger.ask(path)).location).toBe(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
  expect((await bob.ask('/web/accounts/1/report')).status).toBe(404);
  expect((await bob.act('/web/accounts/1/report')).status).toBe(404);
});
