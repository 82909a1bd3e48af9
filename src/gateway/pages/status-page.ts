/** /@NAME/ID and /@NAME@HOST/ID: a post in its thread. */

import { type Visibility, visibilities } from '../../actors/account/account.records.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { toPlainLine } from '../../actors/text/plain.ts';
import { shorten } from '../../actors/text/shorten.ts';
import { fetchThreadWhenOld } from '../../federation/remote-objects/fetch-thread-when-old.ts';
import { refreshPollWhenOld, refreshQuoteWhenOld } from '../../federation/remote-objects/refresh-when-old.ts';
import type { ThreadContext } from '../../operations/presentation/contexts.ts';
import { presentationLimits } from '../../operations/presentation/limits.ts';
import type { PresentedStatus } from '../../operations/presentation/presented-status.ts';
import { Slice } from '../../operations/presentation/slice.ts';
import { walkThread } from '../../operations/presentation/threads.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import { pictureOrDefault } from '../../services/media/shown-pictures.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { EncodableStatus } from '../entities/encodable-status.ts';
import { statusUri } from '../entities/status.ts';
import type { Answer } from '../http/answers.ts';
import { shownPreview } from '../shown-media.ts';
import { openedStatus, placeOfThread, shownStatus } from './filtered.ts';
import { webLimits } from './limits.ts';
import { liveAddress } from './live/live-lists.ts';
import { pageHandler } from './page-handler.ts';
import { plainName } from './parts/account.ts';
import { answerEntries, threadNotice } from './parts/answers.ts';
import { composeForm } from './parts/compose.ts';
import { siteAnswer } from './parts/frame.ts';
import { elsewhere, handleOf, pathOfStatus } from './parts/links.ts';
import { alternateHeaders, type Preview, previewTags } from './parts/meta.ts';
import { reactionCounts } from './parts/reaction-tabs.ts';
import { replyRefusal } from './parts/reply-policy.ts';
import { article, entry } from './parts/status.ts';
import { fullTime } from './parts/time.ts';
import { arrivalWords } from './parts/timeline.ts';
import { accountOfPage } from './profile-page.ts';
import type { Visit } from './visit.ts';

export const statusPage = pageHandler(async (visit, { pathParameters }) => {
  const account = accountOfPage(visit.services, pathParameters.name ?? '');
  const id = parseId(pathParameters.id ?? '');
  const view = id === undefined ? undefined : openedStatus(visit, id);
  if (view === undefined || view.reblog !== undefined || view.status.accountId !== account.profile.id) {
    throw new Failure('notFound');
  }
  if (visit.account !== undefined && view.status.poll !== undefined) refreshPollWhenOld(visit.services, view, visit);
  if (visit.account !== undefined) refreshQuoteWhenOld(visit.services, view.status, visit);
  const { services, cause, asker } = visit;
  const isRemote = visit.account !== undefined && account.profile.domain !== undefined;
  const running = isRemote ? await fetchThreadWhenOld(services, view.status.id, cause) : undefined;
  const thread = await services.slices.run(threadOf(visit, view), asker);
  return showStatus(visit, view, { ...thread, isFetched: running !== undefined });
});

interface ShownThread {
  readonly ancestors: readonly PresentedStatus[];
  /** The first ones. */
  readonly answers: readonly PresentedStatus[];
  /** How many more there are. */
  readonly more: number;
  /** More of it may come from other servers. */
  readonly isFetched?: boolean;
}

/** A long thread is read in slices, so that other requests run in between. */
function* threadOf(visit: Visit, { status }: PresentedStatus): Generator<undefined, ShownThread> {
  const { presenter } = visit.services;
  const known = presenter.status(status.id);
  if (known === undefined) throw new Failure('notFound');
  const { ancestors, descendants } = yield* walkThread(presenter.threads, known);
  const place = placeOfThread(visit, status.accountId);
  const shownAncestors = yield* shownOf(visit, ancestors, place);
  const shownDescendants = yield* shownOf(visit, descendants, place);
  const answers = shownDescendants.slice(0, webLimits.threadAnswersMax);
  return {
    ancestors: viewsOf(visit, shownAncestors, place),
    answers: viewsOf(visit, answers, place),
    more: shownDescendants.length - answers.length,
  };
}

function* shownOf(
  { services, account }: Visit,
  statuses: readonly EncodableStatus['status'][],
  place: ThreadContext,
): Generator<undefined, Id[]> {
  const { presenter } = services;
  const { statusesAtOnce } = presentationLimits;
  const slice = new Slice(presenter);
  const shown: Id[] = [];
  for (let index = 0; index < statuses.length; index += statusesAtOnce) {
    const some = statuses.slice(index, index + statusesAtOnce);
    for (const { status } of presenter.pageOf(some, account?.id, place)) shown.push(status.id);
    if (!slice.isOver(some.length)) continue;
    yield;
    slice.begin();
  }
  return shown;
}

function viewsOf(visit: Visit, ids: readonly Id[], place: ThreadContext): PresentedStatus[] {
  return ids.flatMap((id) => shownStatus(visit, id, place) ?? []);
}

function showStatus(visit: Visit, view: PresentedStatus, { ancestors, answers, more, isFetched }: ShownThread): Answer {
  const { author, status } = view;
  const { by, thread } = visit.words.posts;
  const main = html`<h1 class="unseen">${by({ name: plainName(author.profile) })}</h1>
<ol class="timeline thread">${ancestors.map((one) => entry(visit, one))}
<li class="entry focus" id="status-${status.id}">${article(visit, view, status.id)}${details(visit, view)}</li></ol>
${replyForm(visit, view)}
${visit.account !== undefined && threadNotice(visit, isFetched === true)}
${answersList(visit, view, answers)}
${more > 0 && html`<p class="empty">${thread.more({ count: more })}</p>`}`;
  const { addresses } = visit.services;
  const activityId = statusUri(view, addresses);
  const title = titleOf(visit, view);
  return siteAnswer(visit, {
    title,
    main,
    head: html`${embedLink(visit, view)}${previewTags(visit, {
      type: 'article',
      title: `${plainName(author.profile)} (@${author.profile.username}@${author.profile.domain ?? addresses.domain})`,
      description: plainText(view),
      ...picture(visit.services.addresses, view),
      address: elsewhere(status.url) ?? addresses.statusPage(author.profile.username, status.id),
      activityId,
      more: { 'article:published_time': new Date(status.createdAt).toISOString() },
    })}`,
    isIndexed: author.profile.indexable && author.profile.remote === undefined,
    headers: alternateHeaders(activityId),
  });
}

/** The oEmbed address, for showing the post in other web pages (https://oembed.com). */
function embedLink({ services }: Visit, { author, status }: PresentedStatus): Html | undefined {
  if (author.profile.remote !== undefined || !isForEverybody(status)) return undefined;
  const { addresses } = services;
  const page = encodeURIComponent(addresses.statusPage(author.profile.username, status.id));
  return html`<link rel="alternate" type="application/json+oembed" href="${addresses.origin}/api/oembed?url=${page}">\n`;
}

/** Rendered even without replies, for those that arrive. */
function answersList(visit: Visit, root: PresentedStatus, answers: readonly PresentedStatus[]): Html {
  const ids = [root, ...answers].map(({ status }) => status.id);
  const newest = ids.reduce((one, other) => (one > other ? one : other));
  const live =
    visit.account !== undefined &&
    html`${arrivalWords(visit, 'posts')} data-live="${liveAddress('thread', newest, root.status.id)}"`;
  return html`<ol class="timeline answers" aria-label="${visit.words.posts.thread.answers}"${live}>${answerEntries(visit, root, answers)}</ol>`;
}

/** Text behind a warning is not shown in previews. */
function plainText({ status }: PresentedStatus): string {
  return status.spoilerText === '' ? toPlainLine(status.content) : status.spoilerText;
}

function titleOf({ words: { posts } }: Visit, view: PresentedStatus): string {
  const text = shorten(plainText(view), webLimits.titleCharactersMax);
  const name = plainName(view.author.profile);
  return text === '' ? posts.by({ name }) : posts.thread.titleWithText({ name, text });
}

function picture(
  addresses: Addresses,
  { status, author: { profile } }: PresentedStatus,
): Pick<Preview, 'image' | 'imageDescription'> {
  const isCovered = status.sensitive || status.spoilerText !== '';
  const image = isCovered ? undefined : status.attachments.find(({ type }) => type === 'image');
  const preview = elsewhere(image && shownPreview(image, addresses, profile));
  if (image !== undefined && preview !== undefined) return { image: preview, imageDescription: image.description };
  return { image: pictureOrDefault(addresses, profile, 'avatar').still, imageDescription: profile.avatarDescription };
}

function details(visit: Visit, view: PresentedStatus): Html {
  const { status } = view;
  return html`<p class="details">${fullTime(visit, status.createdAt)}${status.application !== undefined && html` · ${status.application.name}`}${reactionCounts(visit, view)}</p>`;
}

function replyForm(visit: Visit, view: PresentedStatus): Html | undefined {
  const { account } = visit;
  if (account === undefined) return undefined;
  const refusal = replyRefusal(visit, view.status);
  if (refusal !== undefined) return html`<p class="empty" id="reply">${refusal}</p>`;
  return composeForm(visit, {
    text: mentionsFor(view, account),
    warning: view.status.spoilerText,
    visibility: narrower(view.status.visibility, account.login.defaultPrivacy),
    inReplyToId: view.status.id,
    stays: view.status.localOnly === true ? 'implied' : undefined,
    returnTo: pathOfStatus(view.author.profile, view.status.id),
  });
}

/** The more restricted of two visibilities. */
function narrower(one: Visibility, other: Visibility): Visibility {
  return visibilities.indexOf(one) > visibilities.indexOf(other) ? one : other;
}

/** The participants of the conversation, without the one who replies. */
function mentionsFor({ status, author }: PresentedStatus, account: LocalAccount): string {
  const handles = [handleOf(author.profile), ...status.mentions.map(({ acct }) => acct)];
  const others = new Set(handles.filter((handle) => handle !== account.profile.username));
  return [...others].map((handle) => `@${handle} `).join('');
}
