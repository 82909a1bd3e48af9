/** Two of the staff decide about the same thing: the second is told what the first one did, and overwrites nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { listAnnouncements } from '../../../../src/actors/instance/announcements/announcements.queries.ts';
import { findDomainList } from '../../../../src/actors/instance/domain-lists/domain-lists.queries.ts';
import { findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { findCustomEmoji } from '../../../../src/actors/instance/instance.queries.ts';
import { allWarningPresets } from '../../../../src/actors/instance/warning-presets/warning-presets.queries.ts';
import { findRole } from '../../../../src/actors/roles.queries.ts';
import { publishAnnouncement } from '../../../../src/operations/administration/announcements.ts';
import { blockDomain } from '../../../../src/operations/administration/domain-blocks.ts';
import { putEmoji } from '../../../../src/operations/administration/emojis.ts';
import { addRole } from '../../../../src/operations/administration/roles.ts';
import { addRule } from '../../../../src/operations/administration/server-rules.ts';
import { addWarningPreset } from '../../../../src/operations/administration/warning-presets.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { subscribeToDomainList } from '../../../../src/operations/domain-lists/subscriptions.ts';
import { settingsOf } from '../../../../src/operations/instance/settings.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { hiddenIn, report, withStaff } from './staff.ts';

let staff: Awaited<ReturnType<typeof withStaff>>;

beforeEach(async () => {
  staff = await withStaff();
});

const context = () => ({ caller: operator, services: staff.site.gateway.services });
const reader = () => staff.site.gateway.actors.read;
const later = () => staff.site.gateway.actors.clock.advance(1);

interface Edited {
  /** Makes it, and says where it is changed. */
  readonly make: () => Promise<{ readonly page: string; readonly form: string; readonly now: () => unknown }>;
  readonly fields: (name: string) => Readonly<Record<string, string>>;
  /** As the page says it. */
  readonly did: string;
}

const edited: Readonly<Record<string, Edited>> = {
  'a role': {
    async make() {
      const { role } = await addRole(context(), { name: 'Helpers', position: 5 });
      const page = `/admin/roles/${role.id}`;
      return { page, form: `/web${page}`, now: () => findRole(reader(), BigInt(role.id))?.name };
    },
    fields: (name) => ({ name, color: '', position: '5' }),
    did: 'Changed what a role may do',
  },
  'a text for warnings': {
    async make() {
      const { id } = await addWarningPreset(context(), { title: 'Spam', text: 'No' });
      const page = `/admin/presets/${id}`;
      return { page, form: `/web${page}`, now: () => allWarningPresets(reader())[0]?.text };
    },
    fields: (text) => ({ title: 'Spam', text }),
    did: 'Changed a text for warnings',
  },
  'a rule': {
    async make() {
      const { id } = await addRule(context(), { text: 'Be kind', hint: '' });
      const page = `/admin/rules/${id}`;
      return { page, form: `/web${page}`, now: () => settingsOf(staff.site.gateway.services).rules[0]?.text };
    },
    fields: (text) => ({ text }),
    did: 'Changed a rule',
  },
  'an announcement': {
    async make() {
      const { announcementId } = await publishAnnouncement(context(), { text: 'Tea', allDay: false });
      const page = `/admin/announcements/${announcementId}`;
      return { page, form: `/web${page}`, now: () => listAnnouncements(reader())[0]?.announcement.text };
    },
    fields: (text) => ({ text }),
    did: 'Changed an announcement',
  },
  'an emoji': {
    async make() {
      await putEmoji(context(), { shortcode: 'tea', image: 'https://pictures.example/tea.png', isHidden: false });
      const page = '/admin/emojis/tea';
      return { page, form: `/web${page}`, now: () => findCustomEmoji(reader(), 'tea')?.category };
    },
    fields: (category) => ({ category }),
    did: 'Changed an emoji',
  },
  'the settings': {
    make: async () => ({
      page: '/admin/settings',
      form: '/web/admin/settings',
      now: () => settingsOf(staff.site.gateway.services).title,
    }),
    fields: (title) => ({ title, registrations: 'open' }),
    did: 'Changed settings',
  },
  'a rule for a server': {
    async make() {
      const { block } = await blockDomain(context(), { domain: 'rude.example' });
      const page = `/admin/domains/${block.id}`;
      return { page, form: `/web${page}`, now: () => findDomainBlock(reader(), 'rude.example')?.publicComment };
    },
    fields: (comment) => ({ severity: 'silence', public_comment: comment }),
    did: 'Changed the rule for a server',
  },
  'a subscription': {
    async make() {
      const { id } = await subscribeToDomainList(context(), { url: 'https://lists.example/list.csv' });
      const page = `/admin/domains/subscriptions/${id}`;
      return { page, form: `/web${page}`, now: () => findDomainList(reader(), id)?.title };
    },
    fields: (title) => ({
      ...{ how: 'save', title, url: 'https://lists.example/list.csv', follows_max: '0', hours: '24' },
      ...{ form: 'csv', mode: 'suggest', severity_max: 'suspend' },
    }),
    did: 'Changed a subscription to a blocklist',
  },
};

test.each(Object.entries(edited))('%s', async (_name, { make, fields, did }) => {
  const { admin, owner } = staff;
  const { page, form, now } = await make();
  later();
  const known = async () => hiddenIn((await owner.ask(page)).html, form, 'known');
  const before = await known();
  expect((await admin.act(form, { ...fields('Of Ada'), known: await known() })).status).toBe(303);
  expect(now()).toBe('Of Ada');
  later();
  const late = await owner.act(form, { ...fields('Of Olga'), known: before });
  expect([late.status, now()]).toEqual([409, 'Of Ada']);
  expect(textOf(late.html)).toContain(`@ada was faster: “${did}”. You did nothing.`);
  expectStrict(late);
  expect(late.html).toContain('Of Olga');
  // Who has been told may do it all the same, and again.
  const told = hiddenIn(late.html, form, 'known');
  expect((await owner.act(form, { ...fields('Of Olga'), known: told })).status).toBe(303);
  later();
  expect((await owner.act(form, { ...fields('Of Olga again'), known: told })).status).toBe(303);
  expect(now()).toBe('Of Olga again');
});

test('what is gone is named with who removed it', async () => {
  const { admin, owner } = staff;
  const { id } = await addWarningPreset(context(), { title: 'Spam', text: 'No' });
  later();
  const list = await owner.ask('/admin/presets');
  const known = /id="acts".*?name="known" value="([\d,]+)"/s.exec(list.html)![1]!;
  const remove = `/web/admin/presets/${id}/remove`;
  expect((await admin.act(remove, { known })).status).toBe(303);
  later();
  for (const path of [remove, `/web/admin/presets/${id}`]) {
    const late = await owner.act(path, { known, title: 'Spam', text: 'Never', return_to: '/admin/presets' });
    expectStrict(late);
    expect([late.status, textOf(late.html).includes('@ada was faster: “Removed a text for warnings”.')]).toEqual([
      409,
      true,
    ]);
    expect(late.html).toContain('href="/admin/presets"');
  }
  expect((await owner.act(remove)).status).toBe(404);
});

test('a report that somebody else took in the same moment stays theirs', async () => {
  const { site, admin, owner, user, moderator } = staff;
  const reportId = await report(site, moderator, user);
  later();
  const page = `/admin/reports/${reportId}`;
  const form = `/web${page}/sort`;
  const known = hiddenIn((await owner.ask(page)).html, form, 'known');
  await admin.act(form, { category: 'legal' });
  later();
  const late = await owner.act(form, { category: 'spam', known });
  expect(textOf(late.html)).toContain('@ada was faster: “Sorted a report”. You did nothing.');
});

describe('a page that is out of date changes nothing, and says why:', () => {
  const made = async () => {
    const { id } = await addWarningPreset(context(), { title: 'Spam', text: 'No' });
    later();
    const page = `/admin/presets/${id}`;
    const form = `/web${page}`;
    const { html } = await staff.owner.ask(`${page}?done=presetChanged`);
    const hidden = Object.fromEntries(
      ['form_token', 'known', 'return_to'].map((name) => [name, hiddenIn(html, form, name)]),
    );
    return { page, form, fields: { ...hidden, title: 'Spam', text: 'Never' } };
  };
  afterEach(() => expect(allWarningPresets(reader())[0]?.text).not.toBe('Never'));

  test('its session has ended', async () => {
    const { page, form, fields } = await made();
    const answer = await staff.site.stranger.ask(form, { form: fields });
    const signIn = `/auth/sign_in?return_to=${encodeURIComponent(page)}&unsent=1`;
    expect([answer.status, answer.location]).toEqual([303, signIn]);
  });

  test('somebody else has signed in with the same browser', async () => {
    const { page, form, fields } = await made();
    const answer = await staff.admin.ask(form, { form: fields });
    expect([answer.status, answer.html.includes(`<a href="${page}">Open the page again</a>`)]).toEqual([403, true]);
    expectStrict(answer);
  });

  test('who had it has lost the role', async () => {
    const { form, fields } = await made();
    const { site, owner } = staff;
    const audit = { action: 'changeRole', by: 'commandLine' } as const;
    await site.gateway.actors.call(Account.changeLogin.to(owner.id, { role: 'user', audit }));
    const answer = await owner.ask(form, { form: fields });
    expect([answer.status, textOf(answer.html).includes('That is not allowed.')]).toEqual([403, true]);
  });

  test.each([
    '116000000000000000',
    '1,2,3',
    'nothing',
  ])('it is of another version, and has seen “%s”', async (known) => {
    const { form, fields } = await made();
    const answer = await staff.owner.ask(form, { form: { ...fields, known } });
    expect([answer.status, textOf(answer.html).includes('the command line was faster')]).toEqual([409, true]);
  });
});
