/** The form for writing or editing a post. */
import type { Visibility } from '../../../actors/account/account.records.ts';
import { visibilities } from '../../../actors/account/account.records.ts';
import { quotePolicyOf, replyPolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import type { QuotePolicy } from '../../../actors/account/quotes/quotes.records.ts';
import type { ReplyPolicy } from '../../../actors/account/statuses/reply-policy.records.ts';
import { isForEverybody } from '../../../actors/policy/visibility.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { statusCharactersMax } from '../../../operations/statuses/written-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { alert, hidden } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';
import { scheduledTimeName } from '../writing/scheduled-time.ts';
import { emojiButton } from './emoji-button.ts';
import { icon } from './icons.ts';
import { isOtherLanguage, languageChoice } from './language-choice.ts';
import { attachedFields, type MediaDrafts, mediaChoice, undescribedQuestion } from './media-fields.ts';
import { type ChosenMoment, momentField } from './moment.ts';
import { type PollDraft, pollFields } from './poll-fields.ts';
import { quotedPost } from './quote.ts';
import { quotePolicySelect } from './quote-policy.ts';
import { replyPolicySelect } from './reply-policy.ts';

export interface Draft {
  readonly text?: string | undefined;
  readonly warning?: string | undefined;
  readonly visibility: Visibility;
  readonly inReplyToId?: Id | undefined;
  /** The edited post. */
  readonly editedId?: Id;
  /** The path of this server to return to. */
  readonly returnTo: string;
  /** Code of the language that was chosen; by default the writer's usual one. */
  readonly language?: string | undefined;
  /** When to publish it, if not at once. */
  readonly moment?: ChosenMoment | undefined;
  readonly poll?: PollDraft | undefined;
  /** By default none, sensitive as the author prefers. */
  readonly media?: MediaDrafts | undefined;
  /** Shown in the form; a quoting post has no poll. */
  readonly quoted?: PresentedStatus | undefined;
  /** Undefined fields follow the author's preferences. */
  readonly quotePolicy?: QuotePolicy | undefined;
  readonly replyPolicy?: ReplyPolicy | undefined;
  /** It stays on this server: as chosen, or because of what it answers or quotes. */
  readonly stays?: 'chosen' | 'implied' | undefined;
  /** It was a post, and is nowhere else any more: the script keeps it at once. */
  readonly isOnlyHere?: boolean;
  /** Why it was not published. */
  readonly problems?: DraftProblems;
}

export type DraftField = 'text' | 'media' | 'pollOptions' | 'pollExpiresAt' | 'scheduledAt';

/** As sentences. */
export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

export function composeForm(visit: Visit, draft: Draft): Html {
  const words = visit.words.writing;
  const { text = '', warning = '', problems, editedId } = draft;
  const problem = problems?.text;
  const isReply = draft.inReplyToId !== undefined;
  const action = editedId === undefined ? '/web/statuses' : `/web/statuses/${editedId}/edit`;
  return html`<form class="compose card" method="post" action="${action}" enctype="multipart/form-data"${draft.isOnlyHere === true && html` data-only-here`}>
${hidden('form_token', visit.formToken)}
${presetButton(words.post)}
${hidden('return_to', draft.returnTo)}
${editedId === undefined && html`<input type="hidden" name="draft" value="">`}
${hidden('in_reply_to_id', draft.inReplyToId?.toString())}
${hidden('quoted_status_id', draft.quoted?.status.id.toString())}
${alert(problems !== undefined && problem === undefined ? (problems.media ?? visit.words.problems.checkFields) : undefined)}
${draft.media && undescribedQuestion(visit, draft.media)}
<label><span class="unseen">${isReply ? words.yourReply : words.yourPost}</span>
<textarea id="${isReply ? 'reply' : 'compose'}" name="status" dir="auto" rows="3" placeholder="${isReply ? words.writeReply : words.whatIsGoingOn}" data-characters-max="${statusCharactersMax}"${
    problem !== undefined && html` aria-invalid="true" aria-describedby="status-problem"`
  }>${text}</textarea></label>
${problem !== undefined && html`<p class="wrong" id="status-problem" role="alert">${problem}</p>`}
${editedId === undefined && html`<p class="fine draft" role="status" hidden>${words.drafts.goesOn} <button type="button" class="quiet">${words.drafts.discard}</button></p>`}
${draft.quoted !== undefined && html`<blockquote class="quote" aria-label="${words.quotedPost}">${quotedPost(visit, draft.quoted)}</blockquote>`}
${attachedFields(visit, draft.media ?? { media: [], sensitive: visit.account?.login.defaultSensitive === true })}
<div class="extras">
${mediaChoice(visit)}
${emojiButton(visit, 'written')}
<details${warning !== '' && html` open`}><summary class="button quiet">${words.warning}</summary>
<label><span class="unseen">${words.warning}</span><input name="spoiler_text" dir="auto" value="${warning}" placeholder="${words.warningHint}"></label></details>
${draft.quoted === undefined && pollFields(visit, draft.poll, editedId !== undefined, problems ?? {})}
${furtherChoices(visit, draft)}
</div>
<div class="line">
${editedId === undefined ? visibilityChoice(visit, draft.visibility) : visibilityStays(visit, draft.visibility)}
<span class="left" aria-live="polite"></span>
<button type="submit" class="send">${editedId !== undefined ? words.save : isReply ? words.reply : words.post}</button>
</div>
</form>`;
}

/** What most posts do without, in a section that is open where something in it was chosen. */
function furtherChoices(visit: Visit, draft: Draft): Html {
  const { editedId, language, stays } = draft;
  const isNew = editedId === undefined;
  const isOpen =
    isOtherQuotePolicy(visit, draft) ||
    isOtherReplyPolicy(visit, draft) ||
    isOtherLanguage(visit, language) ||
    isForLater(draft) ||
    stays !== undefined;
  return html`<details class="seldom"${isOpen && html` open`}><summary class="button quiet">${icon('settings')}${visit.words.writing.further}</summary>
<div class="extras">
${(isNew || isForEverybody(draft)) && quotePolicyChoice(visit, draft)}
${(isNew || draft.visibility !== 'direct') && replyPolicyChoice(visit, draft)}
${languageChoice(visit, language)}
${isNew && laterChoice(visit, draft)}
${localOnlyChoice(visit, draft)}
</div></details>`;
}

function isOtherQuotePolicy({ account }: Visit, { quotePolicy }: Draft): boolean {
  return quotePolicy !== undefined && quotePolicy !== (account && quotePolicyOf(account.login));
}

function isOtherReplyPolicy({ account }: Visit, { replyPolicy }: Draft): boolean {
  return replyPolicy !== undefined && replyPolicy !== (account && replyPolicyOf(account.login));
}

function isForLater({ moment, problems }: Draft): boolean {
  return moment !== undefined || problems?.scheduledAt !== undefined;
}

/** The Enter key in a field presses the first button of a form, which has to be the one that sends it. */
function presetButton(label: string): Html {
  return html`<button type="submit" class="unseen" tabindex="-1" aria-hidden="true" aria-label="${label}"></button>`;
}

function quotePolicyChoice(visit: Visit, draft: Draft): Html {
  const { account, words } = visit;
  const { quotePolicy } = draft;
  const { quotes, whoMayQuote, quotesHint } = words.writing;
  const preferred = account && quotePolicyOf(account.login);
  const isOpen = isOtherQuotePolicy(visit, draft);
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('quote')}${quotes}</summary>
<fieldset><legend class="unseen">${quotes}</legend><label>${whoMayQuote}
${quotePolicySelect(visit, 'quote_policy', quotePolicy ?? preferred)}</label>
<p class="fine">${quotesHint}</p></fieldset></details>`;
}

function replyPolicyChoice(visit: Visit, draft: Draft): Html {
  const { account, words } = visit;
  const { replyPolicy } = draft;
  const { replies, whoMayReply, repliesHint } = words.writing;
  const preferred = account && replyPolicyOf(account.login);
  const isOpen = isOtherReplyPolicy(visit, draft);
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('reply')}${replies}</summary>
<fieldset><legend class="unseen">${replies}</legend><label>${whoMayReply}
${replyPolicySelect(visit, 'reply_policy', replyPolicy ?? preferred)}</label>
<p class="fine">${repliesHint}</p></fieldset></details>`;
}

function localOnlyChoice({ services, words }: Visit, { stays, editedId }: Draft): Html | undefined {
  const { localOnly: label, localOnlyHint, localOnlyStays } = words.writing;
  if (editedId !== undefined || stays === 'implied')
    return stays === undefined ? undefined : html`<p class="fine">${icon('home')} ${localOnlyStays}</p>`;
  if (!services.options.localOnlyPosts) return undefined;
  return html`<label class="choice" title="${localOnlyHint}"><input type="checkbox" name="local_only" value="1"${
    stays === 'chosen' && html` checked`
  }> ${label}</label>`;
}

function laterChoice(visit: Visit, draft: Draft): Html {
  const { moment, problems } = draft;
  const words = visit.words.writing;
  const problem = problems?.scheduledAt;
  const isOpen = isForLater(draft);
  const field = { id: 'scheduled-at', name: scheduledTimeName, label: words.when, moment, problem };
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('clock')}${words.later}</summary>
<fieldset><legend class="unseen">${words.postLater}</legend>${momentField(visit, field)}
<p class="fine"><a href="/scheduled">${words.yourScheduled}</a></p></fieldset></details>`;
}

function visibilityChoice({ words: { writing } }: Visit, chosen: Visibility): Html {
  return html`<label><span class="unseen">${writing.whoMayRead}</span><select name="visibility">${visibilities.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${writing.visibilityAndReach[one]}</option>`,
  )}</select></label>`;
}

/** The visibility of a published post cannot be changed. */
function visibilityStays({ words: { writing } }: Visit, visibility: Visibility): Html {
  return html`<span class="fine">${writing.visibilityAndReach[visibility]}</span>`;
}
