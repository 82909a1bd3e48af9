/** POST /web/statuses: publishes or schedules a post or reply written on a page. */
import type { Visibility } from '../../../actors/account/account.records.ts';
import { visibilities } from '../../../actors/account/account.records.ts';
import { scheduleStatus } from '../../../operations/scheduled/schedule-status.ts';
import { publishStatus } from '../../../operations/statuses/publish-status.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import { html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { composeForm, type DraftProblems } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { writtenPoll } from '../parts/poll-fields.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';
import { type DraftMedia, describeDrafts, draftFiles, lacksDescription, mediaIn } from './draft-media.ts';
import { draftIn, draftProblems } from './drafts.ts';
import { quotedPost } from './quote-page.ts';
import { scheduledTimeOf } from './scheduled-time.ts';

async function write(form: SignedInForm): Promise<Answer> {
  const { fields, visit } = form;
  const { text, warning, language, moment, poll, quotePolicy, replyPolicy, stays } = draftIn(form);
  const drafts = await mediaIn(form);
  const { media } = drafts;
  const problem = drafts.problem ?? (await describeDrafts(form, media));
  if (problem !== undefined) return tryAgain(form, drafts, { media: problem });
  if (drafts.isUnfinished) return tryAgain(form, drafts);
  if (lacksDescription(form, media)) return tryAgain(form, { ...drafts, isUndescribed: true });
  try {
    const post = {
      text,
      spoilerText: warning,
      language,
      visibility: chosenVisibility(fields.get('visibility')),
      inReplyToId: relatedId(fields.get('in_reply_to_id')),
      quotedStatusId: relatedId(fields.get('quoted_status_id')),
      quotePolicy,
      replyPolicy,
      localOnly: stays === undefined ? undefined : true,
      poll: writtenPoll(poll, visit.now),
      mediaIds: media.map(({ attachment }) => attachment.id),
      // Files that come with the text were chosen where nothing could be said of them yet.
      ...(fields.get('media_ids') !== undefined && { sensitive: drafts.sensitive }),
    };
    if (moment === undefined) await publishStatus(form, post);
    else await scheduleStatus(form, { ...post, scheduledAt: scheduledTimeOf(moment) });
    return redirect(withDraft(moment === undefined ? form.returnTo : '/scheduled?done=scheduled', form), 303);
  } catch (error) {
    return tryAgain(form, drafts, draftProblems(visit, error, moment));
  }
}

/** What browsers have of it (assets/drafts.js) is kept there until this address says that the server has it. */
function withDraft(path: string, { fields }: SignedInForm): string {
  const draft = fields.get('draft') ?? '';
  return draftName.test(draft) ? `${path.split('#')[0]}#sent-${draft}` : path;
}

const draftName = /^(?:post|(?:reply|quote)-\d{1,20})$/;

export const writeStatus = formRoute('/web/statuses', write, { files: draftFiles });

/** Shows the form again with its input: as it is, or with what was wrong. */
function tryAgain(form: SignedInForm, media: DraftMedia, problems?: DraftProblems): Answer {
  const { visit, account, fields } = form;
  const quotedId = parseId(fields.get('quoted_status_id') ?? '');
  const title = visit.words.writing.notPostedYet;
  const main = html`<h1 class="list">${title}</h1>
${composeForm(visit, {
  ...draftIn(form),
  visibility: visibilityOf(fields.get('visibility')) ?? account.login.defaultPrivacy,
  inReplyToId: parseId(fields.get('in_reply_to_id') ?? ''),
  quoted: quotedId === undefined ? undefined : quotedPost(visit, quotedId),
  media: { ...media, problem: problems?.media },
  ...(problems !== undefined && { problems }),
})}`;
  return siteAnswer(visit, { title, main, status: problems === undefined ? 200 : 422, isIndexed: false });
}

/** Throws Failure validation for an invalid value: a post must not be shown to more people than intended. */
function chosenVisibility(given: string | undefined): Visibility | undefined {
  const visibility = visibilityOf(given);
  if (given !== undefined && visibility === undefined)
    throw validationFailure('Visibility is not included in the list');
  return visibility;
}

function visibilityOf(given: string | undefined): Visibility | undefined {
  return visibilities.find((one) => one === given);
}

/** Throws Failure notFound for an invalid id: a reply or quote must not become a post of its own. */
function relatedId(given: string | undefined): Id | undefined {
  if (given === undefined) return undefined;
  const id = parseId(given);
  if (id === undefined) throw new Failure('notFound');
  return id;
}
