/** The pages of invites: of people, of whoever is invited, and of staff. */
import { expect, test } from 'vitest';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { invitesOf } from '../../../src/actors/instance/invites/invites.queries.ts';
import { inviteRoutes } from '../../../src/gateway/pages/invites/invites-page.ts';
import { Browser } from '../oauth/people.ts';
import { textAt, withStaff } from './admin/staff.ts';
import { type Person, type Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const latest = (site: Site, { id }: Person) => invitesOf(site.gateway.actors.read, id, { limit: 1 }).items[0]!;
const fields = { email: 'bob@example.org', password: 'a good password', agreement: 'true' };

test('somebody makes an invite, whose page lets one more in where registrations are closed', async () => {
  const { site, user } = await withStaff();
  await site.settings({ registrations: 'closed', invitations: 'free' });
  expect(inviteRoutes.map(({ path }) => path)).toContain('/invites');
  expect(await textAt(user, '/settings')).toContain('Invites');
  const made = await user.act('/web/invites', { uses: '1', seconds: '1800', comment: 'For <birds>' });
  expect(made.location).toBe('/invites?done=made');
  const { id, invite } = latest(site, user);
  const page = await user.ask('/invites');
  expectStrict(page);
  expect(page.html).toContain(`value="https://social.example/invite/${invite.code}"`);
  expect(textOf(page.html)).toContain('For &lt;birds&gt;');

  const browser = new Browser(site.gateway);
  await browser.open(`/invite/${invite.code}`);
  expect(textOf(browser.text)).toContain('@una invites you to social.example.');
  expect(browser.text).not.toContain('name="reason"');
  const wrong = await browser.submit({ ...fields, username: '!' });
  expect([wrong.status, textOf(browser.text).includes('@una invites you')]).toEqual([422, true]);
  expect((await browser.submit({ ...fields, username: 'bob' })).status).toBe(303);
  const bob = accountIdOfName(site.gateway.actors.read, 'acct:bob')!;
  expect(findLogin(site.gateway.actors.read, bob)?.invitation).toMatchObject({ inviteId: id, creatorId: user.id });
  expect(await textAt(user, '/invites')).toContain('used up used by 1 person of 1');
});

test('the page says plainly why an invite lets nobody in, and asks for a reason where somebody has to approve', async () => {
  const { site, user, admin } = await withStaff();
  await site.settings({ registrations: 'closed' });
  const made = async (given: Record<string, string> = {}) => {
    await user.act('/web/invites', given);
    return latest(site, user);
  };
  const shown = async (code: string) => {
    const answer = await site.stranger.ask(`/invite/${code}`);
    return `${answer.status} ${textOf(answer.html)}`;
  };
  const waiting = new Browser(site.gateway);
  const { id, invite } = await made();
  await waiting.open(`/invite/${invite.code}`);
  await waiting.submit({ ...fields, username: 'bob' });
  expect(await textAt(admin, '/admin/accounts?standing=pending')).toContain('Invited by @una');
  const form = await site.stranger.ask(`/invite/${invite.code}`);
  expect(form.html).toContain('name="reason"');
  const json = await site.gateway.fetch(`/invite/${invite.code}`, { headers: { accept: 'application/json' } });
  expect(await json.json()).toEqual({
    invite_code: invite.code,
    instance_api_url: 'https://social.example/api/v2/instance',
  });
  expect((await user.act(`/web/invites/${id}/end`)).location).toBe('/invites?done=ended');
  expect(await shown(invite.code)).toMatch(/^422 .*This invite does not hold any more/);
  expect(await shown('nonsense')).toMatch(/^404 .*There is no such invite/);
  const brief = await made({ seconds: '1800' });
  site.gateway.actors.clock.advance(1_800_000);
  expect(await shown(brief.invite.code)).toMatch(/^422 .*This invite has expired/);
  const unknown = await site.gateway.fetch('/invite/nonsense', { headers: { accept: 'application/json' } });
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'Record not found' }]);
});

test('a form that is not right is shown again, and nobody invites who may not', async () => {
  const { site, user, moderator } = await withStaff();
  const refused = await user.act('/web/invites', { uses: '1 or 2', seconds: '5', comment: 'Birds' });
  expect(refused.status).toBe(422);
  expect(refused.html.match(/class="wrong"/g)).toHaveLength(2);
  expect(refused.html).toContain('value="Birds"');
  await site.settings({ invitations: 'staff' });
  expect((await user.ask('/invites')).status).toBe(403);
  expect((await user.act('/web/invites', {})).status).toBe(403);
  expect(await textAt(user, '/settings')).not.toContain('Invites');
  expect((await moderator.act('/web/invites', {})).status).toBe(303);
  expect((await site.stranger.ask('/invites')).location).toContain('/auth/sign_in');
});

test('staff see and end the invites of everybody, and decide who may invite', async () => {
  const { site, user, moderator, admin } = await withStaff();
  await user.act('/web/invites', { comment: 'For birds' });
  await user.act('/web/invites', {});
  const { id, invite } = latest(site, user);
  const page = await admin.ask('/admin/invites');
  expectStrict(page);
  expect(textOf(page.html)).toContain('For birds');
  expect(page.html).toContain('<p class="list"><a href="/invites">Invite people</a></p>');
  expect((await moderator.ask('/admin/invites')).status).toBe(403);
  expect((await admin.act(`/web/admin/invites/${id}/end`)).location).toBe('/admin/invites?done=inviteEnded');
  expect((await site.stranger.ask(`/invite/${invite.code}`)).status).toBe(422);
  expect((await admin.act('/web/admin/invites/end')).location).toBe('/admin/invites?done=invitesEnded');
  expect(await textAt(admin, `/admin/invites?by=${user.id}`)).not.toContain('holds');
  expect((await admin.ask('/admin/invites?by=nobody')).status).toBe(404);
  const settings = { title: 'Birds', registrations: 'closed', invitations: 'staff' };
  expect((await admin.act('/web/admin/settings', settings)).status).toBe(303);
  expect((await user.ask('/invites')).status).toBe(403);
  expect(await textAt(admin, '/admin/accounts?invitedBy=una')).toContain('There are no such accounts.');
});
