/** The pages of staff about subscribed blocklists. */
import { expect, test } from 'vitest';
import { allDomainLists } from '../../../../src/actors/instance/domain-lists/domain-lists.queries.ts';
import type { ListProblem, ReadRow } from '../../../../src/actors/instance/domain-lists/domain-lists.records.ts';
import { domainLists } from '../../../../src/actors/instance/domain-lists/domain-lists.state.ts';
import { findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { domainsPath } from '../../../../src/gateway/pages/admin/domains/domains-page.ts';
import type { DomainListNetwork, TriedList } from '../../../../src/services/domain-lists.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { textAt, withStaff } from './staff.ts';

const path = `${domainsPath}/subscriptions`;
const url = 'https://lists.example/list.csv';
const fields = {
  ...{ url, title: 'Tier 1', form: 'csv', mode: 'suggest', severity_max: 'silence', follows_max: '0', hours: '24' },
  ...{ follows_retractions: '1', takes_comments: '1' },
};
const tried: TriedList = {
  ...{ detail: '', domains: 1, unreadable: 0, counts: { begins: 0, changes: 0, ends: 0, suggested: 1, nothing: 0 } },
  rows: [
    {
      ...{ domain: 'rude.example', outcome: 'suggested', state: 'suggested', follows: 3 },
      listed: { severity: 'suspend', rejectMedia: true, rejectReports: false, obfuscate: false, publicComment: 'Rude' },
    },
  ],
};

async function withList() {
  const staff = await withStaff();
  const { actors, services } = staff.site.gateway;
  const domainLists: DomainListNetwork = { try: async () => tried };
  Object.assign(services, { domainLists });
  const list = () => allDomainLists(actors.read)[0]!;
  const found = (...domains: readonly string[]) => {
    const listed = { severity: 'suspend' as const, rejectMedia: false, rejectReports: false, obfuscate: true };
    const rows: ReadRow[] = domains.map((domain) => ({ domain, listed, follows: 2 }));
    return actors.call(
      Instance.takeListedDomains.to(instanceKey, { listId: list().id, reading: list().readings, rows }),
    );
  };
  const read = (problem?: ListProblem) => {
    const rest = problem === undefined ? { rows: 2, unreadable: 1 } : { problem };
    actors.send(Instance.domainListRead.to(instanceKey, { listId: list().id, reading: list().readings, ...rest }));
    actors.settle();
  };
  return { ...staff, list, found, read };
}

test('a subscription is tried, made, changed and ended', async () => {
  const { site, admin, moderator, list } = await withList();
  expect(await textAt(admin, path)).toContain('There are no subscriptions to blocklists.');
  const first = await admin.act(`/web${path}`, { ...fields, how: 'try' });
  expectStrict(first);
  expect(textOf(first.html)).toContain('0 rules begin, 0 change, 0 end. 1 are suggested.');
  expect(textOf(first.html)).toContain('rude.example suggested Suspend · no media · Rude 3');
  expect(first.html).toContain('value="Tier 1"');
  expect(allDomainLists(site.gateway.actors.read)).toEqual([]);
  const made = await admin.act(`/web${path}`, { ...fields, how: 'subscribe' });
  const own = `${path}/${list().id}`;
  expect(made.location).toBe(`${own}?done=listSubscribed`);
  expect(list()).toMatchObject({
    title: 'Tier 1',
    severityMax: 'silence',
    followsRetractions: true,
    obfuscates: false,
  });
  expectStrict(await admin.ask(path));
  const page = await admin.ask(`${own}?done=listSubscribed`);
  expectStrict(page);
  expect(textOf(page.html)).toContain('not read yet · being read now');
  expect((await moderator.ask(own)).status).toBe(403);
  expect((await moderator.act(`/web${own}/read`)).status).toBe(403);
  await admin.act(`/web${own}`, { ...fields, mode: 'apply', hours: '12', how: 'save' });
  expect(list()).toMatchObject({ mode: 'apply', hours: 12 });
  expect((await admin.act(`/web${own}/end/remove`)).location).toBe(`${path}?done=listEnded`);
  expect((await admin.ask(own)).status).toBe(404);
});

test('what it suggests is accepted and refused, chosen or all; a rule says where it comes from', async () => {
  const { site, admin, list, found, read } = await withList();
  const { actors } = site.gateway;
  const ruleFor = (domain: string) => findDomainBlock(actors.read, domain);
  await admin.act(`/web${path}`, { ...fields, how: 'subscribe' });
  const own = `${path}/${list().id}`;
  await found('a.example', 'b.example', 'c.example', 'd.example');
  read();
  expect(await textAt(admin, '/admin')).toContain('4 suggestions of blocklists wait');
  const page = await admin.ask(own);
  expectStrict(page);
  expect(textOf(page.html)).toContain('a.example Suspend · name hidden in part 2');
  expect(textOf(page.html)).toContain('1 row could not be read · 4 suggestions');
  await admin.act(`/web${own}/decide`, { domain: 'a.example', how: 'accept' });
  await admin.act(`/web${own}/decide`, { domain: 'b.example', how: 'refuse' });
  expect([ruleFor('a.example')?.severity, ruleFor('b.example'), list().suggested]).toEqual(['silence', undefined, 2]);
  const block = await admin.ask(`${domainsPath}/${ruleFor('a.example')!.id}`);
  expectStrict(block);
  expect(textOf(block.html)).toContain('Blocklists have made it.');
  expect(textOf(block.html)).toMatch(/Tier 1 ?, since .*: ?Suspend · name hidden in part in force/);
  expect(await textAt(admin, domainsPath)).toContain('from blocklists');
  await admin.act(`/web${own}/decide`, { how: 'refuse-all', seen_at: String(actors.clock.now()) });
  expect(list().suggested).toBe(0);
  expect(await textAt(admin, own)).toContain('The list suggests nothing.');
});

test('all of many suggestions are decided one after the other, without those that came since', async () => {
  const { site, admin, list, found } = await withList();
  const { actors } = site.gateway;
  await admin.act(`/web${path}`, { ...fields, how: 'subscribe' });
  const own = `${path}/${list().id}`;
  const names = Array.from({ length: 25 }, (_, index) => `rude${index}.example`);
  await found(...names.slice(0, 20));
  await found(...names.slice(20));
  const shown = await admin.ask(own);
  const [, seenAt = ''] = /name="seen_at" value="(\d+)"/.exec(shown.html)!;
  actors.clock.advance(1);
  await found('late.example');
  for (const [seen, status, counts] of [
    [{ seen_at: seenAt }, 303, [25, 1]],
    [{}, 400, [25, 1]],
    [{ seen_at: 'later' }, 400, [25, 1]],
    [{ seen_at: String(actors.clock.now()) }, 303, [26, 0]],
  ] as const) {
    expect((await admin.act(`/web${own}/decide`, { how: 'accept-all', ...seen })).status).toBe(status);
    expect([list().inForce, list().suggested]).toEqual(counts);
  }
  const after = list();
  const store = (change: object) =>
    actors.turn(Instance.actor, instanceKey, (turn) => {
      turn.put(domainLists, [instanceKey, after.id], { ...after, ...change });
    });
  store({ suggested: 6, deciding: { isAccepted: true, suggestedUntil: Number(seenAt), decided: 20 } });
  const page = await admin.ask(own);
  expectStrict(page);
  expect(textOf(page.html)).toContain('They are being accepted one after the other: 20 are done, 6 are left.');
  store({});
});

test('says why a list is not followed, and follows one that has shrunk where staff say so', async () => {
  const { admin, list, found, read } = await withList();
  await admin.act(`/web${path}`, { ...fields, mode: 'apply', how: 'subscribe' });
  const own = `${path}/${list().id}`;
  await found('a.example');
  read();
  await admin.act(`/web${own}/read`);
  read('shrunk');
  const page = await admin.ask(own);
  expectStrict(page);
  expect(textOf(page.html)).toMatch(
    /Not followed since .*; everything is as it was\. It has lost most of its servers\./,
  );
  await admin.act(`/web${own}/read-shrunk`);
  expect(list().reading).toMatchObject({ mayShrink: true });
});

test('what was typed stays where it is refused', async () => {
  const { admin } = await withList();
  for (const wrong of [{ url: 'https://social.example/list' }, { hours: 'often' }, { title: 'x'.repeat(300) }]) {
    const refused = await admin.act(`/web${path}`, { ...fields, ...wrong, how: 'subscribe' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(`value="${Object.values(wrong)[0]}"`);
  }
});
