/** /settings: the profile, the password, and where the visitor is signed in. */

import { warningsOf } from '../../../actors/account/moderation/warnings.queries.ts';
import { findLogin, quotePolicyOf, replyPolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { QuotePolicy } from '../../../actors/account/quotes/quotes.records.ts';
import type { ReplyPolicy } from '../../../actors/account/statuses/reply-policy.records.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import type { FieldProblem, FieldProblems } from '../../../operations/refused-fields.ts';
import { registrationLimits } from '../../../operations/registration/limits.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Answer } from '../../http/answers.ts';
import { alert, formField, hidden, queryFields } from '../../oauth/forms.ts';
import { cropAddress } from '../assets.ts';
import { problemSentence } from '../failure-sentence.ts';
import { mayInvite } from '../invites/may-invite.ts';
import { memberPage } from '../page-handler.ts';
import { featuredTagsForm, type RefusedTag } from '../parts/featured-tags.ts';
import { siteAnswer } from '../parts/frame.ts';
import { picturesForm, type RefusedPictures } from '../parts/picture-fields.ts';
import { quotePolicySelect } from '../parts/quote-policy.ts';
import { replyPolicySelect } from '../parts/reply-policy.ts';
import type { MemberVisit } from '../visit.ts';
import { emailForm } from './email-form.ts';
import { settingsIndex } from './settings-index.ts';

interface GivenRow {
  readonly name: string;
  readonly value: string;
}

/** The input of the profile form. */
export interface ProfileDraft {
  readonly displayName: string;
  readonly note: string;
  readonly fields: readonly GivenRow[];
  readonly locked: boolean;
  readonly bot: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean;
  readonly hideCollections: boolean;
  readonly showMedia: boolean;
  readonly showMediaReplies: boolean;
  readonly showFeatured: boolean;
  /** Web sites that may name the account as an author. */
  readonly attributionDomains: readonly string[];
  readonly defaultQuotePolicy: QuotePolicy | undefined;
  readonly defaultReplyPolicy: ReplyPolicy | undefined;
  readonly warnsOfMissingDescriptions: boolean;
  /** Code of the language that was chosen. */
  readonly locale: string | undefined;
}

export interface SettingsState {
  /** Undefined shows the current profile. */
  readonly draft?: ProfileDraft;
  /** Why the profile, or the password, was not changed. */
  readonly profileProblems?: FieldProblems;
  readonly passwordProblems?: FieldProblems;
  readonly refusedPictures?: RefusedPictures;
  /** Why the address was not changed. */
  readonly emailProblems?: FieldProblems;
  readonly refusedTag?: RefusedTag;
  /** What was done. */
  readonly done?: string | undefined;
}

export const settingsPage = memberPage((visit, { request }) => {
  const done = queryFields(request.query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = visit.words.settings.done;
  return settingsAnswer(visit, { done: Object.hasOwn(sentences, done) ? sentences[done] : undefined });
});

export function settingsAnswer(visit: MemberVisit, state: SettingsState): Answer {
  const { title } = visit.words.settings;
  const main = html`<h1 class="list">${title}</h1>
${state.done !== undefined && html`<p class="card done" role="status">${state.done}</p>`}
${settingsIndex(visit, { mayInvite: mayInvite(visit), isWarned: isWarned(visit) })}
${profileForm(visit, state)}
${picturesForm(visit, profileOf(visit), state.refusedPictures)}
${featuredTagsForm(visit, state.refusedTag)}
${passwordForm(visit, state.passwordProblems ?? {})}
${emailForm(visit, state.emailProblems ?? {})}`;
  const { profileProblems, refusedPictures, passwordProblems, emailProblems, refusedTag } = state;
  const isRefused = [profileProblems, refusedPictures, passwordProblems, emailProblems, refusedTag].some(
    (problem) => problem !== undefined,
  );
  return siteAnswer(visit, {
    title,
    main,
    head: html`<script type="module" src="${cropAddress}"></script>`,
    status: isRefused ? 422 : 200,
    current: 'settings',
    isIndexed: false,
  });
}

function isWarned({ services, account }: MemberVisit): boolean {
  return warningsOf(services.snapshots, account.id, { limit: 1 }).items.length > 0;
}

function profileForm(visit: MemberVisit, { draft = draftOf(visit), profileProblems: problems }: SettingsState): Html {
  const { displayNameCharactersMax, noteCharactersMax, attributionDomainsMax } = profileLimits;
  const words = visit.words.settings.profile;
  return html`<form class="card plain settings" method="post" action="/web/settings/profile">
<h2>${words.title}</h2>
${alert(problems === undefined ? undefined : visit.words.problems.checkFields)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'display_name',
  label: words.name,
  hint: words.nameHint({ limit: displayNameCharactersMax, account: `@${visit.account.profile.username}` }),
  problem: problemSentence(visit.words, problems?.displayName),
  control: (described) => html`<input name="display_name" dir="auto" value="${draft.displayName}"${described}>`,
})}
${formField({
  name: 'note',
  label: words.note,
  hint: words.noteHint({ limit: noteCharactersMax }),
  problem: problemSentence(visit.words, problems?.note),
  control: (described) => html`<textarea name="note" dir="auto" rows="4"${described}>${draft.note}</textarea>`,
})}
${fieldRows(visit, draft, problems?.fields)}
${choice('locked', draft.locked, words.locked, words.lockedHint)}
${choice('discoverable', draft.discoverable, words.discoverable, words.discoverableHint)}
${choice('indexable', draft.indexable, words.indexable, words.indexableHint)}
${choice('hide_collections', draft.hideCollections, words.hideCollections, words.hideCollectionsHint)}
${choice('hide_media', !draft.showMedia, words.hideMedia, words.hideMediaHint)}
${choice('hide_media_replies', !draft.showMediaReplies, words.hideMediaReplies, words.hideMediaRepliesHint)}
${choice('hide_featured', !draft.showFeatured, words.hideFeatured, words.hideFeaturedHint)}
${formField({
  name: 'attribution_domains',
  label: words.attributionDomains,
  hint: words.attributionDomainsHint({ limit: attributionDomainsMax }),
  problem: problemSentence(visit.words, problems?.attributionDomains),
  control: (described) =>
    html`<textarea name="attribution_domains" dir="ltr" rows="2" spellcheck="false"${described}>${draft.attributionDomains.join('\n')}</textarea>`,
})}
${formField({
  name: 'default_quote_policy',
  label: words.quotePolicy,
  hint: words.quotePolicyHint,
  control: (described) => quotePolicySelect(visit, 'default_quote_policy', draft.defaultQuotePolicy, described),
})}
${formField({
  name: 'default_reply_policy',
  label: words.replyPolicy,
  hint: words.replyPolicyHint,
  control: (described) => replyPolicySelect(visit, 'default_reply_policy', draft.defaultReplyPolicy, described),
})}
${choice('warns_of_missing_descriptions', draft.warnsOfMissingDescriptions, words.warnsOfMissingDescriptions, words.warnsOfMissingDescriptionsHint)}
${choice('bot', draft.bot, words.bot, words.botHint)}
${formField({
  name: 'locale',
  label: words.language,
  hint: words.languageHint,
  control: (described) => languageSelect(visit, draft.locale, described),
})}
<button type="submit">${words.save}</button>
</form>`;
}

function languageSelect({ services, words }: MemberVisit, chosen: string | undefined, described: Html): Html {
  const current = chosen ?? words.language.code;
  const options = services.languages.all.map(
    ({ language: { code, name } }) =>
      html`<option value="${code}" lang="${code}"${code === current && html` selected`}>${name}</option>`,
  );
  return html`<select name="locale"${described}>${options}</select>`;
}

function fieldRows(visit: MemberVisit, { fields }: ProfileDraft, problems: readonly FieldProblem[] = []): Html {
  const words = visit.words.settings.profile;
  const rows = Array.from({ length: profileLimits.fieldsMax }, (_, index) =>
    fieldRow(
      visit,
      index,
      fields[index] ?? { name: '', value: '' },
      problems.filter(({ row }) => row?.index === index),
    ),
  );
  return html`<fieldset class="field"><legend>${words.fields}</legend>${rows}<p class="fine">${words.fieldsHint}</p></fieldset>`;
}

function fieldRow(
  visit: MemberVisit,
  index: number,
  { name, value }: GivenRow,
  problems: readonly FieldProblem[],
): Html {
  const id = `field-${index}-problem`;
  const described = problems.length > 0 && html` aria-describedby="${id}" aria-invalid="true"`;
  const words = visit.words.settings.profile;
  const sentences = problems.map((one) => problemSentence(visit.words, [one])).join(' ');
  return html`<div class="line"><input name="field_name_${index}" dir="auto" value="${name}" aria-label="${words.fieldLabel({ number: index + 1 })}" placeholder="${words.label}"${described}>
<input name="field_value_${index}" dir="auto" value="${value}" aria-label="${words.fieldContent({ number: index + 1 })}" placeholder="${words.content}"${described}></div>
${problems.length > 0 && html`<p class="wrong" id="${id}">${sentences}</p>`}`;
}

function choice(name: string, isOn: boolean, label: string, hint: string): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`} aria-describedby="${name}-hint"> <span>${label}</span></label>
<p class="fine" id="${name}-hint">${hint}</p></div>`;
}

function passwordForm(visit: MemberVisit, problems: FieldProblems): Html {
  const { passwordCharactersMin } = registrationLimits;
  const words = visit.words.settings.password;
  return html`<form class="card plain settings" id="password" method="post" action="/web/settings/password">
<h2>${words.title}</h2>
<p>${words.introduction}</p>
${hidden('form_token', visit.formToken)}
<input type="email" name="email" value="${visit.account.login.email}" autocomplete="username" hidden>
${formField({
  name: 'present',
  label: words.present,
  problem: problemSentence(visit.words, problems.present),
  control: (described) =>
    html`<input type="password" name="present" autocomplete="current-password" required${described}>`,
})}
${formField({
  name: 'wanted',
  label: words.wanted,
  hint: words.wantedHint({ limit: passwordCharactersMin }),
  problem: problemSentence(visit.words, problems.wanted),
  control: (described) =>
    html`<input type="password" name="wanted" autocomplete="new-password" minlength="${passwordCharactersMin}" required${described}>`,
})}
<button type="submit">${words.change}</button>
</form>`;
}

function profileOf({ services, account }: Pick<MemberVisit, 'services' | 'account'>): Profile {
  return findAccount(services.snapshots, account.id)?.profile ?? account.profile;
}

function draftOf({ services, account }: MemberVisit): ProfileDraft {
  const login = findLogin(services.snapshots, account.id) ?? account.login;
  const {
    displayName,
    note,
    fields,
    locked,
    bot,
    discoverable = false,
    indexable,
    hideCollections,
    showMedia = true,
    showMediaReplies = true,
    showFeatured = true,
    attributionDomains = [],
  } = profileOf({ services, account });
  return {
    displayName,
    note,
    fields,
    locked,
    bot,
    discoverable,
    indexable,
    hideCollections,
    showMedia,
    showMediaReplies,
    showFeatured,
    attributionDomains,
    defaultQuotePolicy: quotePolicyOf(login),
    defaultReplyPolicy: replyPolicyOf(login),
    warnsOfMissingDescriptions: login.warnsOfMissingDescriptions ?? true,
    locale: undefined,
  };
}
