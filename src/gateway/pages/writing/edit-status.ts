/** GET and POST /web/statuses/:id/edit: edits a post of the visitor. */
import type { Poll } from '../../../actors/account/polls/polls.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { editStatus } from '../../../operations/statuses/edit-status.ts';
import { ownStatus } from '../../../operations/statuses/own-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { shownStatus } from '../filtered.ts';
import { memberPage } from '../page-handler.ts';
import { composeForm, type Draft } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { pathOfStatus } from '../parts/links.ts';
import { isSamePoll, type PollDraft, pollOfStatus, writtenPoll } from '../parts/poll-fields.ts';
import { chosenPolicy } from '../parts/quote-policy.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit, type Visit } from '../visit.ts';
import { draftIn, draftProblems } from './drafts.ts';

/** Throws Failure notFound for any but a post of the visitor. */
function ownPost({ services, account }: MemberVisit, id: Id) {
  const view = ownStatus(services, id, account.id);
  if (view.reblog !== undefined) throw new Failure('notFound');
  return view;
}

export const editStatusPage = memberPage((visit, context) => {
  const { status, author } = ownPost(visit, idInPath(context));
  return editAnswer(visit, {
    text: status.text,
    warning: status.spoilerText,
    visibility: status.visibility,
    poll: status.poll && pollOfStatus(status.poll),
    quoted: quotedBy(visit, status.id),
    quotePolicy: chosenPolicy(status.quoteApproval),
    editedId: status.id,
    returnTo: pathOfStatus(author.profile, status.id),
  });
});

/** The quoted post, if its author may still see it. */
function quotedBy(visit: Visit, id: Id): PresentedStatus | undefined {
  return shownStatus(visit, id, 'single')?.quote?.status;
}

function editAnswer(visit: Visit, draft: Draft): Answer {
  const { editTitle: title, editHint } = visit.words.writing;
  const main = html`<h1 class="list">${title}</h1>
${composeForm(visit, draft)}
<p class="fine">${editHint}</p>`;
  const status = draft.problems === undefined ? 200 : 422;
  return siteAnswer(visit, { title, main, status, isIndexed: false });
}

export const editStatusForm = formRoute('/web/statuses/:id/edit', async (form, context) => {
  const { status } = ownPost(form.visit, idInPath(context));
  const draft = draftIn(form, status.poll?.expiresAt);
  const { text, warning, quotePolicy } = draft;
  // The form has no switch for media hidden without a warning: they stay hidden.
  const sensitive = status.sensitive && status.spoilerText === '';
  try {
    const poll = changedPoll(draft.poll, status.poll, form.visit.now);
    const isSamePolicy = quotePolicy === chosenPolicy(status.quoteApproval);
    const policy = isSamePolicy ? {} : { quotePolicy };
    await editStatus(form, { statusId: status.id, text, spoilerText: warning, sensitive, ...poll, ...policy });
    return redirect(form.returnTo, 303);
  } catch (error) {
    const problems = draftProblems(form.visit, error, undefined);
    const quoted = quotedBy(form.visit, status.id);
    return editAnswer(form.visit, { ...draft, quoted, visibility: status.visibility, editedId: status.id, problems });
  }
});

/** An unchanged poll keeps its votes and its end. */
function changedPoll(draft: PollDraft | undefined, poll: Poll | undefined, now: number) {
  const isUntouched = draft === undefined || (poll !== undefined && isSamePoll(draft, poll));
  return isUntouched ? { keepsPoll: true } : { poll: writtenPoll(draft, now) };
}
