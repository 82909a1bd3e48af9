/** Appeals on the pages of staff. */
import { expect, test } from 'vitest';
import { warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { findProfile } from '../../../../src/actors/account/remote/federation.queries.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { report, textAt, withStaff } from './staff.ts';

/** Bob was limited for a report, and has appealed. */
async function withAppeal() {
  const staff = await withStaff();
  const { site, user, moderator } = staff;
  const bob = await site.person('bob');
  const id = await report(site, user, bob);
  await moderator.act(`/web/admin/reports/${id}/act`, { action: 'silence', text: 'Too loud' });
  const [strike] = warningsOf(site.gateway.actors.read, bob.id, { limit: 1 }).items;
  await bob.act(`/web/strikes/${strike!.id}/appeal`, { text: 'I <b>whisper</b>' });
  const { html } = await staff.owner.ask('/admin/appeals');
  const path = /formaction="(\/web\/admin\/appeals\/\d+)\/approve"/.exec(html)?.[1] ?? 'no appeal';
  const isLimited = () => findProfile(site.gateway.actors.read, bob.id)?.limited;
  return { ...staff, bob, html, path, isLimited };
}

test('are shown with what they are against, and approved by who may', async () => {
  const { owner, moderator, path, html, isLimited } = await withAppeal();
  expectStrict(await owner.ask('/admin/appeals'));
  const text = textOf(html);
  for (const said of ['@bob', 'Limit', 'decided by @mona', 'Too loud']) expect(text).toContain(said);
  expect(html).toContain('I &lt;b&gt;whisper&lt;/b&gt;');
  expect(await textAt(owner, '/admin')).toContain('1 appeal');
  expect((await moderator.act(`${path}/approve`)).status).toBe(403);
  expect(isLimited()).toBe(true);
  expect((await owner.act(`${path}/approve`)).location).toBe('/admin/appeals?done=appealApproved');
  expect(isLimited()).toBe(false);
  expect(await textAt(owner, '/admin/appeals?state=approved')).toContain('Decided by @olga');
  expect((await owner.act('/web/admin/appeals/1/approve')).status).toBe(404);
});

test('are decided once: the second is told what the first one decided', async () => {
  const { owner, admin, path, isLimited } = await withAppeal();
  expect((await admin.act(`${path}/reject`)).location).toBe('/admin/appeals?done=appealRejected');
  const late = await owner.act(`${path}/approve`);
  expect([late.status, isLimited()]).toEqual([422, true]);
  expect(textOf(late.html)).toContain('@ada rejected this appeal in the meantime.');
});
