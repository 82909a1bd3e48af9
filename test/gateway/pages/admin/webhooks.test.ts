/** The pages of staff about webhooks. */
import { expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { allWebhooks, type StoredWebhook } from '../../../../src/actors/instance/webhooks/webhooks.queries.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { withStaff } from './staff.ts';

const fields = { url: 'https://bot.example/hook', events: 'account.created', template: '{{event}}' };

test('webhooks are added, changed, disabled, given another secret, and removed', async () => {
  const { site, admin, moderator } = await withStaff();
  const stored = () => allWebhooks(site.gateway.services.snapshots);
  expect((await moderator.act('/web/admin/webhooks', fields)).status).toBe(403);
  // Admins do not hold the permission for events of posts.
  expect((await admin.ask('/admin/webhooks')).html).not.toContain('value="status.created"');
  const wrong = await admin.act('/web/admin/webhooks', { url: 'bot', events: 'status.created', template: '{{' });
  expect([wrong.status, wrong.html.match(/class="wrong"/g)?.length, stored()]).toEqual([422, 3, []]);
  expect((await admin.act('/web/admin/webhooks', fields)).location).toBe('/admin/webhooks?done=webhookAdded');
  const page = await admin.ask('/admin/webhooks?done=webhookAdded');
  expectStrict(page);
  expect(textOf(page.html)).toContain('https://bot.example/hook enabled Somebody signs up Nothing was sent yet.');
  const [{ id, secret }] = stored() as [StoredWebhook];
  const one = `/admin/webhooks/${id}`;
  const answer = { at: site.gateway.services.now(), problem: { status: 500 } };
  site.gateway.actors.callNow(Instance.webhookAnswered.to(instanceKey, { webhookId: id, answer }));
  const shown = await admin.ask(one);
  expectStrict(shown);
  expect(textOf(shown.html)).toMatch(/Last refused .*, with the status 500/);
  expect(shown.html).toContain(secret);
  expect(shown.html).toContain(`formaction="/web${one}/test"`);
  expect((await admin.act(`/web${one}/test`)).location).toBe(`${one}?done=webhookTested`);
  await admin.act(`/web${one}`, { ...fields, events: 'account.updated' });
  await admin.act(`/web${one}/disable`);
  await admin.act(`/web${one}/rotate`);
  // It would not be sent.
  expect((await admin.ask(one)).html).not.toContain(`/web${one}/test`);
  expect((await admin.act(`/web${one}/test`)).status).toBe(422);
  expect(stored()).toMatchObject([{ events: ['account.updated'], isEnabled: false, template: '{{event}}' }]);
  expect(stored()[0]!.secret).not.toBe(secret);
  await admin.act(`/web${one}/enable`);
  expect(stored()).toMatchObject([{ isEnabled: true }]);
  expect((await admin.act(`/web${one}/remove`)).location).toBe('/admin/webhooks?done=webhookRemoved');
  expect(stored()).toEqual([]);
  for (const verb of ['', '/enable', '/disable', '/rotate', '/test', '/remove'])
    expect((await admin.act(`/web${one}${verb}`, fields)).status).toBe(404);
});
