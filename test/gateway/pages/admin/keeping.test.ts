/** The pages of staff about what they keep, and the audit log. */
import { describe, expect, test } from 'vitest';
import {
  allAddressBlocks,
  findAccessBlock,
  usernameList,
} from '../../../../src/actors/instance/access/access.queries.ts';
import { listAnnouncements } from '../../../../src/actors/instance/announcements/announcements.queries.ts';
import { findCustomEmoji } from '../../../../src/actors/instance/instance.queries.ts';
import { findTrendReview } from '../../../../src/actors/instance/trends/trend-reviews.queries.ts';
import { allJoinedRelays } from '../../../../src/actors/relay/joined/joined.queries.ts';
import { relayReceiptsOf } from '../../../../src/federation/inbox/relay-receipts.ts';
import { relayRoutes } from '../../../../src/gateway/pages/admin/lists/relays-page.ts';
import { putEmoji } from '../../../../src/operations/administration/emojis.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { settingsOf } from '../../../../src/operations/instance/settings.ts';
import { createRemoteHtmlCleaner } from '../../../../src/outbound/remote-html/remote-html.ts';
import { sanitizeRemoteHtmlBatch } from '../../../../src/outbound/remote-html/sanitize.task.ts';
import { host, type Site, textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { submissionsIn } from './forms.ts';
import { textAt, withStaff } from './staff.ts';

/** As the pool of the server does. */
function cleansHtml(site: Site): void {
  const cleanHtml = createRemoteHtmlCleaner((batch) => Promise.resolve(sanitizeRemoteHtmlBatch(batch)));
  Object.assign(site.gateway.services, { cleanHtml });
}

/** What a button of a page sends to. */
function actionIn(html: string, pattern: RegExp): string {
  const found = pattern.exec(html)?.[1];
  if (found === undefined) throw new Error(`no ${pattern} in ${textOf(html)}`);
  return found;
}

describe('roles', () => {
  const fields = { name: 'Helpers', color: '#8800ff', position: '20', highlighted: '1', permissions: 'manageRules' };

  test('are added, given, changed, taken and removed', async () => {
    const { moderator, admin, user } = await withStaff();
    expect((await admin.act('/web/admin/roles', fields)).location).toBe('/admin/roles?done=roleAdded');
    const page = await admin.ask('/admin/roles?done=roleAdded');
    expectStrict(page);
    expect(textOf(page.html)).toMatch(/Owner built in .*Helpers .*position 20 · 0 people Change the rules/s);
    const address = actionIn(page.html, /href="(\/admin\/roles\/\d{3,})"/);
    expect((await admin.act(`/web${address}/give`, { account: 'una' })).location).toBe(`${address}?done=roleGiven`);
    expect((await user.ask('/admin/rules')).status).toBe(200);
    expect(await textAt(moderator, '/@una')).toContain('una Helpers');
    const one = await admin.ask(address);
    expectStrict(one);
    expect(textOf(one.html)).toContain('@una');
    const changed = { ...fields, name: 'Keepers', permissions: 'manageAnnouncements' };
    expect((await admin.act(`/web${address}`, changed)).location).toBe(`${address}?done=roleChanged`);
    expect((await user.ask('/admin/rules')).status).toBe(403);
    expect((await user.ask('/admin/announcements')).status).toBe(200);
    expect(await textAt(moderator, '/@una')).toContain('una Keepers');
    await admin.act(actionIn(one.html, /formaction="([^"]+\/take\/\d+)"/));
    expect(await textAt(admin, address)).toContain('Nobody has it.');
    expect((await user.ask('/admin')).status).toBe(403);
    await admin.act(`/web${address}/remove`);
    expect((await admin.ask(address)).status).toBe(404);
  });

  test('that are not right are explained, and nothing is kept of them', async () => {
    const { admin, moderator } = await withStaff();
    const refused = await admin.act('/web/admin/roles', { ...fields, name: ' ', color: 'mauve' });
    expect([refused.status, refused.html.includes('value="mauve"')]).toEqual([422, true]);
    expect((refused.html.match(/class="wrong"/g) ?? []).length).toBe(2);
    expect((await admin.act('/web/admin/roles', { ...fields, position: '100' })).status).toBe(403);
    expect((await moderator.act('/web/admin/roles', fields)).status).toBe(403);
    expect(await textAt(admin, '/admin/roles')).not.toContain('Helpers');
    expect((await admin.ask('/admin/roles/1')).html).not.toContain('action="/web/admin/roles/1"');
  });
});

describe('who may not come', () => {
  test('is listed, blocked and unblocked', async () => {
    const { site, admin } = await withStaff();
    const { read } = site.gateway.actors;
    const pages = [
      [
        'addresses',
        { range: '192.0.2.0/24', severity: 'no_access', duration: '86400', comment: 'Storm' },
        '192.0.2.0/24',
      ],
      ['email-domains', { domain: 'throwaway.example', approval: '1' }, 'throwaway.example'],
      ['emails', { email: 'Un.wanted+1@mail.example' }, ''],
      ['usernames', { username: 'support', exact: '1' }, 'support'],
    ] as const;
    for (const [name, fields, shown] of pages) {
      const address = `/admin/blocks/${name}`;
      expect(await textAt(admin, address)).toContain('Nothing is blocked here.');
      expect((await admin.act(`/web${address}`, fields)).location).toBe(`${address}?done=blockAdded`);
      const page = await admin.ask(`${address}?done=blockAdded`);
      expectStrict(page);
      expect(textOf(page.html)).toContain(shown);
      const again = await admin.act(`/web${address}`, fields);
      expect([name, again.status, textOf(again.html).includes('or it is blocked already.')]).toEqual([name, 422, true]);
      const remove = actionIn(page.html, new RegExp(`formaction="(/web${address}/[^"]+/remove)"`));
      if (name === 'addresses')
        expect([...allAddressBlocks(read)]).toMatchObject([{ severity: 'no_access', comment: 'Storm' }]);
      if (name === 'usernames') expect(findAccessBlock(read, usernameList, 'support')?.isExact).toBe(true);
      await admin.act(remove);
      expect(await textAt(admin, address)).toContain('Nothing is blocked here.');
    }
    const undecided = await admin.act('/web/admin/blocks/addresses', { range: '192.0.2.0/24', comment: 'Storm' });
    expect([undecided.status, [...allAddressBlocks(read)]]).toEqual([400, []]);
    const storm = { range: '<x>', comment: 'Storm', severity: 'no_access' };
    const wrong = await admin.act('/web/admin/blocks/addresses', storm);
    expect([wrong.status, wrong.html.includes('value="&lt;x&gt;"'), wrong.html.includes('value="Storm"')]).toEqual([
      422,
      true,
      true,
    ]);
  });
});

describe('what the people of this server read', () => {
  test('rules are added, changed, translated and removed', async () => {
    const { site, admin, moderator } = await withStaff();
    const rules = () => settingsOf(site.gateway.services).rules;
    expect((await admin.act('/web/admin/rules', { text: ' ' })).status).toBe(422);
    await admin.act('/web/admin/rules', { text: 'Be kind', hint: 'To everybody' });
    const { id } = rules()[0]!;
    await admin.act(`/web/admin/rules/${id}`, { text: 'Be very kind' });
    await admin.act(`/web/admin/rules/${id}`, { language: 'de', text: 'Sei freundlich' });
    expect(rules()).toMatchObject([
      { text: 'Be very kind', hint: '', translations: { de: { text: 'Sei freundlich' } } },
    ]);
    const page = await admin.ask(`/admin/rules/${id}`);
    expectStrict(page);
    expect(textOf(page.html)).toContain('Sei freundlich');
    const refused = await admin.act(`/web/admin/rules/${id}`, { text: 'x'.repeat(2_000) });
    expect([refused.status, rules()[0]!.text]).toEqual([422, 'Be very kind']);
    // What is refused of a translation stays in its own form, which is never taken for that of the rule.
    for (const language of ['no language', '']) {
      const sent = { translation: '1', language, text: 'Seid nett', hint: 'Bitte' };
      const { status, html } = await admin.act(`/web/admin/rules/${id}`, sent);
      const [own, below] = submissionsIn(html).filter(({ action }) => action === `/web/admin/rules/${id}`);
      expect([status, own?.fields.get('text'), own?.fields.get('hint')]).toEqual([422, 'Be very kind', '']);
      expect(Object.fromEntries(below!.fields)).toMatchObject({ ...sent, language: language || 'de' });
    }
    expect(rules()).toMatchObject([{ text: 'Be very kind', hint: '' }]);
    expect((await moderator.act(`/web/admin/rules/${id}/remove`)).status).toBe(403);
    await admin.act(`/web/admin/rules/${id}/remove`);
    expect(rules()).toEqual([]);
    expect((await admin.ask(`/admin/rules/${id}`)).status).toBe(404);
  });

  test('announcements are published, changed and withdrawn', async () => {
    const { site, admin } = await withStaff();
    const all = () => listAnnouncements(site.gateway.actors.read);
    const times = { starts_at: '2030-01-02T10:00', ends_at: '2030-01-01T10:00' };
    const wrong = await admin.act('/web/admin/announcements', { text: 'A party', ...times });
    expect([
      wrong.status,
      wrong.html.includes('>A party</textarea>'),
      wrong.html.includes('value="2030-01-02T10:00"'),
    ]).toEqual([422, true, true]);
    await admin.act('/web/admin/announcements', { text: 'A party', starts_at: '2030-01-02T10:00' });
    const { id } = all()[0]!;
    const page = await admin.ask(`/admin/announcements/${id}`);
    expectStrict(page);
    expect(page.html).toContain('value="2030-01-02T10:00"');
    await admin.act(`/web/admin/announcements/${id}`, { text: 'No party' });
    expect(all()).toMatchObject([{ announcement: { text: 'No party', startsAt: undefined } }]);
    const mail = `/web/admin/announcements/${id}/mail`;
    expect((await admin.ask('/admin/announcements')).html).not.toContain(mail);
    Object.assign(site.gateway.services.mail, { isOn: true });
    expect((await admin.ask('/admin/announcements')).html).toContain(mail);
    expect((await admin.act(mail)).status).toBe(303);
    expect(all()[0]?.announcement.mailedAt).toBeDefined();
    const listed = await admin.ask('/admin/announcements?done=announcementMailed');
    expect([listed.html.includes(mail), listed.html.includes('sent by mail')]).toEqual([false, true]);
    await admin.act(`/web/admin/announcements/${id}/remove`);
    expect(all()).toEqual([]);
    expect((await admin.act(`/web/admin/announcements/${id}`, { text: 'Again' })).status).toBe(404);
  });

  test('emojis are listed and removed, and none is added without a picture', async () => {
    const { site, admin } = await withStaff();
    const { services } = site.gateway;
    const image = `https://${host}/media/wave.png`;
    await putEmoji({ caller: operator, services }, { shortcode: 'wave', image, category: 'Hands', isHidden: true });
    const page = await admin.ask('/admin/emojis');
    expectStrict(page);
    expect(page.html).toMatch(/<img class="emoji" src="[^"]+" alt=":wave:"/);
    expect(textOf(page.html)).toContain('Hands · hidden');
    await admin.act('/web/admin/emojis/wave/remove');
    expect(findCustomEmoji(site.gateway.actors.read, 'wave')).toBeUndefined();
    const none = await admin.act('/web/admin/emojis', { shortcode: 'wave' });
    expect([none.status, none.html.includes('value="wave"')]).toEqual([422, true]);
  });

  test('without a file the picture of the server stays as it is', async () => {
    const { admin, moderator } = await withStaff();
    expectStrict(await admin.ask('/admin/settings/picture'));
    const none = await admin.act('/web/admin/settings/picture', { description: 'A heron' });
    expect([none.status, none.html.includes('value="A heron"')]).toEqual([422, true]);
    expect(textOf(none.html)).toContain('The file must be a picture that can be read.');
    expect((await moderator.act('/web/admin/settings/picture/remove')).status).toBe(403);
  });

  test('an emoji is changed, and one of another server is asked for', async () => {
    const { site, admin, moderator } = await withStaff();
    const { services } = site.gateway;
    await putEmoji(
      { caller: operator, services },
      { shortcode: 'wave', image: `https://${host}/wave.png`, isHidden: false },
    );
    const page = await admin.ask('/admin/emojis/wave');
    expectStrict(page);
    expect(textOf(page.html)).toContain('Nobody can use it');
    expect(page.html).toMatch(/<img class="emoji" src="[^"]+" alt=":wave:"/);
    const changed = await admin.act('/web/admin/emojis/wave', { category: 'Hands', disabled: '1' });
    expect(changed.location).toBe('/admin/emojis/wave?done=emojiChanged');
    expect(findCustomEmoji(site.gateway.actors.read, 'wave')).toMatchObject({
      ...{ category: 'Hands', isDisabled: true, visibleInPicker: true },
    });
    expect(await textAt(admin, '/admin/emojis')).toContain('Hands · disabled');
    const refused = await admin.act('/web/admin/emojis/wave', { category: 'x'.repeat(1_000) });
    expect([refused.status, textOf(refused.html).includes(':wave:')]).toEqual([422, true]);
    expect((await admin.ask('/admin/emojis/none')).status).toBe(404);
    expectStrict(await admin.ask('/admin/emoji-copies'));
    const none = await admin.act('/web/admin/emoji-copies', { from: '@ada', shortcode: ':wave:', as: 'other' });
    expect([
      none.status,
      textOf(none.html).includes('Nothing there shows'),
      none.html.includes('value="other"'),
    ]).toEqual([...[422, true, true]]);
    const taken = await admin.act('/web/admin/emoji-copies', { from: '@ada', shortcode: 'wave' });
    expect(textOf(taken.html)).toContain('There is an emoji with this name already');
    expect((await moderator.act('/web/admin/emoji-copies', { from: '@ada', shortcode: 'wave' })).status).toBe(403);
  });

  test('documents are published and removed', async () => {
    const { site, admin, moderator } = await withStaff();
    cleansHtml(site);
    const address = '/admin/settings/documents';
    const write = (fields: Record<string, string>) => admin.act(`/web${address}/extended-description`, fields);
    expect((await write({ text: 'A <marsh>' })).location).toBe(`${address}?done=documentWritten`);
    const page = await admin.ask(address);
    expectStrict(page);
    expect(page.html).toContain('&lt;p&gt;A &amp;lt;marsh&amp;gt;&lt;/p&gt;</textarea>');
    expect(await textAt(site.stranger, '/about')).toContain('A &lt;marsh&gt;');
    // Longer than other forms may be.
    expect((await write({ text: 'ö'.repeat(40_000), format: 'html' })).status).toBe(303);
    const refused = await write({ text: '<script>x</script>', format: 'html' });
    expect([refused.status, textOf(refused.html).includes('It is empty, or too long.')]).toEqual([422, true]);
    expect((await moderator.act(`/web${address}/extended-description`, { text: 'No' })).status).toBe(403);
    expect((await admin.act(`/web${address}/nothing`, { text: 'No' })).status).toBe(404);
    await admin.act(`/web${address}/extended-description/remove`);
    expect(settingsOf(site.gateway.services).extendedDescription).toBeUndefined();
    await admin.act(`/web${address}/closed-message`, { text: 'Come back later' });
    await site.settings({ registrations: 'closed' });
    expect(await textAt(site.stranger, '/about')).toContain('Come back later');
  });

  test('terms of service are published, told of and withdrawn', async () => {
    const { site, admin, user } = await withStaff();
    const address = '/admin/settings/terms';
    const wrong = await admin.act(`/web${address}`, { text: 'Be kind', day: 'soon' });
    expect([wrong.status, wrong.html.includes('>Be kind</textarea>')]).toEqual([422, true]);
    await admin.act(`/web${address}`, { text: 'Be kind', day: '2020-01-31' });
    await admin.act(`/web${address}`, { text: 'Be very kind', day: '2099-12-31' });
    const page = await admin.ask(address);
    expectStrict(page);
    expect(textOf(page.html)).toMatch(/31 Dec 2099 not in force yet.*31 Jan 2020 in force/);
    const told = await admin.act(`/web${address}/2099-12-31/tell`);
    expect(told.location).toBe(`${address}?done=termsTold`);
    expect(await textAt(user, '/')).toContain('The terms of service change on 31 December 2099');
    expect((await admin.ask(address)).html).not.toContain('2099-12-31/tell');
    expect((await user.act(`/web${address}/2099-12-31/remove`)).status).toBe(403);
    await admin.act(`/web${address}/2099-12-31/remove`);
    expect(await textAt(admin, address)).not.toContain('2099');
    expect((await site.stranger.ask('/terms-of-service?date=2099-12-31')).status).toBe(404);
  });

  test('settings are changed, and kept where they are refused', async () => {
    const { site, admin } = await withStaff();
    const now = () => settingsOf(site.gateway.services);
    const page = await admin.ask('/admin/settings');
    expectStrict(page);
    const fields = {
      title: 'The Marsh',
      description: 'Birds',
      contact: 'ada',
      registrations: 'approval',
      reason: '1',
      trends: '1',
      blocks_for: 'users',
      remote_days: '30',
      localLiveFeeds: 'disabled',
      localTopicFeeds: 'disabled',
    };
    expect((await admin.act('/web/admin/settings', fields)).location).toBe('/admin/settings?done=settings');
    expect(now()).toMatchObject({
      ...{ title: 'The Marsh', registrations: 'approval', contactAccountId: admin.id },
      reasonRequired: true,
      ...{
        trends: true,
        trendableByDefault: false,
        publishPeers: false,
        domainBlocksFor: 'users',
        domainBlockReasonsFor: 'all',
        remoteStatusDays: 30,
        ...{ localLiveFeeds: 'disabled', localTopicFeeds: 'public', remoteLiveFeeds: 'public' },
      },
    });
    const unknown = await admin.act('/web/admin/settings', { ...fields, contact: 'nobody', title: 'Another' });
    expect([unknown.status, unknown.html.includes('value="Another"'), now().title]).toEqual([422, true, 'The Marsh']);
    expect(textOf(unknown.html)).toContain('There is no account here with the name of the contact.');
    expect((await admin.act('/web/admin/settings', { ...fields, title: '' })).status).toBe(422);
  });
});

describe('trends', () => {
  test('are allowed or refused, and hashtags kept out of them', async () => {
    const { site, moderator, user, admin } = await withStaff();
    await site.settings({ trendableByDefault: false });
    for (const person of [user, admin, moderator]) await person.write('Look at #birds');
    const pages = ['/admin/trends', '/admin/trends/links', '/admin/trends/statuses', '/admin/trends/publishers'];
    for (const address of pages) expectStrict(await moderator.ask(address));
    const fields = { kind: 'tag', name: 'birds', decision: 'allow' };
    expect((await moderator.act('/web/admin/trends/tags', fields)).location).toBe('/admin/trends?done=reviewed');
    expect(findTrendReview(site.gateway.actors.read, 'tag', 'birds')?.isTrendable).toBe(true);
    expect((await moderator.act('/web/admin/trends/tags', { kind: 'x' })).status).toBe(400);
    await moderator.act('/web/admin/trends/statuses', { kind: 'status', name: '1', decision: 'allow' });
    await moderator.act('/web/admin/trends/hashtags', { hashtag: '#Spam' });
    const list = await moderator.ask('/admin/trends/hashtags');
    expectStrict(list);
    expect(textOf(list.html)).toContain('#spam');
    await moderator.act(actionIn(list.html, /formaction="(\/web\/admin\/trends\/hashtags\/spam\/remove)"/));
    expect(settingsOf(site.gateway.services).disallowedHashtags).toEqual([]);
    expect((await moderator.act('/web/admin/trends/hashtags', { hashtag: '!' })).status).toBe(422);
  });
});

describe('relays', () => {
  test('are joined and left', async () => {
    const { site, admin, moderator } = await withStaff();
    expect(relayRoutes.length).toBe(3);
    expect((await moderator.act('/web/admin/relays', { address: 'https://relay.example/inbox' })).status).toBe(403);
    const wrong = await admin.act('/web/admin/relays', { address: 'relay' });
    expect([wrong.status, wrong.html.includes('value="relay"')]).toEqual([422, true]);
    await admin.act('/web/admin/relays', { address: 'https://relay.example/inbox' });
    const page = await admin.ask('/admin/relays');
    expectStrict(page);
    expect(textOf(page.html)).toContain('relay.example not answered yet');
    expect(textOf(page.html)).toContain('has brought nothing yet');
    const [joined] = allJoinedRelays(site.gateway.services.snapshots);
    const receipts = relayReceiptsOf(site.gateway.services);
    for (const outcome of ['applied', 'unproved', 'shed'] as const) receipts.count(joined!.id, outcome);
    expect(await textAt(admin, '/admin/relays')).toContain(
      '3 activities received · 1 new · 1 refused · 1 dropped under load · the last',
    );
    await admin.act(actionIn(page.html, /formaction="(\/web\/admin\/relays\/relay\.example\/remove)"/));
    expect(await textAt(admin, '/admin/relays')).toContain('This server has joined no relay.');
    expect((await admin.act('/web/admin/relays/x/remove')).status).toBe(404);
  });
});

describe('the audit log', () => {
  test('is searched by who, what, whom and when', async () => {
    const { site, admin, moderator, owner, user } = await withStaff();
    await admin.act('/web/admin/rules', { text: 'Be kind' });
    await owner.act('/web/admin/settings', { title: 'The Marsh', registrations: 'open' });
    const page = await moderator.ask('/admin/audit');
    expectStrict(page);
    const text = textOf(page.html);
    for (const said of ['Added a rule', 'Be kind', 'by @ada', 'Changed settings', 'by @olga', 'title:'])
      expect(text).toContain(said);
    const found = async (query: string) => {
      const list = textOf((await moderator.ask(`/admin/audit?${query}`)).html.split('</form>').slice(-2).join(''));
      return ['Added a rule', 'Changed settings'].filter((one) => list.includes(one));
    };
    expect(await found('who=ada')).toEqual(['Added a rule']);
    expect(await found('action=changeSettings')).toEqual(['Changed settings']);
    expect(await found('target=rule')).toEqual(['Added a rule']);
    expect(await found('by=server')).toEqual([]);
    expect(await found(`about=${user.username}`)).toEqual([]);
    expect(await found('until=2001-01-01')).toEqual([]);
    const today = new Date(site.gateway.actors.clock.now()).toISOString().slice(0, 10);
    expect(await found(`until=${today}&action=nonsense`)).toEqual(['Added a rule', 'Changed settings']);
    const unknown = await moderator.ask('/admin/audit?who=nobody');
    expect([unknown.status, unknown.html.includes('value="nobody"')]).toEqual([422, true]);
    expect((await user.ask('/admin/audit')).status).toBe(403);
  });
});
