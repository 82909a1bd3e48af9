/** The pages of staff: who may enter which, what needs attention, reports. */
import { describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { findLogin } from '../../../../src/actors/account/profile/logins.queries.ts';
import { findProfile } from '../../../../src/actors/account/remote/federation.queries.ts';
import { findReport } from '../../../../src/actors/account/reports/reports.queries.ts';
import { findStatus } from '../../../../src/actors/account/status-views.queries.ts';
import { findHostNumber } from '../../../../src/actors/partition/deliveries.queries.ts';
import { PartitionActor } from '../../../../src/actors/partition/partition.messages.ts';
import { heldRole } from '../../../../src/actors/roles.queries.ts';
import { diskLine } from '../../../../src/gateway/pages/admin/overview-page.ts';
import { reportsPath } from '../../../../src/gateway/pages/admin/reports/reports-page.ts';
import { sections } from '../../../../src/gateway/pages/admin/sections.ts';
import type { StaffVisit } from '../../../../src/gateway/pages/admin/visitor.ts';
import { roleHolds } from '../../../../src/operations/permissions.ts';
import { slotOfKey } from '../../../../src/runtime/ids.ts';
import { Languages } from '../../../../src/services/words/languages.ts';
import { learnt } from '../../../support/learnt.ts';
import { addAccount } from '../../../support/sign-up.ts';
import { type Person, type Site, textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { hiddenIn, report, textAt, withRole, withStaff } from './staff.ts';

/** Deliveries to a server fail, from which somebody follows an account. */
async function fail({ gateway: { actors } }: Site, { id }: Pick<Person, 'id'>, host: string): Promise<void> {
  const { id: accountId } = await learnt(actors, 'ron', host);
  const signed = { uri: `https://${host}/users/ron/follows/1`, signedAt: actors.clock.now() };
  await actors.call(Account.receiveFollow.to(accountId, { targetId: id, ...signed }));
  actors.settle();
  const partition = actors.read.placement.partitionOf(slotOfKey(host));
  const number = findHostNumber(actors.read.partitions[partition]!, host)!;
  const lanes = [{ host: number, cursor: 0, ahead: [], failures: 3, failingSince: 5_000 }];
  await actors.call(PartitionActor.progressed.to(BigInt(partition), { reader: 0, readers: 1, lanes, floor: 0 }));
}

describe('sections', () => {
  test('are for the roles that hold their permission, and named to nobody else', async () => {
    const { site, user, moderator, admin, owner } = await withStaff();
    const helper = await withRole(site, 'helper', 'manageReports');
    const honoured = await withRole(site, 'honoured');
    const { actors } = site.gateway;
    const roles = { user, moderator, admin, owner, helper, honoured } as const;
    for (const [role, person] of Object.entries(roles) as [keyof typeof roles, typeof user][]) {
      const held = heldRole(actors.read, findLogin(actors.read, BigInt(person.id))!);
      const isNobody = role === 'user' || role === 'honoured';
      const front = await person.ask('/');
      expect([role, front.html.includes('href="/admin"')]).toEqual([role, !isNobody]);
      const overview = await person.ask('/admin');
      expect([role, overview.status]).toEqual([role, isNobody ? 403 : 200]);
      for (const { address, permission } of Object.values(sections)) {
        const isTheirs = roleHolds(held, permission);
        const page = await person.ask(address);
        expect([role, address, page.status]).toEqual([role, address, isTheirs ? 200 : 403]);
        expect([role, address, overview.html.includes(`href="${address}"`)]).toEqual([role, address, isTheirs]);
        expectStrict(page);
      }
    }
    expect((await site.stranger.ask('/admin')).location).toBe('/auth/sign_in?return_to=%2Fadmin');
    expect((await user.act('/web/admin/domains', { domain: 'other.example' })).status).toBe(403);
    expect((await moderator.act('/web/admin/domains', { domain: 'other.example' })).status).toBe(403);
  });

  test('show what needs attention first', async () => {
    const { site, user, moderator, owner } = await withStaff();
    expect(await textAt(moderator, '/admin')).toContain('Nothing waits for you.');
    const id = await report(site, user, await site.person('bob'));
    const { html } = await owner.ask('/admin');
    expect(textOf(html)).toContain('1 open report');
    expect(html).toContain(`href="/admin/reports/${id}"`);
  });

  test('say in this order what waits: reports, appeals, approvals, servers that fail', async () => {
    const { site, user, moderator, admin, owner } = await withStaff();
    const { actors } = site.gateway;
    const bob = await site.person('bob');
    const strikeId = await report(site, user, bob);
    await moderator.act(`/web/admin/reports/${strikeId}/act`, { action: 'silence', text: 'Too loud' });
    const [strike] = warningsOf(actors.read, bob.id, { limit: 1 }).items;
    await bob.act(`/web/strikes/${strike!.id}/appeal`, { text: 'I whisper' });
    await report(site, user, await site.person('carol'));
    await addAccount(actors, 'dora', { approved: false });
    await fail(site, admin, 'slow.example');
    const lane = { host: 'slow.example', failures: 3, pending: 3, failingSince: 5_000, state: 'backing off' };
    Object.assign(site.gateway.services, {
      deliveryLanes: {
        ...site.gateway.services.deliveryLanes,
        reports: async () => [lane],
        ofHosts: async () => [lane],
      },
    });
    const order = /1 open report.*1 appeal.*1 sign-up waits.*1 server does not answer slow\.example 3 deliveries wait/s;
    for (const person of [admin, owner]) {
      const page = await person.ask('/admin');
      expectStrict(page);
      expect(textOf(page.html)).toMatch(order);
      expect(page.html).toContain('href="/admin/servers/slow.example"');
    }
    // Whoever operates the machine need not decide about servers.
    const operator = await withRole(site, 'operator', 'operateMachine');
    const { html } = await operator.ask('/admin');
    expect([textOf(html).includes('slow.example'), html.includes('/admin/servers')]).toEqual([true, false]);
    expect(await textAt(moderator, '/admin')).not.toContain('slow.example');
  });
});

test('a disk that is nearly full needs attention; whoever operates the machine is led to what takes the space', async () => {
  const { site, admin, owner } = await withStaff();
  const lineFor = (person: typeof admin, freeBytes: number) => {
    const { services } = site.gateway;
    const account = { id: person.id, login: findLogin(site.gateway.actors.read, person.id)! };
    const visit = { words: new Languages().source, services, account } as unknown as StaffVisit;
    const { isLow, line } = diskLine(visit, { freeBytes, totalBytes: 10_737_418_240 });
    return [isLow, line.markup.includes('href="/admin/storage"'), textOf(line.markup)];
  };
  expect(lineFor(owner, 2_147_483_648)).toEqual([false, false, '2 GB of 10 GB free on the disk']);
  expect(lineFor(owner, 536_870_912)).toEqual([true, true, 'The disk is nearly full: 512 MB of 10 GB free']);
  expect(lineFor(admin, 536_870_912)).toEqual([true, false, 'The disk is nearly full: 512 MB of 10 GB free']);
});

describe('a report', () => {
  const withReport = async () => {
    const staff = await withStaff();
    const bob = await staff.site.person('bob');
    await staff.site.settings({ rules: [{ id: '7', text: 'No advertising', hint: '' }] });
    const post = await bob.write('Buy <b>this</b>!', { spoiler_text: 'An offer' });
    const id = await report(staff.site, staff.user, bob, { category: 'violation', rule: '7', status: post });
    const stored = () => findReport(staff.site.gateway.actors.read, BigInt(id))!;
    return { ...staff, bob, post, id, path: `${reportsPath}/${id}`, forms: `/web/admin/reports/${id}`, stored };
  };

  test('is shown with everything that is needed to decide', async () => {
    const { moderator, path, user, bob } = await withReport();
    const page = await moderator.ask(path);
    expectStrict(page);
    const text = textOf(page.html);
    for (const said of [
      '@bob',
      '@una',
      'Look at this',
      'No advertising',
      'An offer',
      'no restrictions',
      'was not informed',
    ])
      expect(text).toContain(said);
    expect(page.html).toContain('Buy &lt;b&gt;this&lt;/b&gt;!');
    expect((await user.ask(path)).status).toBe(403);
    expect((await bob.ask(path)).status).toBe(403);
    expect((await moderator.ask('/admin/reports/1')).status).toBe(404);
  });

  test('is looked after, sorted, closed and opened again', async () => {
    const { moderator, path, forms, stored } = await withReport();
    expect((await moderator.act(`${forms}/assign`)).location).toBe(`${path}?done=assigned`);
    expect(stored().assignedToId).toBe(moderator.id);
    expect(await textAt(moderator, `${path}?done=assigned`)).toContain('You look after this report.');
    await moderator.act(`${forms}/unassign`);
    expect(stored().assignedToId).toBeUndefined();
    await moderator.act(`${forms}/sort`, { category: 'spam' });
    expect(stored()).toMatchObject({ category: 'spam', ruleIds: [] });
    await moderator.act(`${forms}/resolve`);
    expect(stored().resolvedById).toBe(moderator.id);
    expect(await textAt(moderator, '/admin/reports')).toContain('There are no open reports.');
    expect((await moderator.ask('/admin/reports?closed=1')).html).toContain(`href="${path}"`);
    expect(await textAt(moderator, path)).toContain('Closed by @mona');
    await moderator.act(`${forms}/reopen`);
    expect(stored().resolvedAt).toBeUndefined();
  });

  test('of two moderators the second is told what the first one decided', async () => {
    const { moderator, admin, path, forms, stored } = await withReport();
    const { html } = await moderator.ask(path);
    const seen = hiddenIn(html, `${forms}/assign`, 'seen');
    await admin.act(`${forms}/assign`, { seen });
    const taken = await moderator.act(`${forms}/assign`, { seen });
    expect([taken.status, textOf(taken.html).includes('@ada looks after this report by now.')]).toEqual([422, true]);
    expect(stored().assignedToId).toBe(admin.id);
    await admin.act(`${forms}/act`, { action: 'suspend', text: 'Enough' });
    const closed = await moderator.act(`${forms}/resolve`, { seen });
    expect(textOf(closed.html)).toContain('@ada closed this report in the meantime.');
    const late = await moderator.act(`${forms}/act`, { action: 'none', text: 'Please stop' });
    expect([late.status, textOf(late.html).includes('@ada closed this report in the meantime.')]).toEqual([422, true]);
    expect(textOf(late.html)).toContain('Enough');
  });

  test('ends with a decision, whose text is kept while something is missing', async () => {
    const { site, moderator, forms, stored, bob, post } = await withReport();
    const { read } = site.gateway.actors;
    const none = await moderator.act(`${forms}/act`, { text: 'Please stop' });
    expect([none.status, textOf(none.html).includes('Choose what to do.')]).toEqual([422, true]);
    expect(none.html).toContain('>Please stop</textarea>');
    const blank = await moderator.act(`${forms}/act`, { action: 'none' });
    expect([blank.status, textOf(blank.html).includes('Please fill this in.')]).toEqual([422, true]);
    const long = await moderator.act(`${forms}/act`, { action: 'silence', text: 'x'.repeat(20_000) });
    expect([long.status, stored().resolvedAt]).toEqual([422, undefined]);
    expect(
      (await moderator.act(`${forms}/act`, { action: 'delete_statuses', text: 'Adverts', tells: '1' })).status,
    ).toBe(303);
    expect(findStatus(read, BigInt(post))).toBeUndefined();
    expect(warningsOf(read, bob.id, { limit: 5 }).items).toMatchObject([
      { action: 'delete_statuses', text: 'Adverts' },
    ]);
    expect(stored().resolvedById).toBe(moderator.id);
  });

  test('about an equal or better cannot be decided', async () => {
    const { site, user, moderator, admin } = await withReport();
    const id = await report(site, user, admin);
    const refused = await moderator.act(`/web/admin/reports/${id}/act`, { action: 'suspend' });
    expect([refused.status, findProfile(site.gateway.actors.read, admin.id)?.suspendedAt]).toEqual([403, undefined]);
  });

  test('has notes, which return to it, and which others among the staff read', async () => {
    const { moderator, admin, user, path, id, bob } = await withReport();
    const fields = { return_to: path, text: 'Seen before' };
    expect((await moderator.act(`/web/admin/notes/reports/${id}`, fields)).location).toBe(`${path}?done=noteAdded`);
    await moderator.act(`/web/admin/notes/accounts/${bob.id}`, { ...fields, text: 'An old acquaintance' });
    const { html } = await admin.ask(path);
    for (const said of ['Seen before', 'An old acquaintance', 'by @mona', 'Other reports by @una'])
      expect(textOf(html)).toContain(said);
    const [, remove] = /formaction="(\/web\/admin\/notes\/reports\/[^"]*)"/.exec(html)!;
    expect((await admin.act(remove!, { return_to: path })).location).toBe(`${path}?done=noteRemoved`);
    expect(await textAt(admin, path)).not.toContain('Seen before');
    expect((await user.act(`/web/admin/notes/accounts/${bob.id}`, fields)).status).toBe(403);
    expect((await moderator.act('/web/admin/notes/servers/bad.example', fields)).status).toBe(403);
    expect((await moderator.act(`/web/admin/notes/reports/${id}`, { text: ' ' })).status).toBe(422);
  });

  test('is found among those about the same account', async () => {
    const { site, user, moderator, bob, id, path } = await withReport();
    site.gateway.actors.clock.advance(1_000);
    const second = await report(site, user, bob);
    expect(second).not.toBe(id);
    const { html } = await moderator.ask(`/admin/reports/${second}`);
    expect(html).toContain(`href="${path}"`);
    expect(textOf((await moderator.ask(`/admin/reports?about=${bob.id}`)).html)).toContain('Only reports about @bob');
    expect(await textAt(moderator, `/admin/reports?about=${user.id}`)).toContain('There are no open reports.');
  });
});

test('figures of a period stand beside those before, and those of a month on the overview', async () => {
  const { moderator, user } = await withStaff();
  for (const path of ['/admin/measures', '/admin/measures?days=7', '/admin/measures?days=all']) {
    const page = await moderator.ask(path);
    expectStrict(page);
    for (const said of ['New people', 'Who stays', 'Servers with most posts', 'Space on the disk'])
      expect(textOf(page.html)).toContain(said);
  }
  expect(await textAt(moderator, '/admin')).toContain('The last 30 days');
  expect((await user.ask('/admin/measures')).status).toBe(403);
});
