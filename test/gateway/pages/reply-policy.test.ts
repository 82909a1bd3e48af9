/**
 * Who may reply, on pages: where a post is written, in the settings, and in place of the form of whoever may not. And posts
 * that stay on this server.
 */
import { expect, test } from 'vitest';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { Site, textOf } from './site.ts';

test('who may reply is chosen with a post or in the settings, and said to those who may not', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const approvalOf = (id: string) => findStatus(site.gateway.actors.read, BigInt(id))?.status.replyApproval;
  const id = await alice.write('A bittern', { reply_policy: 'followers' });
  expect(approvalOf(id)).toEqual({ automatic: ['followers'], manual: [] });
  const shown = await bob.ask(`/@alice/${id}`);
  expect(shown.html).not.toContain('name="in_reply_to_id"');
  expect(textOf(shown.html)).toContain('Only some people may reply');
  expect((await alice.ask(`/@alice/${id}`)).html).toContain(`name="in_reply_to_id" value="${id}"`);
  // A form that was opened before keeps the text, and says why.
  const refused = await bob.act('/web/statuses', { status: 'Listen!', in_reply_to_id: id });
  expect(refused.status).toBe(422);
  expect(textOf(refused.html)).toContain('Its author does not let you reply to this post.');
  expect(refused.html).toContain('>Listen!</textarea>');

  const edit = await alice.ask(`/web/statuses/${id}/edit`);
  expect(edit.html).toContain('<option value="followers" selected>Those who follow you</option>');
  await alice.act(`/web/statuses/${id}/edit`, { status: 'A bittern', reply_policy: 'mentioned' });
  expect(approvalOf(id)).toEqual({ automatic: [], manual: [] });
  expect(textOf((await bob.ask(`/@alice/${id}`)).html)).toContain('Only people whom it mentions may reply');

  await alice.act('/web/settings/profile', { display_name: 'Alice', default_reply_policy: 'following' });
  expect(findLogin(site.gateway.actors.read, alice.id)?.defaultReplyPolicy).toBe('following');
  expect((await alice.ask('/settings')).html).toContain('<option value="following" selected>');
  expect(approvalOf(await alice.write('By default'))).toEqual({ automatic: ['following'], manual: [] });
});

test('a reply that needs consent waits on the pages of both, until one agrees or takes it out again', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const id = await alice.write('A bittern', { reply_policy: 'approved' });
  expect((await alice.ask('/notifications')).html).not.toContain('/notifications/replies');
  const replyId = await bob.write('Where was it?', { in_reply_to_id: id });
  const own = textOf((await bob.ask(`/@bob/${replyId}`)).html);
  expect(own).toContain('Only you and alice see this reply until alice agrees to it.');
  expect((await site.stranger.ask(`/@bob/${replyId}`)).status).toBe(404);
  expect((await site.stranger.ask(`/@alice/${id}`)).html).not.toContain('Where was it?');
  for (const path of ['/notifications', '/notifications/replies'])
    expect((await alice.ask(path)).html).toContain(`/web/statuses/${replyId}/accept-reply`);
  await alice.act(`/web/statuses/${replyId}/accept-reply`);
  expect((await site.stranger.ask(`/@alice/${id}`)).html).toContain('Where was it?');
  expect(textOf((await alice.ask('/notifications/replies')).html)).toContain('No reply waits');
  expect((await alice.ask(`/@alice/${id}`)).html).toContain(`/web/statuses/${replyId}/revoke-reply`);
  await alice.act(`/web/statuses/${replyId}/revoke-reply`);
  expect((await site.stranger.ask(`/@alice/${id}`)).html).not.toContain('Where was it?');

  const otherId = await bob.write('And when?', { in_reply_to_id: id });
  await alice.act(`/web/statuses/${otherId}/refuse-reply`);
  expect(textOf((await bob.ask(`/@bob/${otherId}`)).html)).toContain('alice has not agreed to this reply');
});

test('a post for this server alone is marked, and what answers it stays as well', async () => {
  const site = new Site();
  const [alice, bob, visitor] = [await site.person('alice'), await site.person('bob'), site.stranger];
  expect((await alice.ask('/')).html).toContain('name="local_only"');
  const id = await alice.write('A bittern', { local_only: '1' });
  const shown = await bob.ask(`/@alice/${id}`);
  expect(shown.html).toContain('title="Only on this server"');
  expect(textOf(shown.html)).toContain('It stays on this server');
  expect(shown.html).not.toContain('name="local_only"');
  expect((await visitor.ask(`/@alice/${id}`)).status).toBe(404);
  expect((await visitor.ask('/@alice')).html).not.toContain('A bittern');
  const replyId = await bob.write('Where?', { in_reply_to_id: id });
  expect(findStatus(site.gateway.actors.read, BigInt(replyId))?.status.localOnly).toBe(true);
  expect(textOf((await alice.ask(`/web/statuses/${id}/edit`)).html)).toContain('It stays on this server');
});

test('no post for this server alone is offered where the operator does not want it', async () => {
  const site = new Site([], { environment: { MURMURATION_LOCAL_ONLY_POSTS: 'off' } });
  const alice = await site.person('alice');
  expect((await alice.ask('/')).html).not.toContain('name="local_only"');
  const refused = await alice.act('/web/statuses', { status: 'A bittern', local_only: '1' });
  expect(refused.status).toBe(422);
  expect(textOf(refused.html)).toContain('Posts for this server alone are not offered here.');
});
