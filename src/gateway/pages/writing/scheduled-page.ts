/** /scheduled: scheduled posts, next one first; and the forms to reschedule or cancel them. */

import { scheduledLimits } from '../../../actors/account/scheduled/limits.ts';
import { scheduledBy } from '../../../actors/account/scheduled/scheduled.queries.ts';
import type { ScheduledPost, ScheduledStatus } from '../../../actors/account/scheduled/scheduled.records.ts';
import { rescheduleStatus, unscheduleStatus } from '../../../operations/scheduled/change-scheduled.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { MarkedSentence } from '../../../services/words/message.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { hidden, queryFields } from '../../oauth/forms.ts';
import { shownStatus } from '../filtered.ts';
import { memberPage } from '../page-handler.ts';
import { plainName } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { icon } from '../parts/icons.ts';
import { statusPath } from '../parts/links.ts';
import { type ChosenMoment, chosenMoment, momentField } from '../parts/moment.ts';
import { linkTo } from '../parts/slots.ts';
import { fullTime } from '../parts/time.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { scheduledTimeName, scheduledTimeOf, timeProblem } from './scheduled-time.ts';

/** A refused time. */
interface RefusedTime {
  readonly scheduledId: Id;
  readonly moment: ChosenMoment;
  readonly problem: string;
}

/** What was done, as the address says. */
const doings = ['scheduled', 'moved', 'cancelled'] as const;

export const scheduledPage = memberPage((visit, { request }) => {
  const done = doings.find((one) => one === queryFields(request.query).get('done'));
  return scheduledAnswer(visit, { done: done && visit.words.writing.scheduled[done] });
});

interface PageState {
  readonly done?: string | undefined;
  readonly refused?: RefusedTime;
}

function scheduledAnswer(visit: MemberVisit, { done, refused }: PageState): Answer {
  const { items } = scheduledBy(visit.services.snapshots, visit.account.id, { limit: scheduledLimits.perAccountMax });
  const words = visit.words.writing.scheduled;
  const soonest = items.toSorted((one, other) => one.scheduledAt - other.scheduledAt);
  const main = html`<h1 class="list">${words.title}</h1>
${done !== undefined && html`<p class="card done" role="status">${done}</p>`}
${draftsHere(visit)}
${
  soonest.length === 0
    ? html`<div class="empty"><h2>${words.none}</h2><p>${words.noneHint}</p></div>`
    : html`<ol class="timeline" aria-label="${words.title}">${soonest.map((one) => scheduledEntry(visit, one, refused))}</ol>`
}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'scheduled', isIndexed: false });
}

/** What was begun in this browser; its script lists them. */
function draftsHere({ words: { writing } }: MemberVisit): Html {
  const { title, hint, discard } = writing.drafts;
  return html`<section class="card drafts" id="drafts" hidden><h2>${title}</h2>
<p class="fine">${hint}</p>
<ul></ul>
<template><li class="line"><a href="/" dir="auto"></a> <button type="button" class="quiet">${discard}</button></li></template></section>`;
}

function scheduledEntry(visit: MemberVisit, { id, scheduledAt, post }: ScheduledStatus, refused?: RefusedTime): Html {
  const given = refused?.scheduledId === id ? refused : undefined;
  const words = visit.words.writing.scheduled;
  const field = {
    id: `time-${id}`,
    name: scheduledTimeName,
    label: visit.words.writing.when,
    moment: given?.moment ?? { typed: '', at: scheduledAt },
    problem: given?.problem,
  };
  return html`<li class="entry scheduled" id="scheduled-${id}">
<p class="context">${icon('clock')} <strong>${fullTime(visit, scheduledAt)}</strong> · ${visit.words.posts.visibility[post.visibility]}</p>
${relatedLine(visit, post)}
${post.spoilerText !== '' && html`<p class="warning" dir="auto">${post.spoilerText}</p>`}
<p class="plain-text" dir="auto">${post.text}</p>
${pollOf(visit, post)}
<div class="extras">
<details${given !== undefined && html` open`}><summary class="button quiet">${words.changeTime}</summary>
<form method="post" action="/web/scheduled/${id}/time">${hidden('form_token', visit.formToken)}
${momentField(visit, field)}
<button type="submit">${words.saveTime}</button></form></details>
<details><summary class="button quiet danger">${words.cancel}</summary>
<p>${words.cancelHint}</p>
<button class="danger" form="acts" formaction="/web/scheduled/${id}/cancel">${words.cancelConfirm}</button></details>
</div></li>`;
}

/** Its parent and its quoted post, if their authors may still see them. */
function relatedLine(visit: MemberVisit, { inReplyToId, quotedStatusId }: ScheduledPost): Html {
  const words = visit.words.writing.scheduled;
  const parent = inReplyToId !== undefined && relatedPost(visit, inReplyToId, words.inReplyTo, words.inReplyToGone);
  const quoted = quotedStatusId !== undefined && relatedPost(visit, quotedStatusId, words.quotes, words.quotesGone);
  return html`${parent && html`<p class="context">${icon('reply')} ${parent}</p>`}${quoted && html`<p class="context">${icon('quote')} ${quoted}</p>`}`;
}

function relatedPost(visit: MemberVisit, id: Id, sentence: MarkedSentence<'name', 'link'>, gone: string): Html {
  const view = shownStatus(visit, id, 'single');
  if (view === undefined) return html`${gone}`;
  return sentence({ link: linkTo(statusPath(visit, view)), name: plainName(view.author.profile) });
}

function pollOf({ words }: MemberVisit, { poll }: ScheduledPost): Html | undefined {
  return (
    poll &&
    html`<ul class="plain-poll" aria-label="${words.posts.poll.title}">${poll.options.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`
  );
}

const changeTimeForm = formRoute('/web/scheduled/:id/time', async (form, context) => {
  const { fields, visit } = form;
  const scheduledId = idInPath(context);
  const moment = chosenMoment(fields, scheduledTimeName) ?? { typed: '', at: undefined };
  try {
    await rescheduleStatus(form, { scheduledId, scheduledAt: scheduledTimeOf(moment) });
    return redirect('/scheduled?done=moved', 303);
  } catch (error) {
    const problem = timeProblem(visit, error, moment);
    return scheduledAnswer(visit, { refused: { scheduledId, moment, problem } });
  }
});

const cancelForm = formRoute('/web/scheduled/:id/cancel', async (form, context) => {
  await unscheduleStatus(form, { scheduledId: idInPath(context) });
  return redirect('/scheduled?done=cancelled', 303);
});

export const scheduledForms = [changeTimeForm, cancelForm];
