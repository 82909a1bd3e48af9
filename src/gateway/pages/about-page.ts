/** /about, /privacy-policy and /terms-of-service: texts of the staff about this server. */
import { findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { allTerms, currentTerms } from '../../operations/instance/terms-of-service.ts';
import { currentUsage } from '../../operations/instance/usage.ts';
import { Failure } from '../../runtime/errors.ts';
import { bannerPath } from '../banner.ts';
import { dateOfDay } from '../entities/values.ts';
import { queryFields } from '../oauth/forms.ts';
import { pageHandler } from './page-handler.ts';
import { byline } from './parts/account.ts';
import { defaultDescription, joinButtons } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { type Html, html } from './parts/html.ts';
import { previewTags } from './parts/meta.ts';
import { rulesFor, rulesList } from './parts/rules.ts';
import { storedHtml } from './parts/stored.ts';
import { fullTime } from './parts/time.ts';
import type { Visit } from './visit.ts';

const counted = new Intl.NumberFormat('en');
const registrationWords = {
  open: 'Everybody may create an account here.',
  approval: 'New accounts are opened by the staff.',
  closed: 'This server takes no new accounts at the moment.',
} as const;

export const aboutPage = pageHandler((visit) => {
  const { title, description, extendedDescription, rules, registrations } = visit.settings;
  const main = html`<section class="card plain about">
<h1>About ${title}</h1>
<p class="lead" dir="auto">${description === '' ? defaultDescription : description}</p>
${extendedDescription !== undefined && html`<div class="content" dir="auto">${storedHtml(extendedDescription.content)}</div>`}
${usage(visit)}
<h2>Joining</h2>
<p>${registrationWords[registrations]} An account here can follow, and be followed by, people on every server of the fediverse: Mastodon, PeerTube, Pixelfed and many more.</p>
${visit.account === undefined && joinButtons(visit)}
<h2>Rules</h2>
${rules.length > 0 ? rulesList(rulesFor(rules, visit.language)) : html`<p>The staff has written no rules yet. Be kind.</p>`}
${contact(visit)}
<p><a href="/privacy-policy">Privacy policy</a>${currentTerms(visit.services) !== undefined && html` · <a href="/terms-of-service">Terms of service</a>`}</p>
</section>`;
  const head = previewTags(visit, {
    type: 'website',
    title: `About ${title}`,
    description,
    image: bannerPath,
    address: `${visit.services.addresses.origin}/about`,
  });
  return siteAnswer(visit, { title: 'About', main, head, current: 'about' });
});

function usage({ services }: Visit): Html {
  const { users, statuses, hosts } = currentUsage(services);
  const count = (value: number, words: string) => html`<div><dt>${words}</dt><dd>${counted.format(value)}</dd></div>`;
  return html`<dl class="counts">${count(users, users === 1 ? 'person' : 'people')}${count(statuses, statuses === 1 ? 'post' : 'posts')}${count(hosts, hosts === 1 ? 'known server' : 'known servers')}</dl>`;
}

function contact(visit: Visit): Html | undefined {
  const { contactAccountId } = visit.settings;
  const { contactEmail } = visit.services.options;
  const account = contactAccountId === undefined ? undefined : findAccount(visit.services.snapshots, contactAccountId);
  if (account === undefined && contactEmail === undefined) return undefined;
  return html`<h2>Contact</h2>
${account !== undefined && byline(visit, account.profile)}
${contactEmail !== undefined && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`}`;
}

export const privacyPage = pageHandler((visit) => {
  const { privacyPolicy } = visit.settings;
  const main = html`<section class="card plain"><h1>Privacy policy</h1>
<div class="content" dir="auto">${storedHtml(privacyPolicy.content)}</div>
<p class="edited">Last changed ${fullTime(privacyPolicy.updatedAt)}</p></section>`;
  return siteAnswer(visit, { title: 'Privacy policy', main, current: 'about' });
});

/** The version in force, or another one by `?date=`. */
export const termsPage = pageHandler((visit, { request }) => {
  const date = queryFields(request.query).get('date');
  const versions = allTerms(visit.services);
  const terms = date === undefined ? currentTerms(visit.services) : versions.find(({ day }) => dateOfDay(day) === date);
  if (terms === undefined) throw new Failure('notFound');
  const link = (day: number) => html`<a href="/terms-of-service?date=${dateOfDay(day)}">${dateOfDay(day)}</a>`;
  const main = html`<section class="card plain"><h1>Terms of service</h1>
<p class="edited">${terms.isEffective ? 'In force' : 'They will be in force'} from ${dateOfDay(terms.day)} on${terms.succeededBy !== undefined && html`, until those of ${link(terms.succeededBy)}`}.</p>
<div class="content" dir="auto">${storedHtml(terms.content)}</div></section>`;
  return siteAnswer(visit, { title: 'Terms of service', main, current: 'about' });
});
