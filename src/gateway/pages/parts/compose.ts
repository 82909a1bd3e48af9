/** The form for writing or editing a post. */
import type { Visibility } from '../../../actors/account/account.records.ts';
import { visibilities } from '../../../actors/account/account.records.ts';
import { quotePolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import type { QuotePolicy } from '../../../actors/account/quotes/quotes.records.ts';
import { isForEverybody } from '../../../actors/policy/visibility.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { statusCharactersMax } from '../../../operations/statuses/written-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { alert, hidden, notYet } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';
import { scheduledTimeName } from '../writing/scheduled-time.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { type ChosenMoment, momentField } from './moment.ts';
import { type PollDraft, pollFields } from './poll-fields.ts';
import { quotedPost } from './quote.ts';
import { quotePolicySelect } from './quote-policy.ts';
import { visibilityWords } from './status.ts';

export interface Draft {
  readonly text?: string | undefined;
  readonly warning?: string | undefined;
  readonly visibility: Visibility;
  readonly inReplyToId?: Id | undefined;
  /** The edited post. */
  readonly editedId?: Id;
  /** The path of this server to return to. */
  readonly returnTo: string;
  /** When to publish it, if not at once. */
  readonly moment?: ChosenMoment | undefined;
  readonly poll?: PollDraft | undefined;
  /** Shown in the form; a quoting post has no poll. */
  readonly quoted?: PresentedStatus | undefined;
  /** Undefined fields follow the author's preferences. */
  readonly quotePolicy?: QuotePolicy | undefined;
  /** Why it was not published. */
  readonly problems?: DraftProblems;
}

export type DraftField = 'text' | 'pollOptions' | 'pollExpiresAt' | 'scheduledAt';

/** As sentences. */
export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

const hints: Readonly<Record<Visibility, string>> = {
  public: 'everybody',
  unlisted: 'everybody, but in no public list',
  private: 'those who follow you',
  direct: 'nobody else',
};

export function composeForm(visit: Visit, draft: Draft): Html {
  const { text = '', warning = '', problems, editedId } = draft;
  const problem = problems?.text;
  const isReply = draft.inReplyToId !== undefined;
  const action = editedId === undefined ? '/web/statuses' : `/web/statuses/${editedId}/edit`;
  return html`<form class="compose card" method="post" action="${action}">
${hidden('form_token', visit.formToken)}
${hidden('return_to', draft.returnTo)}
${hidden('in_reply_to_id', draft.inReplyToId?.toString())}
${hidden('quoted_status_id', draft.quoted?.status.id.toString())}
${alert(problems !== undefined && problem === undefined ? notYet : undefined)}
<label><span class="unseen">${isReply ? 'Your reply' : 'Your post'}</span>
<textarea id="${isReply ? 'reply' : 'compose'}" name="status" dir="auto" rows="3" required placeholder="${isReply ? 'Write a reply' : 'What is going on?'}" data-characters-max="${statusCharactersMax}"${
    problem !== undefined && html` aria-invalid="true" aria-describedby="status-problem"`
  }>${text}</textarea></label>
${problem !== undefined && html`<p class="wrong" id="status-problem" role="alert">${problem}</p>`}
${draft.quoted !== undefined && html`<blockquote class="quote" aria-label="The quoted post">${quotedPost(visit, draft.quoted)}</blockquote>`}
<div class="extras">
<details${warning !== '' && html` open`}><summary class="button quiet">Content warning</summary>
<label><span class="unseen">Content warning</span><input name="spoiler_text" dir="auto" value="${warning}" placeholder="What is it about?"></label></details>
${draft.quoted === undefined && pollFields(draft.poll, editedId !== undefined, problems ?? {})}
${(editedId === undefined || isForEverybody(draft)) && quotePolicyChoice(visit, draft)}
${editedId === undefined && laterChoice(draft)}
</div>
<div class="line">
${editedId === undefined ? visibilityChoice(draft.visibility) : visibilityStays(draft.visibility)}
<span class="left" aria-live="polite"></span>
<button type="submit">${editedId !== undefined ? 'Save' : isReply ? 'Reply' : 'Post'}</button>
</div>
</form>`;
}

function quotePolicyChoice({ account }: Visit, { quotePolicy }: Draft): Html {
  const preferred = account && quotePolicyOf(account.login);
  const isOpen = quotePolicy !== undefined && quotePolicy !== preferred;
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('quote')}Quotes</summary>
<fieldset><legend class="unseen">Quotes</legend><label>Who may quote it
${quotePolicySelect('quote_policy', quotePolicy ?? preferred)}</label>
<p class="fine">Only you can quote a post that is not public.</p></fieldset></details>`;
}

function laterChoice({ moment, problems }: Draft): Html {
  const problem = problems?.scheduledAt;
  const isOpen = moment !== undefined || problem !== undefined;
  const field = { id: 'scheduled-at', name: scheduledTimeName, label: 'When it is posted', moment, problem };
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('clock')}Later</summary>
<fieldset><legend class="unseen">Post it later</legend>${momentField(field)}
<p class="fine"><a href="/scheduled">Your scheduled posts</a></p></fieldset></details>`;
}

function visibilityChoice(chosen: Visibility): Html {
  return html`<label><span class="unseen">Who may read it</span><select name="visibility">${visibilities.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${visibilityWords[one]}: ${hints[one]}</option>`,
  )}</select></label>`;
}

/** The visibility of a published post cannot be changed. */
function visibilityStays(visibility: Visibility): Html {
  return html`<span class="fine">${visibilityWords[visibility]}: ${hints[visibility]}</span>`;
}
