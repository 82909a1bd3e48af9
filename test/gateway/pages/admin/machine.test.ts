/** The page of the machine, and its stream; the page of its storage. */
import { expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { machinePanels } from '../../../../src/gateway/pages/admin/machine/machine-panels.ts';
import { Languages } from '../../../../src/services/words/languages.ts';
import { storageFigures } from '../../../support/storage-figures.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { withStaff } from './staff.ts';

test('is for who may operate the machine, and works without a script', async () => {
  const { admin, owner } = await withStaff();
  const page = await owner.ask('/admin/machine');
  expectStrict(page);
  expect(textOf(page.html)).toContain('Processors in use');
  expect((await admin.ask('/admin/machine')).status).toBe(403);
});

test('its stream is for the same, and for nobody else', async () => {
  const { site, admin, user } = await withStaff();
  const live = { headers: { 'sec-fetch-site': 'same-origin' } };
  expect((await admin.ask('/web/admin/machine', live)).status).toBe(403);
  expect((await user.ask('/web/admin/machine', live)).status).toBe(403);
  expect((await site.stranger.ask('/web/admin/machine', live)).status).toBe(401);
});

test('what is measured stands in its panels, with charts that need no style of their own', async () => {
  const { site } = await withStaff();
  const [view] = await site.machine.views();
  const views = [0, 1, 4].map((processors) => ({
    ...{ ...view!, processors },
    turns: [{ message: 'account.<b>', perSecond: 2, mean: 0.001, p99: Number.POSITIVE_INFINITY, share: 0.25 }],
    caches: [{ name: 'homes', bytes: 2_097_152, bytesMax: 2_097_152 }],
    memory: { anonymous: 1_048_576, mapped: 0, heaps: 0, buffers: 0, max: 4_194_304 },
    actors: [{ kind: 'account', waiting: 12, longest: 7, turnsPerSecond: 2, share: processors / 10 }],
    channels: [{ name: 'user', count: 3, bytes: 2_048 }],
    lanes: [
      {
        ...{ host: 'slow.example', state: 'dead' as const, pending: 7, hasMore: true, failures: 9 },
        ...{ failingSince: 60_000, waitingSince: 0, lastError: { fault: 'timedOut', at: 120_000 } },
      },
    ],
  }));
  const { markup } = machinePanels({ words: new Languages().source, now: 0 }, views);
  // Of the processors, and of the actors.
  expect(markup.split('points="58,15.0 59,11.5 60,1.0"').length - 1).toBe(2);
  expect(markup).toContain('account.&lt;b&gt;');
  expect(markup).toContain('class="meter full"');
  const text = textOf(markup);
  expect(text).toContain('2/s 1 ms longer 25%');
  expect(text).toContain('1 MB 25% of 4 MB, which it may take');
  expect(text).toMatch(/account 12 7 2\/s 40%/);
  expect(text).toMatch(/user 3 2 kB/);
  expect(text).toMatch(/slow\.example dead 7\+ .*1970.*1970.*no answer in time · .*1970/);
  expect(markup).not.toContain('style=');
});

test('the storage: what takes the space, and which old posts go', async () => {
  const { site, admin, owner } = await withStaff();
  const { gateway } = site;
  expect((await admin.ask('/admin/storage')).status).toBe(403);
  expect(textOf((await owner.ask('/admin/storage')).html)).toMatch(/being taken.*All are kept/s);
  Object.assign(gateway.services, {
    storage: { state: async () => ({ figures: storageFigures, isMeasuring: false }) },
  });
  await gateway.actors.call(Instance.changeRetention.to(instanceKey, { days: 90 }));
  const page = await owner.ask('/admin/storage');
  expectStrict(page);
  const text = textOf(page.html);
  expect(text).toMatch(/Posts of other servers\s*7,000\s*9\.\d MB.*Posts of people here/s);
  expect(text).toMatch(/older than 30 days\s*6,000/);
  expect(text).toMatch(/Those older than 90 days are forgotten\..*The next one begins/s);
  expect(text).not.toMatch(/being taken|Mails written/);
});
