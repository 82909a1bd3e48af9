/** The pages of staff about accounts: found, admitted, decided about, taken back; and texts for warnings. */
import { describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { findLogin } from '../../../../src/actors/account/profile/logins.queries.ts';
import { findProfile } from '../../../../src/actors/account/remote/federation.queries.ts';
import { accountsPath as listPath } from '../../../../src/gateway/pages/admin/accounts/accounts-page.ts';
import { suspendAccount } from '../../../../src/operations/administration/suspend-account.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { hiddenIn, textAt, withStaff } from './staff.ts';

async function withAccount() {
  const staff = await withStaff();
  const { read } = staff.site.gateway.actors;
  const { id } = staff.user;
  const [path, forms] = [`${listPath}/${id}`, `/web${listPath}/${id}`];
  return {
    ...{ ...staff, path, forms, id: BigInt(id) },
    profile: () => findProfile(read, BigInt(id))!,
    login: () => findLogin(read, BigInt(id))!,
    strikes: () => warningsOf(read, BigInt(id), { limit: 9 }).items,
    /** What the page sends with this form. */
    seen: async (verb: string) => hiddenIn((await staff.admin.ask(path)).html, `${forms}/${verb}`, 'seen'),
  };
}

describe('accounts', () => {
  test('are found by what is known of them', async () => {
    const { admin, moderator, user } = await withAccount();
    const page = await moderator.ask(`${listPath}?origin=local&username=un`);
    expectStrict(page);
    expect(textOf(page.html)).toContain('@una');
    expect(textOf(page.html)).not.toContain('@olga');
    expect(await textAt(admin, `${listPath}?role=2`)).toContain('@ada');
    expect(await textAt(admin, `${listPath}?ip=nonsense`)).toContain('There are no such accounts.');
    expect((await user.ask(listPath)).status).toBe(403);
  });

  test('that wait are approved or rejected, once', async () => {
    const { site, admin, moderator, id, forms, login } = await withAccount();
    const { actors } = site.gateway;
    await actors.call(Account.changeLogin.to(id, { approved: false }));
    expect(await textAt(moderator, '/admin')).toContain('1 sign-up waits');
    const waiting = await moderator.ask(`${listPath}?standing=pending`);
    expectStrict(waiting);
    const seen = hiddenIn(waiting.html, `${forms}/approve`, 'seen');
    expect((await admin.act(`${forms}/approve`, { seen })).location).toBe(
      `${listPath}?standing=pending&done=accountApproved`,
    );
    const second = await moderator.act(`${forms}/reject`, { seen });
    expect(second.status).toBe(422);
    expect(textOf(second.html)).toContain('@ada was faster: “Approved an account”. You did nothing.');
    expect(login().approved).toBe(true);
    await actors.call(Account.changeLogin.to(id, { approved: false }));
    const again = hiddenIn((await moderator.ask(`${listPath}?standing=pending`)).html, `${forms}/reject`, 'seen');
    await moderator.act(`${forms}/reject`, { seen: again });
    expect(findLogin(actors.read, id)).toBeUndefined();
  });
});

describe('an account', () => {
  test('is shown with everything, decided about once, and that is taken back', async () => {
    const { admin, moderator, path, forms, seen, profile, strikes } = await withAccount();
    const page = await moderator.ask(path);
    expectStrict(page);
    expect(textOf(page.html)).toMatch(/una@.*Decisions so far/s);
    await admin.act('/web/admin/presets', { title: 'Spam', text: 'Please do not advertise.' });
    const preset = /<option value="(\d+)">Spam/.exec((await moderator.ask(path)).html)![1]!;
    const before = await seen('act');
    const told = { action: 'silence', text: 'Thank you.', preset, tells: '1', seen: before };
    expect((await moderator.act(`${forms}/act`, told)).location).toBe(`${path}?done=accountDecided`);
    expect(strikes()).toMatchObject([{ action: 'silence', text: 'Please do not advertise.\n\nThank you.' }]);
    const late = await admin.act(`${forms}/act`, { action: 'suspend', text: 'Out', seen: before });
    expect([late.status, late.html.includes('>Out</textarea>')]).toEqual([422, true]);
    expect(textOf(late.html)).toContain('@mona was faster: “Limited an account”. You did nothing.');
    expect(profile().suspendedAt).toBeUndefined();
    await admin.act(`${forms}/unlimit`, { seen: await seen('unlimit') });
    expect(profile().limited).toBe(false);
    const empty = await moderator.act(`${forms}/act`, { action: 'none', seen: await seen('act') });
    expect([
      empty.status,
      textOf(empty.html).includes("can't be blank") || empty.html.includes('class="wrong"'),
    ]).toEqual([422, true]);
    expect(strikes()).toHaveLength(1);
  });

  test('is suspended, removed, and shown as it is', async () => {
    const { admin, path, forms, seen, profile } = await withAccount();
    await admin.act(`${forms}/act`, { action: 'suspend', text: '', seen: await seen('act') });
    expect(await textAt(admin, path)).toContain('Its data are kept until');
    await admin.act(`${forms}/unsuspend`, { seen: await seen('unsuspend') });
    expect(profile().suspendedAt).toBeUndefined();
    await admin.act(`${forms}/act`, { action: 'suspend', text: '', seen: await seen('act') });
    expect((await admin.act(`${forms}/remove`, { seen: await seen('remove') })).location).toBe(
      `${path}?done=dataRemoved`,
    );
    expectStrict(await admin.ask(path));
  });

  test('gets another role or password from those who may, and nobody acts on an equal', async () => {
    const { site, admin, moderator, path, forms, seen, login } = await withAccount();
    const { passwordHash } = login();
    await admin.act(`${forms}/role`, { role: '1', seen: await seen('role') });
    expect(login().role).toBe('moderator');
    await admin.act(`${forms}/password`, { seen: await seen('password') });
    expect(login().passwordHash).not.toBe(passwordHash);
    const email = await admin.act(`${forms}/email`, { email: 'una@other.example', seen: await seen('email') });
    expect([email.location, login().email]).toEqual([
      `${path}?done=addressAsked`,
      expect.not.stringContaining('other'),
    ]);
    expect((await admin.act(`${forms}/email`, { email: 'nobody', seen: await seen('email') })).status).toBe(422);
    expect((await admin.ask(path)).html).not.toContain('/unblock-email');
    await suspendAccount({ caller: operator, services: site.gateway.services }, { account: 'una' });
    const suspended = await admin.ask(path);
    expectStrict(suspended);
    expect(suspended.html).toContain(`action="${forms}/unblock-email"`);
    await admin.act(`${forms}/unblock-email`, { seen: await seen('unblock-email') });
    expect((await admin.ask(path)).html).not.toContain('/unblock-email');
    await admin.act(`${forms}/unsuspend`, { seen: await seen('unsuspend') });
    await admin.act(`${forms}/memorialize`, { seen: await seen('memorialize') });
    expect(await textAt(site.stranger, '/@una')).toContain('In memory of una');
    expect(await textAt(admin, path)).toMatch(/kept in memory.*disabled/);
    await admin.act(`${forms}/enable`, { seen: await seen('enable') });
    expect(await textAt(site.stranger, '/@una')).not.toContain('In memory of');
    expect((await moderator.ask(path)).html).not.toContain(`action="${forms}/`);
    expect((await moderator.act(`${forms}/sign-out`, {})).status).toBe(403);
    const own = `${listPath}/${(await site.person('otto', { role: 'owner' })).id}`;
    expect((await admin.ask(own)).html).not.toContain(`action="/web${own}/`);
  });

  test('that nobody knows is not found', async () => {
    const { admin } = await withAccount();
    expect((await admin.ask(`${listPath}/1`)).status).toBe(404);
    expect((await admin.ask(`${listPath}/x`)).status).toBe(404);
  });
});

test('texts for warnings are kept, changed and removed', async () => {
  const { admin, moderator } = await withStaff();
  const address = '/admin/presets';
  expect((await admin.act(`/web${address}`, { title: 'Spam', text: 'No adverts.' })).location).toBe(
    `${address}?done=presetAdded`,
  );
  const page = await admin.ask(address);
  expectStrict(page);
  const one = /href="(\/admin\/presets\/\d+)"/.exec(page.html)![1]!;
  await admin.act(`/web${one}`, { title: 'Spam', text: 'No adverts, please.' });
  expect(await textAt(admin, address)).toContain('No adverts, please.');
  expect((await admin.act(`/web${address}`, { title: '', text: ' ' })).status).toBe(422);
  await admin.act(`/web${one}/remove`);
  expect(await textAt(admin, address)).toContain('There are none.');
  expect((await moderator.act(`/web${address}`, { title: '', text: 'x' })).status).toBe(403);
});

describe('posts of an account', () => {
  test('are deleted or marked without a report, with a strike', async () => {
    const { site, user, moderator, path, forms, strikes } = await withAccount();
    const [first, second] = [await user.write('Buy this'), await user.write('A nice day')];
    const hidden = await user.write('Between us', { visibility: 'private' });
    expect((await moderator.ask(path)).html).toContain(`href="${path}/posts"`);
    const page = await moderator.ask(`${path}/posts`);
    expectStrict(page);
    expect(textOf(page.html)).toMatch(/Posts of @una .*A nice day .*Buy this/);
    expect([page.html.includes(`value="${first}"`), page.html.includes(hidden)]).toEqual([true, false]);
    expect((await user.ask(`${path}/posts`)).status).toBe(403);

    const act = (fields: Record<string, string>) => moderator.act(`${forms}/posts`, fields);
    for (const fields of [{}, { action: 'delete_statuses' }, { post: first }, { action: 'suspend', post: first }])
      expect([fields, (await act(fields)).status]).toEqual([fields, 422]);
    const long = await act({ action: 'delete_statuses', post: second, text: 'x'.repeat(3_000) });
    expect([long.status, long.html.includes(`value="${second}" checked`)]).toEqual([422, true]);
    const others = await act({ action: 'delete_statuses', post: hidden });
    expect([others.status, strikes()]).toEqual([422, []]);

    const done = await act({ action: 'delete_statuses', post: first, text: 'No adverts', tells: '1' });
    expect(done.location).toBe(`${path}/posts?done=postsDecided`);
    expect(strikes()).toMatchObject([{ action: 'delete_statuses', text: 'No adverts', statusIds: [BigInt(first)] }]);
    const left = textOf((await moderator.ask(`${path}/posts`)).html);
    expect([left.includes('Buy this'), left.includes('A nice day')]).toEqual([false, true]);
    const again = await act({ action: 'delete_statuses', post: first });
    expect([again.status, textOf(again.html).includes('Nothing was done')]).toEqual([422, true]);
    await act({ action: 'delete_statuses', post: second });
    expect(await textAt(moderator, `${path}/posts`)).toContain('There are none that everybody may read.');
    expect(site.gateway.log).toEqual([]);
  });

  test('of an equal are only shown', async () => {
    const { site, moderator } = await withAccount();
    const dora = await site.person('dora', { role: 'moderator' });
    const post = await dora.write('Hello');
    const path = `${listPath}/${dora.id}`;
    expect((await moderator.ask(`${path}/posts`)).html).not.toContain('name="post"');
    expect((await moderator.act(`/web${path}/posts`, { action: 'delete_statuses', post })).status).toBe(403);
  });
});
