/** A site with one of everything that staff decide about: each page has something to show, and each form is on some page. */
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { warningsOf } from '../../../../src/actors/account/moderation/warnings.queries.ts';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { fetchCard } from '../../../../src/actors/domain/cards/cards.effects.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { publishAnnouncement } from '../../../../src/operations/administration/announcements.ts';
import { blockCanonicalEmail } from '../../../../src/operations/administration/canonical-email-blocks.ts';
import { setHashtagDisallowed } from '../../../../src/operations/administration/disallowed-hashtags.ts';
import { allowDomain } from '../../../../src/operations/administration/domain-allows.ts';
import { blockDomain } from '../../../../src/operations/administration/domain-blocks.ts';
import { blockEmailDomain } from '../../../../src/operations/administration/email-domain-blocks.ts';
import { putEmoji } from '../../../../src/operations/administration/emojis.ts';
import { addServerInvite } from '../../../../src/operations/administration/invites.ts';
import { blockAddress } from '../../../../src/operations/administration/ip-blocks.ts';
import { limitAccount } from '../../../../src/operations/administration/limit-account.ts';
import { markAccountSensitive } from '../../../../src/operations/administration/mark-account-sensitive.ts';
import {
  addAccountNote,
  addReportNote,
  addServerNote,
} from '../../../../src/operations/administration/moderation-notes.ts';
import { addRole } from '../../../../src/operations/administration/roles.ts';
import { stopDelivery } from '../../../../src/operations/administration/server-decisions.ts';
import { addRule } from '../../../../src/operations/administration/server-rules.ts';
import { suspendAccount } from '../../../../src/operations/administration/suspend-account.ts';
import { publishTerms } from '../../../../src/operations/administration/terms.ts';
import { blockUsername } from '../../../../src/operations/administration/username-blocks.ts';
import { addWarningPreset } from '../../../../src/operations/administration/warning-presets.ts';
import { addWebhook, disableWebhook } from '../../../../src/operations/administration/webhooks.ts';
import { writeDocument } from '../../../../src/operations/administration/write-documents.ts';
import { operator } from '../../../../src/operations/caller.ts';
import { subscribeToDomainList } from '../../../../src/operations/domain-lists/subscriptions.ts';
import { unlimited } from '../../../../src/operations/rate-limits.ts';
import { joinRelay } from '../../../../src/operations/relay/joined-relays.ts';
import { assignReport } from '../../../../src/operations/reports/handle-reports.ts';
import { resolveReport } from '../../../../src/operations/reports/open-reports.ts';
import { reviewTrend } from '../../../../src/operations/trends/review-trends.ts';
import { plainPost } from '../../../support/plain-post.ts';
import { testProfile } from '../../../support/profile.ts';
import { addAccount } from '../../../support/sign-up.ts';
import { Site } from '../site.ts';
import { report, withStaff } from './staff.ts';

/** Of a post that trends. */
const likesMin = 5;

type Staff = Awaited<ReturnType<typeof withStaff>>;

/** What nobody asks here. */
const networks = {
  domainLists: {
    try: async () => ({
      ...{ detail: '', domains: 0, unreadable: 0, rows: [] },
      counts: { begins: 0, changes: 0, ends: 0, suggested: 0, nothing: 0 },
    }),
  },
};

export interface Office extends Staff {
  /** Pages of accounts: no list shows all of them at once. */
  readonly accounts: readonly string[];
}

/** Whoever makes it closes its gateway. */
export async function furnishedOffice(): Promise<Office> {
  const staff = await withStaff(new Site([], { isShared: true }));
  const { services } = staff.site.gateway;
  Object.assign(services, networks);
  Object.assign(services.mail, { isOn: true });
  const accounts = await addAccounts(staff);
  await addServers(staff.site);
  await addTexts(staff.site);
  await addTrends(staff);
  return { ...staff, accounts: accounts.map((id) => `/admin/accounts/${id}`) };
}

const contextOf = ({ gateway: { services } }: Site) => ({ caller: operator, services });

/** Reported, limited, suspended, waiting, of another server: what can be done about an account depends on its state. */
async function addAccounts({ site, user, moderator, owner }: Staff): Promise<bigint[]> {
  const { actors } = site.gateway;
  const context = contextOf(site);
  const bob = await site.person('bob');
  const reportId = await report(site, user, bob, { status: await bob.write('Buy #birds') });
  const formerly = await addNotes(site, BigInt(reportId), bob.id);
  const closed = await report(site, moderator, bob);
  await resolveReport(context, { reportId: closed });
  const taken = await report(site, bob, user);
  await assignReport(context, { reportId: BigInt(taken), assignee: owner.id });
  const { id: loud } = await site.person('loud', { confirmed: false });
  await markAccountSensitive(context, { account: loud });
  await limitAccount(context, { account: loud });
  const [strike] = warningsOf(actors.read, loud, { limit: 1 }).items;
  await actors.call(Account.appeal.to(loud, { strikeId: strike!.id, text: 'I whisper', staffIds: [] }));
  await actors.call(Account.changeLogin.to(loud, { disabled: true }));
  const gone = await addAccount(actors, 'gone');
  await suspendAccount(context, { account: gone });
  const waiting = await addAccount(actors, 'waiting', { approved: false, reason: 'To read' });
  const full = await addAccount(actors, 'full');
  const picture = (name: string) => ({ file: { name, bytes: 9 } });
  const pair = { publicKeyPem: 'public', privateKeyPem: 'private', createdAt: 0 };
  await actors.call(Account.setKeysIfAbsent.to(full, pair));
  await actors.call(Account.enableTotp.to(full, { sealed: 'x', step: 1, recoveryCodes: [] }));
  await actors.call(Account.allowEmailSubscriptions.to(full, { isAllowed: true }));
  const pictures = { avatarPicture: picture('avatar.png'), headerPicture: picture('header.png') };
  await actors.call(Account.changeProfile.to(full, pictures));
  const uri = 'https://birds.example/users/ron';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: 'ron', domain: 'birds.example', remote });
  const { accountId: ron } = await actors.call(Directory.learn.to(uri, { profile }));
  return [bob.id, loud, gone, waiting, full, ron, user.id, formerly];
}

/** Of somebody who is no longer among the staff: whoever may remove notes may remove these. */
async function addNotes(site: Site, reportId: bigint, accountId: bigint): Promise<bigint> {
  const { id } = await site.person('formerly', { role: 'owner' });
  const caller = { kind: 'account', accountId: id, limits: unlimited } as const;
  const context = { caller, services: site.gateway.services };
  await addReportNote(context, { about: reportId, text: 'Look' });
  await addAccountNote(context, { about: accountId, text: 'Seen before' });
  await addServerNote(context, { about: 'birds.example', text: 'Look' });
  await site.gateway.actors.call(Account.changeLogin.to(id, { role: 'user' }));
  return id;
}

async function addServers(site: Site): Promise<void> {
  const { actors } = site.gateway;
  const context = contextOf(site);
  await blockDomain(context, { domain: 'rude.example' });
  await allowDomain(context, { domain: 'kind.example' });
  await stopDelivery(context, { domain: 'birds.example' });
  await joinRelay(context, { address: 'https://relay.example/inbox' });
  await subscribeToDomainList(context, { url: 'https://lists.example/other.csv' });
  const { id, readings } = await subscribeToDomainList(context, { url: 'https://lists.example/list.csv' });
  const listed = { severity: 'silence' as const, rejectMedia: false, rejectReports: false, obfuscate: false };
  const rows = [{ domain: 'loud.example', listed }];
  await actors.call(Instance.takeListedDomains.to(instanceKey, { listId: id, reading: readings, rows }));
  actors.send(Instance.domainListRead.to(instanceKey, { listId: id, reading: readings, problem: 'empty' }));
  actors.settle();
  await blockAddress(context, { range: '192.0.2.0/24', severity: 'sign_up_block' });
  await blockEmailDomain(context, { domain: 'throwaway.example' });
  await blockCanonicalEmail(context, { email: 'unwanted@mail.example' });
  await blockUsername(context, { username: 'support' });
}

async function addTexts(site: Site): Promise<void> {
  const context = contextOf(site);
  const { role } = await addRole(context, { name: 'Helpers', position: 5 });
  await addAccount(site.gateway.actors, 'helper', { roleId: BigInt(role.id) });
  await addRule(context, { text: 'Be kind', hint: '' });
  await publishAnnouncement(context, { text: 'Tea at five', allDay: false });
  const [file, preview] = ['large', 'small'].map((name) => ({ name: `${name}.png`, bytes: 100 }));
  const { actors } = site.gateway;
  await actors.call(Instance.changeThumbnail.to(instanceKey, { picture: { file: file!, preview, blurhash: 'L0' } }));
  await putEmoji(context, { shortcode: 'tea', image: 'https://pictures.example/tea.png', isHidden: false });
  await addWarningPreset(context, { title: 'Spam', text: 'Please do not advertise' });
  await addWebhook(context, { url: 'https://bot.example/', events: ['account.created'] });
  const { id: webhookId } = await addWebhook(context, { url: 'https://idle.example/', events: ['report.created'] });
  await disableWebhook(context, { webhookId });
  await addServerInvite(context, {});
  await publishTerms(context, { day: 30_000, text: 'Be kind.', isHtml: false });
  await writeDocument(context, { name: 'privacy-policy', text: 'Nothing is kept.', isHtml: false });
}

async function addTrends({ site, admin, owner, moderator }: Staff): Promise<void> {
  const { actors } = site.gateway;
  const context = contextOf(site);
  const writers = [admin, owner, moderator];
  for (const person of writers) await site.changeProfile(person, { discoverable: true });
  const liked = await admin.write('A good one');
  for (let each = 0; each < likesMin; each += 1) {
    const fan = await site.person(`fan_${each}`);
    await fan.act(`/web/statuses/${liked}/favourite`);
  }
  await site.settings({ trendableByDefault: false });
  await setHashtagDisallowed(context, { hashtag: 'spam', isDisallowed: true });
  await reviewTrend(context, { kind: 'publisher', name: 'news.example', isTrendable: false });
  const link = 'https://news.example/article';
  for (const person of writers) {
    actors.clock.advance(1_000);
    await actors.call(
      Account.publish.to(person.id, plainPost('Look', { link, tags: [{ name: 'birds', display: 'birds' }] })),
    );
  }
  actors.settle();
  const card = {
    url: link,
    isArticle: true,
    title: 'News',
    description: 'x',
    providerName: 'News',
    image: `${link}.png`,
  };
  for (const { effect, answer } of actors.effects) if (effect === fetchCard.number) answer({ url: link, card });
  actors.settle();
}
