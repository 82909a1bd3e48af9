/** Scheduled posts on pages: scheduling, rescheduling, cancelling (behaviour of the Mastodon API). */
import { expect, test } from 'vitest';
import { scheduledBy } from '../../../src/actors/account/scheduled/scheduled.queries.ts';
import { scheduledForms } from '../../../src/gateway/pages/writing/scheduled-page.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { scheduleStatus } from '../../../src/operations/scheduled/schedule-status.ts';
import { type Person, Site, textOf } from './site.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

async function withAlice() {
  const site = new Site();
  const alice = await site.person('alice');
  const now = () => site.gateway.actors.clock.now();
  /** As a browser sends it. */
  const typed = (ahead: number) => new Date(now() + ahead).toISOString().slice(0, 16);
  const kept = (person: Person = alice) => scheduledBy(site.gateway.actors.read, person.id, { limit: 400 }).items;
  const write = (fields: Readonly<Record<string, string>>) =>
    alice.act('/web/statuses', { status: 'Later', visibility: 'public', ...fields });
  return { site, alice, now, typed, kept, write };
}

test('a post is written for later, and waits on a page of its author', async () => {
  const { alice, typed, kept, write } = await withAlice();
  const sent = await write({ status: 'At <noon>', spoiler_text: 'Food', scheduled_at: typed(3 * day) });
  expect([sent.status, sent.location]).toEqual([303, '/scheduled?done=scheduled']);
  expect(kept()).toMatchObject([
    { scheduledAt: Date.parse(`${typed(3 * day)}Z`), post: { text: 'At <noon>', spoilerText: 'Food' } },
  ]);
  const { html } = await alice.ask('/scheduled?done=scheduled');
  expect(textOf(html)).toContain('Your post waits for its time.');
  expect(html).toContain('>At &lt;noon&gt;</p>');
  expect((await alice.ask('/@alice')).html).not.toContain('noon');
});

test.each([
  ['in UTC without a script', '', 0],
  ['two hours east of it', '-120', -120],
  ['half an hour past the hours', '-330', -330],
  ['west of it', '300', 300],
])('a time is read %s', async (_where, offset, minutes) => {
  const { typed, kept, write } = await withAlice();
  await write({ scheduled_at: typed(3 * day), scheduled_at_offset: offset });
  expect(kept()).toMatchObject([{ scheduledAt: Date.parse(`${typed(3 * day)}Z`) + minutes * minute }]);
});

const tooSoon = 'Choose a time at least 5 minutes from now.';

test.each([
  ['a time in four minutes', 4, tooSoon],
  ['a time in the past', -day / minute, tooSoon],
])('%s is refused at its field, and what was written stays', async (_what, minutes, words) => {
  const { typed, kept, write } = await withAlice();
  const { status, html } = await write({ status: 'In time', scheduled_at: typed(minutes * minute) });
  expect([status, kept()]).toEqual([422, []]);
  expect(html).toContain(`<p class="wrong" id="scheduled-at-problem">${words}</p>`);
  expect(html).toContain(`value="${typed(minutes * minute)}"`);
  expect(html).toContain('aria-describedby="scheduled-at-zone scheduled-at-problem" aria-invalid="true"');
  expect(html).toContain('<details data-extra open>');
  expect(html).toContain('>In time</textarea>');
});

test.each(['tomorrow', '2025-13-45T10:00', '2031-01-01', '2031-01-01T10:00Z'])('%s is no time', async (scheduledAt) => {
  const { kept, write } = await withAlice();
  const { status, html } = await write({ scheduled_at: scheduledAt });
  expect([status, kept()]).toEqual([422, []]);
  expect(html).toContain('id="scheduled-at-problem">This is no time.</p>');
});

test('what is wrong with the text is said at the text, whatever the time is', async () => {
  const { typed, kept, write } = await withAlice();
  const { status, html } = await write({ status: ' ', scheduled_at: typed(3 * day) });
  expect([status, kept()]).toEqual([422, []]);
  expect(html).toContain('id="status-problem" role="alert">Please fill this in.</p>');
  expect(html).toContain(`value="${typed(3 * day)}"`);
});

test('25 of one day are the limit, said at the time', async () => {
  const { site, alice, now, typed, kept, write } = await withAlice();
  const caller = { kind: 'account', accountId: alice.id, limits: unlimited } as const;
  for (let count = 0; count < 25; count += 1)
    await scheduleStatus(
      { caller, services: site.gateway.services },
      { text: 'Later', spoilerText: '', scheduledAt: now() + 3 * day },
    );
  const { status, html } = await write({ scheduled_at: typed(3 * day) });
  expect([status, kept().length]).toEqual([422, 25]);
  expect(html).toContain(
    '<p class="wrong" id="scheduled-at-problem">You cannot have more than 25 posts on one day.</p>',
  );
});

test('the next one comes first; another time moves it, a bad one is said at its own field', async () => {
  const { alice, typed, kept, write } = await withAlice();
  for (const [status, days] of [
    ['Second', 2],
    ['Third', 3],
    ['First', 1],
  ] as const)
    await write({ status, scheduled_at: typed(days * day) });
  const order = async () =>
    [...(await alice.ask('/scheduled')).html.matchAll(/<p class="plain-text" dir="auto">(\w+)/g)].map(
      ([, word]) => word,
    );
  expect(await order()).toEqual(['First', 'Second', 'Third']);

  const { id } = kept().find(({ post }) => post.text === 'First')!;
  const moved = await alice.act(`/web/scheduled/${id}/time`, { scheduled_at: typed(4 * day) });
  expect([moved.status, moved.location]).toEqual([303, '/scheduled?done=moved']);
  expect(await order()).toEqual(['Second', 'Third', 'First']);

  const refused = await alice.act(`/web/scheduled/${id}/time`, { scheduled_at: typed(0) });
  expect(refused.status).toBe(422);
  expect(refused.html.match(/id="time-\d+-problem">[^<]*/g)).toEqual([`id="time-${id}-problem">${tooSoon}`]);
  const empty = await alice.act(`/web/scheduled/${id}/time`);
  expect(empty.html).toContain(`id="time-${id}-problem">This is no time`);
  expect(await order()).toEqual(['Second', 'Third', 'First']);
});

test('one that is cancelled is never published', async () => {
  const { site, alice, typed, kept, write } = await withAlice();
  await write({ scheduled_at: typed(day) });
  const path = `/web/scheduled/${kept()[0]!.id}/cancel`;
  expect((await alice.act(path)).location).toBe('/scheduled?done=cancelled');
  expect(textOf((await alice.ask('/scheduled')).html)).toContain('No scheduled posts');
  expect((await alice.act(path)).status).toBe(404);
  await site.gateway.actors.clock.advance(2 * day);
  expect((await alice.ask('/@alice')).html).not.toContain('Later</');
});

test('it names what it answers, as far as its author sees that', async () => {
  const { site, alice, typed, write } = await withAlice();
  const bob = await site.person('bob');
  const id = await bob.write('Who comes along?');
  await write({ in_reply_to_id: id, scheduled_at: typed(day) });
  expect((await alice.ask('/scheduled')).html).toContain(`In reply to <a href="/@bob/${id}">a post by bob</a>`);
  await bob.act(`/web/statuses/${id}/delete`);
  expect((await alice.ask('/scheduled')).html).toContain('In reply to a post that is gone');
});

test('all of it is for its author alone', async () => {
  const { site, alice, typed, kept, write } = await withAlice();
  const bob = await site.person('bob');
  await write({ status: 'Mine', scheduled_at: typed(day) });
  const { id } = kept()[0]!;
  expect((await site.stranger.ask('/scheduled')).location).toContain('/auth/sign_in');
  expect((await bob.ask('/scheduled')).html).not.toContain('Mine');
  expect((await bob.act(`/web/scheduled/${id}/time`, { scheduled_at: typed(2 * day) })).status).toBe(404);
  expect((await bob.act(`/web/scheduled/${id}/cancel`)).status).toBe(404);
  expect((await alice.act('/web/scheduled/x/cancel')).status).toBe(404);
  expect((await alice.ask(`/web/scheduled/${id}/cancel`, { form: { form_token: 'guessed' } })).status).toBe(403);
  expect(kept()).toHaveLength(1);
});

test('their forms ask for the token of the form', async () => {
  const { alice } = await withAlice();
  for (const { path } of scheduledForms) {
    const { status } = await alice.ask(path.replaceAll(/:\w+/g, '1'), { form: { form_token: 'guessed' } });
    expect([path, status]).toEqual([path, 403]);
  }
});
