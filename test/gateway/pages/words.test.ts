/** The words of the pages: all from the catalogue, in the visitor's language. */
import { describe, expect, test } from 'vitest';
import { listsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { latestOpenReports } from '../../../src/actors/account/reports/reports.queries.ts';
import { listAnnouncements } from '../../../src/actors/instance/announcements/announcements.queries.ts';
import { findDomainBlock } from '../../../src/actors/instance/domains/domains.queries.ts';
import { invitesOf, type StoredInvite } from '../../../src/actors/instance/invites/invites.queries.ts';
import { adminFormsByHand } from '../../../src/gateway/pages/admin/admin.routes.ts';
import { formsByHand } from '../../../src/gateway/pages/forms-by-hand.ts';
import { waysIn } from '../../../src/gateway/pages/ways-in.ts';
import { rawRoutes } from '../../../src/gateway/raw-routes.ts';
import { publishAnnouncement } from '../../../src/operations/administration/announcements.ts';
import { changeRole } from '../../../src/operations/administration/change-role.ts';
import { setHashtagDisallowed } from '../../../src/operations/administration/disallowed-hashtags.ts';
import { blockDomain } from '../../../src/operations/administration/domain-blocks.ts';
import { blockEmailDomain } from '../../../src/operations/administration/email-domain-blocks.ts';
import { putEmoji } from '../../../src/operations/administration/emojis.ts';
import { blockAddress } from '../../../src/operations/administration/ip-blocks.ts';
import { addRole } from '../../../src/operations/administration/roles.ts';
import { stopDelivery } from '../../../src/operations/administration/server-decisions.ts';
import { addRule } from '../../../src/operations/administration/server-rules.ts';
import { publishTerms } from '../../../src/operations/administration/terms.ts';
import { blockUsername } from '../../../src/operations/administration/username-blocks.ts';
import { warnAccount } from '../../../src/operations/administration/warn-account.ts';
import { addWarningPreset } from '../../../src/operations/administration/warning-presets.ts';
import { addWebhook } from '../../../src/operations/administration/webhooks.ts';
import { writeDocument } from '../../../src/operations/administration/write-documents.ts';
import { operator } from '../../../src/operations/caller.ts';
import { subscribeToDomainList } from '../../../src/operations/domain-lists/subscriptions.ts';
import { settingsOf } from '../../../src/operations/instance/settings.ts';
import { joinRelay } from '../../../src/operations/relay/joined-relays.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { pseudo, strayWords } from './pseudo.ts';
import { type Person, type Shown, Site } from './site.ts';

const inPseudo = new Languages(undefined, [pseudo]);

/** Names of digits and texts without ASCII letters: whatever has some is not by its people. */
async function liveliness() {
  const site = new Site();
  const [one, two] = [await site.person('1001', { role: 'owner' }), await site.person('1002')];
  const context = { caller: operator, services: site.gateway.services };
  await one.act(`/web/accounts/${two.id}/follow`);
  await two.act(`/web/accounts/${one.id}/follow`);
  for (const verb of ['notify', 'hide-boosts', 'feature']) await one.act(`/web/accounts/${two.id}/${verb}`);
  await one.act(`/web/accounts/${two.id}/note`, { note: 'Птица' });
  await one.act(`/web/tags/${encodeURIComponent('птица')}/follow`);
  await one.act('/web/featured-tags', { name: 'птица' });
  await one.act(`/web/servers/other.example/hide`);
  await one.act('/web/lists', { title: 'Список' });
  await one.act('/web/filters', { title: 'Фильтр', context: 'home', rows: '1', keyword_0: 'слово', action: 'warn' });
  await one.act('/web/collections', { name: 'Сборник', description: 'Люди', tag_name: 'птица' });
  await publishAnnouncement(context, { text: 'Новость', allDay: false, startsAt: 1, endsAt: 4_102_444_800_000 });
  await writeDocument(context, { name: 'privacy-policy', text: 'Тайна', isHtml: false });
  await warnAccount(context, { account: '1001', text: 'Осторожно' });
  const post = await one.write('Первый #птица', { spoiler_text: 'Тайна' });
  await one.write('Опрос', { poll: '1', poll_expires_in: '86400' });
  await one.act(`/web/statuses/${post}/pin`);
  await one.act(`/web/statuses/${post}/edit`, { status: 'Второй #птица', spoiler_text: 'Сова' });
  const own = await one.write('Слово @1002', { visibility: 'direct' });
  await one.act('/web/statuses', { status: 'Потом', scheduled_at: '2031-01-01T10:00', in_reply_to_id: post });
  for (const verb of ['favourite', 'reblog', 'bookmark']) await two.act(`/web/statuses/${post}/${verb}`);
  const answer = await two.write('@1001 Ответ слово', { in_reply_to_id: post });
  await two.write('@1001 Цитата', { quoted_status_id: post });
  await two.write('@1001 Наедине', { visibility: 'direct' });
  for (const verb of ['favourite', 'bookmark']) await one.act(`/web/statuses/${answer}/${verb}`);
  const [list] = listsOf(site.gateway.actors.read, one.id);
  const { location: filter } = await one.ask('/filters').then(({ html }) => linkIn(html, /href="(\/filters\/\d+)"/));
  const { location: collection } = await one
    .ask('/collections')
    .then(({ html }) => linkIn(html, /"(\/collections\/\d+)"/));
  await two.act(`/web/accounts/${one.id}/report`, { status: post, comment: 'Смотри' });
  const [reported] = latestOpenReports(site.gateway.actors.read, 1);
  await blockDomain(context, { domain: 'bad.example', severity: 'suspend', publicComment: 'Спам' });
  const block = findDomainBlock(site.gateway.actors.read, 'bad.example')!.id;
  await stopDelivery(context, { domain: 'bad.example' });
  await addRule(context, { text: 'Правило', hint: 'Подробно' });
  await setHashtagDisallowed(context, { hashtag: 'плохо', isDisallowed: true });
  await blockAddress(context, { range: '192.0.2.0/24', severity: 'sign_up_block', comment: 'Буря' });
  await blockEmailDomain(context, { domain: 'bad.example', allowWithApproval: true });
  await blockUsername(context, { username: '1003', isExact: true });
  await putEmoji(context, { shortcode: '1004', image: 'https://files.example/1004.png', isHidden: true });
  await publishTerms(context, { day: 47_000, text: 'Правила', isHtml: false });
  await joinRelay(context, { address: 'https://relay.example/inbox' });
  const list1 = { url: 'https://lists.example/1.csv', title: 'Список' };
  const { id: blocklist } = await subscribeToDomainList(context, list1);
  const preset = (await addWarningPreset(context, { title: 'Спам', text: 'Не надо' })).id;
  const { id: webhook } = await addWebhook(context, { url: 'https://1005.example/', events: ['status.created'] });
  const added = { name: 'Помощники', color: '#8800ff', highlighted: true, permissions: ['manageRules' as const] };
  const { role } = await addRole(context, added);
  await changeRole(context, { account: '1002', role: role.id });
  await one.act('/web/invites', { comment: 'Птица', autofollow: '1', seconds: '1800' });
  const [{ invite }] = invitesOf(site.gateway.actors.read, one.id, { limit: 1 }).items as [StoredInvite];
  const rule = settingsOf(site.gateway.services).rules[0]!.id;
  const announcement = listAnnouncements(site.gateway.actors.read)[0]!.id;
  return {
    site,
    rule,
    preset,
    webhook,
    role: role.id,
    announcement,
    invite: invite.code,
    one,
    two,
    post,
    own,
    answer,
    list: list!.id,
    filter,
    collection,
    report: reported!.id,
    block,
    blocklist,
  };
}

function linkIn(html: string, pattern: RegExp): { location: string } {
  return { location: pattern.exec(html)?.[1] ?? 'no link' };
}

type Life = Awaited<ReturnType<typeof liveliness>>;

/** Every page, by its route. */
const pages: Readonly<Record<string, (life: Life) => string>> = {
  '/': () => '/',
  '/about': () => '/about',
  '/about/servers': () => '/about/servers',
  '/announcements': () => '/announcements',
  '/relay/status': () => '/relay/status',
  '/offline': () => '/offline',
  '/privacy-policy': () => '/privacy-policy',
  '/terms-of-service': () => '/terms-of-service',
  '/public/local': () => '/public/local',
  '/public/remote': () => '/public/remote?media=1',
  '/public/link': () => '/public/link?url=1',
  '/public': () => '/public',
  '/explore': () => '/explore',
  '/explore/tags': () => '/explore/tags',
  '/explore/links': () => '/explore/links',
  '/explore/people': () => '/explore/people',
  '/notifications': () => '/notifications',
  '/notifications/mentions': () => '/notifications/mentions',
  '/notifications/replies': () => '/notifications/replies',
  '/notifications/requests': () => '/notifications/requests?done=policy',
  '/notifications/requests/:id': () => '/notifications/requests/1',
  '/disputes/strikes': () => '/disputes/strikes',
  '/disputes/strikes/:id': () => '/disputes/strikes/1',
  '/conversations': () => '/conversations',
  '/followed_tags': () => '/followed_tags',
  '/domain_blocks': () => '/domain_blocks',
  '/domain_blocks/new': () => '/domain_blocks/new?domain=!',
  '/settings': () => '/settings?done=profile',
  '/settings/delete': () => '/settings/delete',
  '/settings/statuses_cleanup': () => '/settings/statuses_cleanup?done=1',
  '/settings/export': () => '/settings/export',
  '/settings/import': () => '/settings/import',
  '/settings/preferences': () => '/settings/preferences?done=1',
  '/settings/push': () => '/settings/push?done=off',
  '/settings/mails': () => '/settings/mails?done=1',
  '/unsubscribe': () => '/unsubscribe?token=1',
  '/email_subscriptions/confirmation': () => '/email_subscriptions/confirmation?token=1',
  '/email_subscriptions/unsubscribe': () => '/email_subscriptions/unsubscribe?token=1',
  '/settings/security': () => '/settings/security',
  '/settings/security/app': () => '/settings/security/app',
  '/settings/security/passkeys/:id': () => '/settings/security/passkeys/1',
  '/settings/reports': () => '/settings/reports',
  '/settings/sessions': () => '/settings/sessions',
  '/settings/moving': () => '/settings/moving?done=added',
  '/share': () => '/share',
  '/scheduled': () => '/scheduled?done=moved',
  '/bookmarks': () => '/bookmarks',
  '/favourites': () => '/favourites',
  '/collections': () => '/collections',
  '/collections/:id': ({ collection }) => collection,
  '/@:name': () => '/@1001',
  '/@:name/:id': ({ post }) => `/@1001/${post}`,
  '/@:name/:id/embed': ({ post }) => `/@1001/${post}/embed`,
  '/@:name/:id/quotes': ({ post }) => `/@1001/${post}/quotes`,
  '/@:name/:id/favourites': ({ post }) => `/@1001/${post}/favourites`,
  '/@:name/:id/reblogs': ({ post }) => `/@1001/${post}/reblogs`,
  '/@:name/:id/history': ({ post }) => `/@1001/${post}/history`,
  '/@:name/followers': () => '/@1001/followers',
  '/@:name/following': () => '/@1002/following',
  '/@:name/endorsements': () => '/@1001/endorsements',
  '/@:name/tagged/:tag': () => '/@1001/tagged/%D0%BF%D1%82%D0%B8%D1%86%D0%B0',
  '/follow_requests': () => '/follow_requests',
  '/suggestions': () => '/suggestions',
  '/mutes': () => '/mutes',
  '/blocks': () => '/blocks',
  '/tags/:name': () => '/tags/%D0%BF%D1%82%D0%B8%D1%86%D0%B0',
  '/web/find': () => '/web/find?handle=1',
  '/web/statuses/:id/edit': ({ post }) => `/web/statuses/${post}/edit`,
  '/web/statuses/:id/filter': ({ answer }) => `/web/statuses/${answer}/filter`,
  '/web/statuses/:id/quote': ({ post }) => `/web/statuses/${post}/quote`,
  '/web/accounts/:id/languages': ({ two }) => `/web/accounts/${two.id}/languages`,
  '/web/accounts/:id/mute': ({ two }) => `/web/accounts/${two.id}/mute`,
  '/web/accounts/:id/report': ({ two, post }) => `/web/accounts/${two.id}/report?status=${post}`,
  '/lists': () => '/lists?done=removed',
  '/lists/:id': ({ list }) => `/lists/${list}`,
  '/lists/:id/people': ({ list }) => `/lists/${list}/people`,
  '/lists/:id/settings': ({ list }) => `/lists/${list}/settings?done=changed`,
  '/web/accounts/:id/lists': ({ two }) => `/web/accounts/${two.id}/lists`,
  '/filters': () => '/filters?done=made',
  '/filters/:id': ({ filter }) => `${filter}?done=changed`,
  '/admin': () => '/admin',
  '/admin/reports': () => '/admin/reports?done=resolved',
  '/admin/reports/:id': ({ report }) => `/admin/reports/${report}`,
  '/admin/servers': () => '/admin/servers?availability=unavailable',
  '/admin/servers/:id': () => '/admin/servers/bad.example?done=deliveryStopped',
  '/admin/domains': () => '/admin/domains?done=blocked',
  '/admin/domains/lists': () => '/admin/domains/lists',
  '/admin/domains/subscriptions': () => '/admin/domains/subscriptions?done=listEnded',
  '/admin/domains/subscriptions/:id': ({ blocklist }) => `/admin/domains/subscriptions/${blocklist}`,
  '/admin/domains/allowed': () => '/admin/domains/allowed',
  '/admin/domains/:id': ({ block }) => `/admin/domains/${block}`,
  '/admin/trends': () => '/admin/trends',
  '/admin/trends/links': () => '/admin/trends/links',
  '/admin/trends/statuses': () => '/admin/trends/statuses',
  '/admin/trends/publishers': () => '/admin/trends/publishers',
  '/admin/trends/hashtags': () => '/admin/trends/hashtags',
  '/admin/blocks/addresses': () => '/admin/blocks/addresses',
  '/admin/blocks/email-domains': () => '/admin/blocks/email-domains',
  '/admin/blocks/emails': () => '/admin/blocks/emails',
  '/admin/blocks/usernames': () => '/admin/blocks/usernames',
  '/admin/relays': () => '/admin/relays',
  '/admin/settings': () => '/admin/settings',
  '/admin/accounts': () => '/admin/accounts?done=accountDecided',
  '/admin/accounts/:id': ({ two }) => `/admin/accounts/${two.id}`,
  '/admin/accounts/:id/posts': ({ two }) => `/admin/accounts/${two.id}/posts`,
  '/admin/presets': () => '/admin/presets?done=presetAdded',
  '/admin/presets/:id': ({ preset }) => `/admin/presets/${preset}`,
  '/admin/webhooks': () => '/admin/webhooks?done=webhookAdded',
  '/admin/webhooks/:id': ({ webhook }) => `/admin/webhooks/${webhook}`,
  '/admin/roles': () => '/admin/roles?done=roleAdded',
  '/admin/roles/:id': ({ role }) => `/admin/roles/${role}`,
  '/admin/rules': () => '/admin/rules',
  '/admin/appeals': () => '/admin/appeals?done=appealApproved',
  '/admin/announcements': () => '/admin/announcements',
  '/admin/emojis': () => '/admin/emojis',
  '/admin/emojis/:id': () => '/admin/emojis/1004',
  '/admin/emoji-copies': () => '/admin/emoji-copies',
  '/admin/settings/documents': () => '/admin/settings/documents',
  '/admin/settings/picture': () => '/admin/settings/picture',
  '/admin/settings/terms': () => '/admin/settings/terms',
  '/admin/audit': () => '/admin/audit',
  '/admin/measures': () => '/admin/measures',
  '/admin/machine': () => '/admin/machine',
  '/admin/storage': () => '/admin/storage',
  '/admin/rules/:id': ({ rule }) => `/admin/rules/${rule}`,
  '/admin/announcements/:id': ({ announcement }) => `/admin/announcements/${announcement}`,
  '/auth/sign_in': () => '/auth/sign_in',
  '/auth/sign_in/code': () => '/auth/sign_in/code',
  '/auth/sign_in/passkey': () => '/auth/sign_in/passkey',
  '/auth/sign_up': () => '/auth/sign_up',
  '/invite/:code': ({ invite }) => `/invite/${invite}`,
  '/invites': () => '/invites?done=made',
  '/admin/invites': () => '/admin/invites?done=inviteEnded',
  '/auth/confirmation': () => '/auth/confirmation?token=1',
  '/auth/password/new': () => '/auth/password/new',
  '/auth/password/reset': () => '/auth/password/reset?token=1',
  '/auth/sign_out': () => '/auth/sign_out',
  '/oauth/authorize': () => '/oauth/authorize?client_id=1',
  '/oauth/authorize/native': () => '/oauth/authorize/native?code=1',
};

/** Routes of GET that are no pages: documents, redirects, files, streams. */
const noPages =
  /^\/(?:api|users|actor|contexts|objects|activities|nodeinfo|\.well-known|assets|avatars|headers|oauth\/userinfo|health|ap|media|media_proxy|web\/media|web\/completions|web\/emojis|web\/notifications|web\/settings\/push|settings\/exports|settings\/imports|settings\/export\/archive|admin\/domains\/lists\/(?:blocks|allows))\b|^\/relay(?:\/outbox|\/followers|\/status\.json)?$|^\/(?:favicon\.ico|robots\.txt|authorize_interaction|home|web\/home|banner\.png|sw\.js|manifest\.webmanifest)$|\.(?:png|xml)$/;

describe('in a language of other letters', () => {
  test('no page has a word that is not from the catalogue', async () => {
    const life = await liveliness();
    Object.assign(life.site.gateway.services, { languages: inPseudo });
    const found: string[] = [];
    const look = async (who: Pick<Person, 'ask'>, path: string) => {
      const page = await who.ask(path);
      if (page.location === null) found.push(...straysOf(path, page));
    };
    for (const address of Object.values(pages)) {
      await look(life.one, address(life));
      await look(life.site.stranger, address(life));
    }
    await look(life.two, '/notifications');
    await look(life.two, `/@1001?replies=1`);
    expect(found).toEqual([]);
  });

  test('every page is looked at', () => {
    const redirects = new Set([...formsByHand, ...adminFormsByHand, ...waysIn].map(({ path }) => path));
    const gets = rawRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);
    expect(gets.filter((path) => !noPages.test(path) && !redirects.has(path) && !Object.hasOwn(pages, path))).toEqual(
      [],
    );
  });

  test('nothing that is refused is said in other words', async () => {
    const life = await liveliness();
    Object.assign(life.site.gateway.services, { languages: inPseudo });
    const { one, post } = life;
    const long = '1'.repeat(2_000);
    const forms: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
      ['/web/statuses', { status: ' ' }],
      ['/web/statuses', { status: '1', poll: '1', poll_option: '1', poll_expires_in: '86400' }],
      ['/web/statuses', { status: '1', scheduled_at: '1' }],
      ['/web/statuses', { status: '1', visibility: '1' }],
      [`/web/statuses/${post}/edit`, { status: ' ' }],
      ['/web/settings/profile', { display_name: long, note: long, field_name_0: long, field_value_0: '1' }],
      ['/web/settings/password', { present: '1', wanted: '1' }],
      ['/web/settings/aliases', { alias: '1001' }],
      ['/web/settings/move', { target: '1002', password: '1' }],
      ['/web/featured-tags', { name: ' ' }],
      ['/web/lists', { title: ' ' }],
      ['/web/filters', { title: ' ', context: '1' }],
      ['/web/collections', { name: ' ' }],
      [`${life.collection.replace('/', '/web/')}/items`, { handle: '1' }],
      [`/web/accounts/${life.two.id}/report`, { comment: long }],
      ['/web/statuses/1/favourite', {}],
      [`/web/admin/reports/${life.report}/act`, { text: '1' }],
      ['/web/admin/domains', { domain: '!' }],
      ['/web/admin/domains/allowed', { domain: '!' }],
      ['/web/admin/domains/subscriptions', { url: '!', how: 'subscribe' }],
      ['/web/admin/blocks/addresses', { range: '!' }],
      ['/web/admin/rules', { text: ' ' }],
      ['/web/admin/roles', { name: ' ', position: '1', color: '1' }],
      ['/web/admin/roles', { name: '1', position: '!' }],
      ['/web/admin/announcements', { text: ' ' }],
      ['/web/admin/emojis', { shortcode: '1' }],
      ['/web/admin/relays', { address: '1' }],
      ['/web/admin/settings', { title: ' ' }],
      ['/web/admin/trends/hashtags', { hashtag: '!' }],
      ['/web/invites', { uses: '!', seconds: '1', comment: long }],
      ['/auth/sign_up', { invite_code: '1' }],
      ['/auth/sign_in', { email: '1', password: '1' }],
      ['/auth/sign_up', { username: '!', email: '1', password: '1' }],
      ['/auth/confirmation', { token: '1' }],
      ['/auth/password/reset', { token: '1', wanted: '1' }],
    ];
    for (const [path, fields] of forms) {
      const shown = await one.act(path, fields);
      expect([path, shown.status >= 400, straysOf(path, shown)]).toEqual([path, true, []]);
    }
  });
});

function straysOf(path: string, { html }: Shown): string[] {
  const words = strayWords(html);
  return words.length === 0 ? [] : [`${path}: ${words.join(' ')}`];
}

describe('the language of a page', () => {
  test.each([
    ['of the browser', undefined, 'fr;q=0.9, de-AT;q=0.8, en;q=0.1', 'de'],
    ['of the source, where the browser asks for none that there is', undefined, 'fr', 'en'],
    ['of the account, whatever the browser asks for', 'de', 'en', 'de'],
    ['of the browser, where there is none of the account', 'fr', 'de', 'de'],
  ] as const)('is that %s', async (_, locale, accepted, expected) => {
    const site = new Site();
    const guest = locale === undefined ? site.stranger : await site.person('alice', { locale });
    const { html, headers } = await guest.ask('/about', { headers: { 'accept-language': accepted } });
    expect(html).toContain(`<html lang="${expected}" dir="ltr">`);
    expect(html).toContain(expected === 'de' ? '>Über Murmuration</h1>' : '>About Murmuration</h1>');
    expect(headers.get('vary')).toBe('Accept-Language, Cookie');
  });

  test('is one that the operator chooses for whoever asks for none', async () => {
    const site = new Site();
    Object.assign(site.gateway.services, { languages: new Languages('de') });
    expect((await site.stranger.ask('/about')).html).toContain('<html lang="de"');
  });

  test('is chosen in the settings, and kept', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    expect((await alice.ask('/settings')).html).toContain('<option value="de" lang="de">Deutsch</option>');
    await alice.act('/web/settings/profile', { display_name: 'Alice', locale: 'de' });
    const { html } = await alice.ask('/settings?done=profile');
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('Dein Profil ist geändert.');
    expect((await alice.act('/web/settings/profile', { locale: '?' })).status).toBe(422);
  });

  test('comes with the account that signed up in it', async () => {
    const site = new Site();
    const german = { 'accept-language': 'de' };
    const form = await site.stranger.ask('/auth/sign_up', { headers: german });
    const token = /name="form_token" value="([^"]+)"/.exec(form.html)![1]!;
    const cookie = form.headers.get('set-cookie')!.split(';')[0]!;
    const fields = { username: 'bob', email: 'bob@b.example', password: 'a long password', agreement: 'true' };
    const answer = await site.stranger.ask('/auth/sign_up', {
      form: { form_token: token, ...fields },
      headers: { ...german, cookie },
    });
    const session = answer.headers.get('set-cookie')!.split(';')[0]!;
    const { html } = await site.stranger.ask('/', { headers: { cookie: session, 'accept-language': 'en' } });
    expect(html).toContain('<html lang="de"');
  });
});
