/** /scheduled: scheduled posts, next one first; and the forms to reschedule or cancel them. */
import { scheduledLimits } from '../../../actors/account/scheduled/limits.ts';
import { scheduledBy } from '../../../actors/account/scheduled/scheduled.queries.ts';
import type { ScheduledPost, ScheduledStatus } from '../../../actors/account/scheduled/scheduled.records.ts';
import { rescheduleStatus, unscheduleStatus } from '../../../operations/scheduled/change-scheduled.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { hidden, queryFields } from '../../oauth/forms.ts';
import { shownStatus } from '../filtered.ts';
import { memberPage } from '../page-handler.ts';
import { plainName } from '../parts/account.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Html, html } from '../parts/html.ts';
import { icon } from '../parts/icons.ts';
import { statusPath } from '../parts/links.ts';
import { type ChosenMoment, chosenMoment, momentField } from '../parts/moment.ts';
import { visibilityWords } from '../parts/status.ts';
import { plannedTime } from '../parts/time.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit } from '../visit.ts';
import { scheduledTimeName, scheduledTimeOf, timeProblem } from './scheduled-time.ts';

/** A refused time. */
interface RefusedTime {
  readonly scheduledId: Id;
  readonly moment: ChosenMoment;
  readonly problem: string;
}

const doneWords: Readonly<Record<string, string>> = {
  scheduled: 'Your post waits for its time.',
  moved: 'Your post has another time.',
  cancelled: 'That post will not be published.',
};

export const scheduledPage = memberPage((visit, { request }) => {
  const done = queryFields(request.query).get('done') ?? '';
  return scheduledAnswer(visit, { done: Object.hasOwn(doneWords, done) ? doneWords[done] : undefined });
});

interface PageState {
  readonly done?: string | undefined;
  readonly refused?: RefusedTime;
}

function scheduledAnswer(visit: MemberVisit, { done, refused }: PageState): Answer {
  const { items } = scheduledBy(visit.services.snapshots, visit.account.id, { limit: scheduledLimits.perAccountMax });
  const soonest = items.toSorted((one, other) => one.scheduledAt - other.scheduledAt);
  const main = html`<h1 class="list">Scheduled posts</h1>
${done !== undefined && html`<p class="card done" role="status">${done}</p>`}
${
  soonest.length === 0
    ? html`<div class="empty"><h2>No scheduled posts</h2><p>Choose “Later” where you write a post, and it will be published at the time you say.</p></div>`
    : html`<ol class="timeline" aria-label="Scheduled posts">${soonest.map((one) => scheduledEntry(visit, one, refused))}</ol>`
}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: 'Scheduled posts', main, status, current: 'scheduled', isIndexed: false });
}

function scheduledEntry(visit: MemberVisit, { id, scheduledAt, post }: ScheduledStatus, refused?: RefusedTime): Html {
  const given = refused?.scheduledId === id ? refused : undefined;
  const field = {
    id: `time-${id}`,
    name: scheduledTimeName,
    label: 'When it is posted',
    moment: given?.moment ?? { typed: '', at: scheduledAt },
    problem: given?.problem,
  };
  return html`<li class="entry scheduled" id="scheduled-${id}">
<p class="context">${icon('clock')} <strong>${plannedTime(scheduledAt)}</strong> · ${visibilityWords[post.visibility]}</p>
${relatedLine(visit, post)}
${post.spoilerText !== '' && html`<p class="warning" dir="auto">${post.spoilerText}</p>`}
<p class="plain-text" dir="auto">${post.text}</p>
${pollOf(post)}
<div class="extras">
<details${given !== undefined && html` open`}><summary class="button quiet">Change the time</summary>
<form method="post" action="/web/scheduled/${id}/time">${hidden('form_token', visit.formToken)}
${momentField(field)}
<button type="submit">Save the time</button></form></details>
<details><summary class="button quiet danger">Cancel it …</summary>
<p>It will not be published, and its text is deleted.</p>
<button class="danger" form="acts" formaction="/web/scheduled/${id}/cancel">Cancel this post</button></details>
</div></li>`;
}

/** Its parent and its quoted post, if its author may still see them. */
function relatedLine(visit: MemberVisit, { inReplyToId, quotedStatusId }: ScheduledPost): Html | undefined {
  const lines = [
    inReplyToId !== undefined && html`${icon('reply')} In reply to ${relatedPost(visit, inReplyToId)}`,
    quotedStatusId !== undefined && html`${icon('quote')} Quotes ${relatedPost(visit, quotedStatusId)}`,
  ];
  return html`${lines.map((line) => line && html`<p class="context">${line}</p>`)}`;
}

function relatedPost(visit: MemberVisit, id: Id): Html {
  const view = shownStatus(visit, id, 'single');
  if (view === undefined) return html`a post that is gone`;
  return html`<a href="${statusPath(visit, view)}">a post by ${plainName(view.author.profile)}</a>`;
}

function pollOf({ poll }: ScheduledPost): Html | undefined {
  return (
    poll &&
    html`<ul class="plain-poll" aria-label="Poll">${poll.options.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`
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
    const problem = timeProblem(error, moment, visit.now);
    return scheduledAnswer(visit, { refused: { scheduledId, moment, problem } });
  }
});

const cancelForm = formRoute('/web/scheduled/:id/cancel', async (form, context) => {
  await unscheduleStatus(form, { scheduledId: idInPath(context) });
  return redirect('/scheduled?done=cancelled', 303);
});

export const scheduledForms = [changeTimeForm, cancelForm];
