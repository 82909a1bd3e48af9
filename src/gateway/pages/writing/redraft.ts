/**
 * POST /web/statuses/:id/redraft: deletes a post of the visitor, and shows the form with what it said. Its media can be
 * attached again for a day; its text is kept by the script of the browser until it is posted.
 */
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { deleteStatus } from '../../../operations/statuses/delete-status.ts';
import { html } from '../../../services/words/html.ts';
import { shownStatus } from '../filtered.ts';
import { composeForm } from '../parts/compose.ts';
import { siteAnswer } from '../parts/frame.ts';
import { statusPath } from '../parts/links.ts';
import { pollAgain } from '../parts/poll-fields.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type Visit } from '../visit.ts';
import { ownPost, writtenDraft } from './written-draft.ts';

export const redraftForm = formRoute('/web/statuses/:id/redraft', async (form, context) => {
  const { visit } = form;
  const { status } = ownPost(visit, idInPath(context));
  const { inReplyToId, poll, localOnly, createdAt } = status;
  const draft = {
    ...writtenDraft(visit, status),
    inReplyToId,
    poll: poll && pollAgain(poll, createdAt),
    returnTo: pathOfParent(visit, status) ?? '/',
    ...(localOnly === true && { stays: 'chosen' as const }),
    isOnlyHere: true,
  };
  await deleteStatus(form, { statusId: status.id });
  const { redraft } = visit.words.writing;
  const main = html`<h1 class="list">${redraft.title}</h1>
<p class="card done" role="status">${redraft.hint}</p>
${composeForm(visit, draft)}`;
  return siteAnswer(visit, { title: redraft.title, main, isIndexed: false });
});

/** The page of what it answers, if its author may still see that. */
function pathOfParent(visit: Visit, { inReplyToId }: Status): string | undefined {
  const parent = inReplyToId === undefined ? undefined : shownStatus(visit, inReplyToId, 'single');
  return parent && statusPath(visit, parent);
}
