/** Writing and editing polls on pages (behaviour of the Mastodon API). */

import { expect, test } from 'vitest';
import { scheduledBy } from '../../../src/actors/account/scheduled/scheduled.queries.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { Site, textOf } from './site.ts';

/** As a form with several fields of one name is sent: each of them repeated. */
type Given = Readonly<Record<string, string | readonly string[]>>;

const asked = {
  ...{ status: 'What did you see?', visibility: 'public', poll: '1', poll_option: ['Teal <b>', 'Wigeon', '', ''] },
  poll_expires_in: '21600',
};

async function withAlice() {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const send = async (path: string, fields: Given) => {
    const pairs = Object.entries({ form_token: await alice.formToken(), return_to: '/@alice', ...fields });
    const body = new URLSearchParams(
      pairs.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
    );
    return alice.ask(path, {
      ...{ method: 'POST', body: body.toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  };
  const write = (fields: Given) => send('/web/statuses', fields);
  const shownIds = async () =>
    [...(await alice.ask('/@alice')).html.matchAll(/id="status-(\d+)"/g)].map(([, id]) => id!);
  const pollOf = (id: string) => findStatus(site.gateway.actors.read, BigInt(id))?.status.poll;
  const posted = async (fields: Given = asked) => {
    await write(fields);
    const [id] = await shownIds();
    return id!;
  };
  const now = () => site.gateway.actors.clock.now();
  return { site, alice, bob, send, write, shownIds, pollOf, posted, now };
}

test('a poll is written with a post; blank answers are left out', async () => {
  const { alice, posted, pollOf, now } = await withAlice();
  const id = await posted({ ...asked, poll_multiple: '1', poll_hide_totals: '1' });
  const options = ['Teal <b>', 'Wigeon'];
  expect(pollOf(id)).toMatchObject({ options, multiple: true, hideTotals: true, expiresAt: now() + 6 * 3_600_000 });
  const { html } = await alice.ask(`/@alice/${id}`);
  expect(textOf(html)).toContain('Teal &lt;b&gt; Wigeon 0 people · open until');
});

test.each([
  ['a form without its part for a poll', {}],
  ['a part without answers', { poll: '1', poll_option: ['', '', '', ''], poll_expires_in: '86400' }],
  ['answers whose part was folded away', { poll_option: ['Teal', 'Wigeon'], poll_expires_in: '86400' }],
])('there is no poll in %s', async (_what, fields) => {
  const { posted, pollOf } = await withAlice();
  expect(pollOf(await posted({ status: 'No poll', ...fields }))).toBeUndefined();
});

test.each<[string, Given, string, string]>([
  ['one answer', { poll_option: ['Teal', ' ', '', ''] }, 'options', 'A poll needs at least two answers.'],
  ['five', { poll_option: ['a', 'b', 'c', 'd', 'e'] }, 'options', 'A poll can have at most 4 answers.'],
  ['the same twice', { poll_option: ['Teal', 'Teal', '', ''] }, 'options', 'The answers must differ.'],
  [
    ...(['a long one', { poll_option: ['Teal', 'x'.repeat(51)] }, 'options'] as const),
    'An answer can have at most 50 characters.',
  ],
  ['no end', { poll_expires_in: '' }, 'end', 'Please fill this in.'],
  ['an end too near', { poll_expires_in: '299' }, 'end', 'This is too soon.'],
])('%s is refused at its field, and what was written stays', async (_what, fields, field, words) => {
  const { write, shownIds } = await withAlice();
  const given = { ...asked, poll_multiple: '1', ...fields };
  const { status, html } = await write(given);
  expect([status, await shownIds()]).toEqual([422, []]);
  expect(html).toContain(`<p class="wrong" id="poll-${field}-problem">${words}</p>`);
  expect(html).toContain(`aria-describedby="poll-${field}-problem" aria-invalid="true"`);
  expect(html).toContain('name="poll_multiple" value="1" checked');
  expect(html).not.toContain('name="poll_hide_totals" value="1" checked');
  for (const option of given.poll_option.filter((one) => one.trim() !== ''))
    expect(html).toContain(`name="poll_option" dir="auto" value="${option.replace('<b>', '&lt;b&gt;')}"`);
  expect(html).toContain('>What did you see?</textarea>');
});

test('a poll waits with its post for their time, and is open from then on', async () => {
  const { site, alice, write, now } = await withAlice();
  const scheduledAt = new Date(now() + 86_400_000).toISOString().slice(0, 16);
  await write({ ...asked, scheduled_at: scheduledAt });
  const [kept] = scheduledBy(site.gateway.actors.read, alice.id, { limit: 2 }).items;
  expect(kept?.post.poll).toMatchObject({ options: ['Teal <b>', 'Wigeon'], expiresInSeconds: 21_600 });
  expect((await alice.ask('/scheduled')).html).toContain(
    '<li dir="auto">Teal &lt;b&gt;</li><li dir="auto">Wigeon</li>',
  );
});

/** As the form of the edited post is sent when nothing in it is changed. */
const untouched = { ...asked, poll_expires_in: '' };

test.each<[string, Given, object | undefined]>([
  ['that is not touched stays, with its votes', { status: 'Well?' }, { votes: 1, options: ['Teal <b>', 'Wigeon'] }],
  ['that was folded away stays', { poll: '', poll_option: [] }, { votes: 1, options: ['Teal <b>', 'Wigeon'] }],
  ['whose end moves keeps its votes', { poll_expires_in: '3600' }, { votes: 1, hours: 1 }],
  ['whose results are hidden keeps its votes', { poll_hide_totals: '1' }, { votes: 1, hideTotals: true, hours: 6 }],
  [
    ...(['with other answers begins anew', { poll_option: ['Teal <b>', 'Gadwall', 'Smew'] }] as const),
    { votes: 0, options: ['Teal <b>', 'Gadwall', 'Smew'], hours: 6 },
  ],
  ['with several answers for one begins anew', { poll_multiple: '1' }, { votes: 0, multiple: true, hours: 6 }],
  ['without answers is none', { poll_option: ['', '', '', ''] }, undefined],
])('a poll %s', async (_what, change, expected) => {
  const { site, bob, send, posted, pollOf, now } = await withAlice();
  const id = await posted();
  await bob.act(`/web/statuses/${id}/vote`, { [`choice-${id}`]: '1' });
  const { status, html } = await send(`/web/statuses/${id}/edit`, { ...untouched, ...change });
  expect([status, html]).toEqual([303, '']);
  const poll = pollOf(id);
  const votes = (view = findStatus(site.gateway.actors.read, BigInt(id))) => view?.tally?.votes.reduce((a, b) => a + b);
  const hours = poll?.expiresAt === undefined ? undefined : Math.round((poll.expiresAt - now()) / 3_600_000);
  if (expected === undefined) expect(poll).toBeUndefined();
  else expect({ ...poll, votes: votes(), hours }).toMatchObject(expected);
});

test('editing begins with the poll as it is, and says what a change does', async () => {
  const { alice, send, posted } = await withAlice();
  const id = await posted({ ...asked, poll_hide_totals: '1' });
  const { html } = await alice.ask(`/web/statuses/${id}/edit`);
  expect(html).toContain('name="poll_option" dir="auto" value="Teal &lt;b&gt;"');
  expect(html).toContain('name="poll_hide_totals" value="1" checked');
  expect(html).toContain('<option value="">as long as it was</option>');
  expect(textOf(html)).toContain('Other answers begin with no votes.');
  const refused = await send(`/web/statuses/${id}/edit`, { ...untouched, poll_option: ['Teal'] });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('id="poll-options-problem">A poll needs at least two answers.');
  expect(refused.html).toContain('<option value="">as long as it was</option>');
});

test('a post gets its first poll when it is edited', async () => {
  const { send, posted, pollOf } = await withAlice();
  const id = await posted({ status: 'What did you see?' });
  await send(`/web/statuses/${id}/edit`, asked);
  expect(pollOf(id)).toMatchObject({ options: ['Teal <b>', 'Wigeon'] });
});
