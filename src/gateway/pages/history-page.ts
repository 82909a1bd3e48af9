/** /@NAME/ID/history: the versions of an edited post, latest first, and what each has changed. */
import { versionsOf } from '../../actors/account/statuses/status-versions.queries.ts';
import type { StatusVersion } from '../../actors/account/statuses/statuses.records.ts';
import { toPlainText } from '../../actors/text/plain.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Html, html } from '../../services/words/html.ts';
import { shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { plainName } from './parts/account.ts';
import { siteAnswer } from './parts/frame.ts';
import { statusPath } from './parts/links.ts';
import { linkTo } from './parts/slots.ts';
import { fullTime } from './parts/time.ts';
import { wordChanges } from './parts/word-changes.ts';
import { accountOfPage } from './profile-page.ts';
import { idInPath, type Visit } from './visit.ts';

export const historyPage = pageHandler((visit, context) => {
  const { profile } = accountOfPage(visit.services, context.pathParameters.name ?? '');
  const view = shownStatus(visit, idInPath(context), 'single');
  if (view === undefined || view.reblog !== undefined || view.status.accountId !== profile.id)
    throw new Failure('notFound');
  const words = visit.words.posts.history;
  const versions = versionsOf(visit.services.snapshots, view.status).slice(-webLimits.pageVersions - 1);
  const isCut = versions.length > webLimits.pageVersions;
  const entries = versions
    .map((version, index) => versionEntry(visit, version, versions[index - 1]))
    .slice(isCut ? 1 : 0);
  const main = html`<h1 class="list">${words.title}</h1>
<p class="list">${words.of({ link: linkTo(statusPath(visit, view)), name: html`<bdi>${plainName(profile)}</bdi>` })}</p>
<ol class="timeline history" aria-label="${words.title}" reversed>${entries.reverse()}</ol>
${isCut && html`<p class="list fine">${words.earlier}</p>`}`;
  return siteAnswer(visit, { title: words.title, main, isIndexed: false });
});

function versionEntry(visit: Visit, version: StatusVersion, before: StatusVersion | undefined): Html {
  const words = visit.words.posts.history;
  const time = fullTime(visit, version.createdAt);
  const label = before === undefined ? words.written({ time }) : words.edited({ time });
  const facts = before === undefined ? [] : changedFacts(visit, version, before);
  const hasWarning = version.spoilerText !== '' || (before?.spoilerText ?? '') !== '';
  return html`<li class="entry"><p class="context">${label}</p>
${hasWarning && html`<p class="warned" dir="auto">${compared(visit, before?.spoilerText, version.spoilerText)}</p>`}
<p class="compared" dir="auto">${compared(visit, before && textOf(before), textOf(version))}</p>
${pollOf(visit, version, before)}
${facts.length > 0 && html`<ul class="fine">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`}</li>`;
}

/** A post of another server may be a megabyte, in each of its versions. */
function textOf({ content }: StatusVersion): string {
  const { versionCharacters: most } = webLimits;
  return content.length <= most ? toPlainText(content) : `${toPlainText(content.slice(0, most))}…`;
}

/** Marked for eyes by the style sheet, for ears by words. */
function compared({ words: { posts } }: Visit, before: string | undefined, after: string): Html {
  if (before === undefined) return html`${after}`;
  const { added, removed } = posts.history;
  const { versionCharacters: most } = webLimits;
  const pieces = wordChanges(before.slice(0, most), after.slice(0, most)).map(({ kind, text }) => {
    if (kind === 'kept') return html`${text}`;
    if (kind === 'added') return html`<ins><span class="unseen">${added} </span>${text}</ins>`;
    return html`<del><span class="unseen">${removed} </span>${text}</del>`;
  });
  return html`${pieces}`;
}

function pollOf(
  visit: Visit,
  { pollOptions: fresh = [] }: StatusVersion,
  before: StatusVersion | undefined,
): Html | undefined {
  const old = before?.pollOptions;
  if (fresh.length === 0 && (old ?? []).length === 0) return undefined;
  const [oldText, text] = [old?.join('\n') ?? (before && ''), fresh.join('\n')];
  return html`<p class="compared poll-answers" dir="auto">${compared(visit, oldText, text)}</p>`;
}

function changedFacts(visit: Visit, version: StatusVersion, before: StatusVersion): readonly string[] {
  const { media, descriptions, sensitive, notSensitive, quote } = visit.words.posts.history;
  const ids = ({ attachments }: StatusVersion) => attachments.map(({ id }) => id).join(' ');
  const alts = ({ attachments }: StatusVersion) => attachments.map(({ description = '' }) => description).join('\n');
  const isOtherMedia = ids(version) !== ids(before);
  return [
    ...(isOtherMedia ? [media] : []),
    ...(!isOtherMedia && alts(version) !== alts(before) ? [descriptions] : []),
    ...(version.sensitive === before.sensitive ? [] : [version.sensitive ? sensitive : notSensitive]),
    ...(version.quotedStatusId === before.quotedStatusId ? [] : [quote]),
  ];
}
