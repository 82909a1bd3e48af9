/** /about, /privacy-policy and /terms-of-service: texts of the staff about this server. */
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { publishesBlocks } from '../../operations/instance/published-blocks.ts';
import { allTerms, currentTerms } from '../../operations/instance/terms-of-service.ts';
import { currentUsage } from '../../operations/instance/usage.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Html, html } from '../../services/words/html.ts';
import { bannerPath } from '../banner.ts';
import { dateOfDay } from '../entities/values.ts';
import { queryFields } from '../oauth/forms.ts';
import { limitedServersPath } from './limited-servers-page.ts';
import { pageHandler } from './page-handler.ts';
import { byline } from './parts/account.ts';
import { joinButtons } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { previewTags } from './parts/meta.ts';
import { rulesFor, rulesList } from './parts/rules.ts';
import { storedHtml } from './parts/stored.ts';
import { fullTime } from './parts/time.ts';
import type { Visit } from './visit.ts';

export const aboutPage = pageHandler((visit) => {
  const { title, description, extendedDescription, rules, registrations, closedMessage } = visit.settings;
  const { site } = visit.words;
  const { aboutServer } = site;
  const main = html`<section class="card plain about">
<h1>${aboutServer.title({ server: title })}</h1>
<p class="lead" dir="auto">${description === '' ? site.defaultDescription : description}</p>
${extendedDescription !== undefined && html`<div class="content" dir="auto">${storedHtml(visit, extendedDescription.content)}</div>`}
${usage(visit)}
<h2>${aboutServer.joining}</h2>
<p>${aboutServer[registrations]} ${aboutServer.fediverse}</p>
${registrations === 'closed' && closedMessage !== undefined && html`<div class="content" dir="auto">${storedHtml(visit, closedMessage.content)}</div>`}
${visit.account === undefined && joinButtons(visit)}
<h2>${aboutServer.rules}</h2>
${rules.length > 0 ? rulesList(rulesFor(rules, visit.language)) : html`<p>${aboutServer.noRules}</p>`}
${contact(visit)}
<p>${publishesBlocks(visit.services, visit.account !== undefined) && html`<a href="${limitedServersPath}">${aboutServer.limitedServers}</a> · `}<a href="/privacy-policy">${aboutServer.privacy}</a>${currentTerms(visit.services) !== undefined && html` · <a href="/terms-of-service">${aboutServer.terms}</a>`}</p>
</section>`;
  const head = previewTags(visit, {
    type: 'website',
    title: aboutServer.title({ server: title }),
    description,
    image: bannerPath,
    address: `${visit.services.addresses.origin}/about`,
  });
  return siteAnswer(visit, { title: site.about, main, head, current: 'about' });
});

function usage({ services, words }: Visit): Html {
  const { numbers } = words.site;
  const { users, statuses, hosts } = currentUsage(services);
  const count = (value: number, label: string) =>
    html`<div><dt>${label}</dt><dd>${words.formats.number(value)}</dd></div>`;
  return html`<dl class="counts">${count(users, numbers.people({ count: users }))}${count(statuses, numbers.posts({ count: statuses }))}${count(hosts, numbers.servers({ count: hosts }))}</dl>`;
}

function contact(visit: Visit): Html | undefined {
  const { contactAccountId } = visit.settings;
  const { contactEmail } = visit.services.options;
  const account = contactAccountId === undefined ? undefined : findAccount(visit.services.snapshots, contactAccountId);
  if (account === undefined && contactEmail === undefined) return undefined;
  return html`<h2>${visit.words.site.aboutServer.contact}</h2>
${account !== undefined && byline(visit, account.profile)}
${contactEmail !== undefined && html`<p><a href="mailto:${contactEmail}">${contactEmail}</a></p>`}`;
}

export const privacyPage = pageHandler((visit) => {
  const { privacyPolicy } = visit.settings;
  const { privacy: title, lastChanged } = visit.words.site.aboutServer;
  const main = html`<section class="card plain"><h1>${title}</h1>
<div class="content" dir="auto">${storedHtml(visit, privacyPolicy.content)}</div>
<p class="edited">${lastChanged({ time: fullTime(visit, privacyPolicy.updatedAt) })}</p></section>`;
  return siteAnswer(visit, { title, main, current: 'about' });
});

/** The version in force, or another one by `?date=`. */
export const termsPage = pageHandler((visit, { request }) => {
  const date = queryFields(request.query).get('date');
  const versions = allTerms(visit.services);
  const terms = date === undefined ? currentTerms(visit.services) : versions.find(({ day }) => dateOfDay(day) === date);
  if (terms === undefined) throw new Failure('notFound');
  const link = (day: number) => html`<a href="/terms-of-service?date=${dateOfDay(day)}">${dateOfDay(day)}</a>`;
  const { aboutServer } = visit.words.site;
  const day = dateOfDay(terms.day);
  const next = terms.succeededBy === undefined ? undefined : link(terms.succeededBy);
  const since = terms.isEffective ? aboutServer.inForce : aboutServer.willBeInForce;
  const between = terms.isEffective ? aboutServer.inForceUntil : aboutServer.willBeInForceUntil;
  const main = html`<section class="card plain"><h1>${aboutServer.terms}</h1>
<p class="edited">${next === undefined ? since({ day }) : between({ day, next })}</p>
<div class="content" dir="auto">${storedHtml(visit, terms.content)}</div></section>`;
  return siteAnswer(visit, { title: aboutServer.terms, main, current: 'about' });
});
