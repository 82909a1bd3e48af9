/** GET and POST /web/statuses/:id/edit: edits a post of the visitor. */
import type { Poll } from '../../../actors/account/polls/polls.records.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { replyPolicyIn } from '../../../actors/policy/replies.ts';
import { editStatus } from '../../../operations/statuses/edit-status.ts';
import { html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { memberPage } from '../page-handler.ts';
import { composeForm, type Draft, type DraftProblems } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { pathOfStatus } from '../parts/links.ts';
import type { MediaDrafts } from '../parts/media-fields.ts';
import { isSamePoll, type PollDraft, pollOfStatus, writtenPoll } from '../parts/poll-fields.ts';
import { chosenPolicy } from '../parts/quote-policy.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { idInPath, type Visit } from '../visit.ts';
import { changedMedia, draftFiles, lacksDescription, mediaIn, said } from './draft-media.ts';
import { draftIn, draftProblems } from './drafts.ts';
import { ownPost, quotedBy, writtenDraft } from './written-draft.ts';

export const editStatusPage = memberPage((visit, context) => {
  const { status, author } = ownPost(visit, idInPath(context));
  return editAnswer(visit, {
    ...writtenDraft(visit, status),
    poll: status.poll && pollOfStatus(status.poll),
    stays: impliedBy(status),
    editedId: status.id,
    returnTo: pathOfStatus(author.profile, status.id),
  });
});

/** Whether a post stays on this server never changes. */
function impliedBy({ localOnly }: Status): Draft['stays'] {
  return localOnly === true ? 'implied' : undefined;
}

function editAnswer(visit: Visit, draft: Draft): Answer {
  const { editTitle: title, editHint } = visit.words.writing;
  const main = html`<h1 class="list">${title}</h1>
${composeForm(visit, draft)}
<p class="fine">${editHint}</p>`;
  const status = draft.problems === undefined ? 200 : 422;
  return siteAnswer(visit, { title, main, status, isIndexed: false });
}

async function edit(form: SignedInForm, status: Status): Promise<Answer> {
  const draft = draftIn(form, status.poll?.expiresAt);
  const { text, warning, language, quotePolicy, replyPolicy } = draft;
  const drafts = await mediaIn(form);
  const again = (media: MediaDrafts, problems?: DraftProblems) =>
    editAnswer(form.visit, {
      ...{ ...draft, media, quoted: quotedBy(form.visit, status.id) },
      ...{ visibility: status.visibility, editedId: status.id, stays: impliedBy(status) },
      ...(problems !== undefined && { problems }),
    });
  const { media, problem } = drafts;
  if (problem !== undefined) return again(drafts, { media: problem });
  if (drafts.isUnfinished) return again(drafts);
  if (lacksDescription(form, media)) return again({ ...drafts, isUndescribed: true });
  const mediaIds = media.map(({ attachment }) => attachment.id);
  const attached = { mediaIds, mediaAttributes: changedMedia(form, media).map(said) };
  // Where there is nothing to hide, it stays as it was.
  const sensitive = media.length === 0 ? status.sensitive && status.spoilerText === '' : drafts.sensitive;
  try {
    const poll = changedPoll(draft.poll, status.poll, form.visit.now);
    const isSamePolicy = quotePolicy === chosenPolicy(status.quoteApproval);
    const isSameReplies = replyPolicy === replyPolicyIn(status.replyApproval);
    const policies = { ...(!isSamePolicy && { quotePolicy }), ...(!isSameReplies && { replyPolicy }) };
    await editStatus(form, {
      statusId: status.id,
      text,
      spoilerText: warning,
      language,
      sensitive,
      ...attached,
      ...poll,
      ...policies,
    });
    return redirect(form.returnTo, 303);
  } catch (error) {
    const problems = draftProblems(form.visit, error, undefined);
    return again({ ...drafts, problem: problems.media }, problems);
  }
}

export const editStatusForm = formRoute(
  '/web/statuses/:id/edit',
  (form, context) => edit(form, ownPost(form.visit, idInPath(context)).status),
  { files: draftFiles },
);

/** An unchanged poll keeps its votes and its end. */
function changedPoll(draft: PollDraft | undefined, poll: Poll | undefined, now: number) {
  const isUntouched = draft === undefined || (poll !== undefined && isSamePoll(draft, poll));
  return isUntouched ? { keepsPoll: true } : { poll: writtenPoll(draft, now) };
}
