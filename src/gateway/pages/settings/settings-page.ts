/** /settings: the profile, the password, and where the visitor is signed in. */
import { warningsOf } from '../../../actors/account/notifications/warnings.queries.ts';
import { findLogin, quotePolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import type { QuotePolicy } from '../../../actors/account/quotes/quotes.records.ts';
import { findAccount } from '../../../actors/account/statuses/statuses.queries.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import type { FieldProblem, FieldProblems } from '../../../operations/refused-fields.ts';
import { registrationLimits } from '../../../operations/registration/limits.ts';
import type { Answer } from '../../http/answers.ts';
import { alert, formField, hidden, notYet, problemSentence, queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { featuredTagsForm, type RefusedTag } from '../parts/featured-tags.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Html, html } from '../parts/html.ts';
import { quotePolicySelect } from '../parts/quote-policy.ts';
import { signIns } from '../parts/sign-ins.ts';
import type { MemberVisit } from '../visit.ts';

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
  readonly defaultQuotePolicy: QuotePolicy | undefined;
}

export interface SettingsState {
  /** Undefined shows the current profile. */
  readonly draft?: ProfileDraft;
  /** Why the profile, or the password, was not changed. */
  readonly profileProblems?: FieldProblems;
  readonly passwordProblems?: FieldProblems;
  readonly refusedTag?: RefusedTag;
  /** What was done. */
  readonly done?: string | undefined;
}

const doneWords: Readonly<Record<string, string>> = {
  profile: 'Your profile is changed.',
  tags: 'Your featured hashtags are changed.',
  password: 'Your password is changed, and all other sessions are signed out.',
  browser: 'That browser is signed out.',
  browsers: 'All other browsers are signed out.',
  application: 'That application may not act for you any more.',
  applications: 'No application may act for you any more.',
};

export const settingsPage = memberPage((visit, { request }) => {
  const done = queryFields(request.query).get('done') ?? '';
  return settingsAnswer(visit, { done: Object.hasOwn(doneWords, done) ? doneWords[done] : undefined });
});

export function settingsAnswer(visit: MemberVisit, state: SettingsState): Answer {
  const main = html`<h1 class="list">Settings</h1>
${state.done !== undefined && html`<p class="card done" role="status">${state.done}</p>`}
${profileForm(visit, state)}
${featuredTagsForm(visit, state.refusedTag)}
${passwordForm(visit, state.passwordProblems ?? {})}
<section class="card plain settings"><h2>People</h2>
<p>Who <a href="/follow_requests">asks to follow you</a>, whom you <a href="/suggestions">may want to follow</a>, whom you have <a href="/mutes">muted</a>, whom you have <a href="/blocks">blocked</a>, and which <a href="/domain_blocks">servers</a> you have hidden.</p>
<p><a href="/notifications/requests">Who may notify you</a>, and whose mentions wait for your answer.</p>
<p><a href="/followed_tags">Hashtags that you follow</a>, and <a href="/filters">filters</a> for words that you do not want to read.</p>
<p>Coming from another server, or going to one: <a href="/settings/moving">move your followers</a>.</p>
${isWarned(visit) && html`<p>The moderators of this server <a href="/disputes/strikes">have warned you</a>.</p>`}</section>
${signIns(visit)}`;
  const isRefused = [state.profileProblems, state.passwordProblems, state.refusedTag].some(
    (problem) => problem !== undefined,
  );
  return siteAnswer(visit, {
    title: 'Settings',
    main,
    status: isRefused ? 422 : 200,
    current: 'settings',
    isIndexed: false,
  });
}

function isWarned({ services, account }: MemberVisit): boolean {
  return warningsOf(services.snapshots, account.id, { limit: 1 }).items.length > 0;
}

function profileForm(visit: MemberVisit, { draft = draftOf(visit), profileProblems: problems }: SettingsState): Html {
  const { displayNameCharactersMax, noteCharactersMax } = profileLimits;
  return html`<form class="card plain settings" method="post" action="/web/settings/profile">
<h2>Profile</h2>
${alert(problems === undefined ? undefined : notYet)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'display_name',
  label: 'Name',
  hint: `Up to ${displayNameCharactersMax} characters. @${visit.account.profile.username} stays what it is.`,
  problem: problemSentence('The name', problems?.displayName),
  control: (described) => html`<input name="display_name" dir="auto" value="${draft.displayName}"${described}>`,
})}
${formField({
  name: 'note',
  label: 'About you',
  hint: `Up to ${noteCharactersMax} characters. Links, hashtags and @names work.`,
  problem: problemSentence('This text', problems?.note),
  control: (described) => html`<textarea name="note" dir="auto" rows="4"${described}>${draft.note}</textarea>`,
})}
${fieldRows(draft, problems?.fields)}
${choice('locked', draft.locked, 'Approve who follows', 'Whoever wants to follow you has to ask.')}
${choice('discoverable', draft.discoverable, 'Be found', 'Your profile and posts may be suggested to others.')}
${choice('indexable', draft.indexable, 'Search engines', 'They may list your profile and your public posts.')}
${choice('hide_collections', draft.hideCollections, 'Hide your lists', 'Nobody but you sees whom you follow, and who follows you.')}
${formField({
  name: 'default_quote_policy',
  label: 'Who may quote your posts',
  hint: 'Unless you say otherwise where you write one.',
  control: (described) => quotePolicySelect('default_quote_policy', draft.defaultQuotePolicy, described),
})}
${choice('bot', draft.bot, 'Automated', 'A program posts here, not a person.')}
<button type="submit">Save the profile</button>
</form>`;
}

function fieldRows({ fields }: ProfileDraft, problems: readonly FieldProblem[] = []): Html {
  const rows = Array.from({ length: profileLimits.fieldsMax }, (_, index) =>
    fieldRow(
      index,
      fields[index] ?? { name: '', value: '' },
      problems.filter(({ row }) => row?.index === index),
    ),
  );
  return html`<fieldset class="field"><legend>More about you</legend>${rows}<p class="fine">Your pronouns, your web site, anything that has a label.</p></fieldset>`;
}

function fieldRow(index: number, { name, value }: GivenRow, problems: readonly FieldProblem[]): Html {
  const id = `field-${index}-problem`;
  const described = problems.length > 0 && html` aria-describedby="${id}" aria-invalid="true"`;
  const sentences = problems.map((one) => problemSentence(rowSubjects[one.row?.subject ?? ''], [one])).join(' ');
  return html`<div class="line"><input name="field_name_${index}" dir="auto" value="${name}" aria-label="Label ${index + 1}" placeholder="Label"${described}>
<input name="field_value_${index}" dir="auto" value="${value}" aria-label="Content ${index + 1}" placeholder="Content"${described}></div>
${problems.length > 0 && html`<p class="wrong" id="${id}">${sentences}</p>`}`;
}

const rowSubjects: Readonly<Record<string, string>> = { 'Field name': 'The label', 'Field value': 'The content' };

function choice(name: string, isOn: boolean, words: string, hint: string): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`} aria-describedby="${name}-hint"> <span>${words}</span></label>
<p class="fine" id="${name}-hint">${hint}</p></div>`;
}

function passwordForm(visit: MemberVisit, problems: FieldProblems): Html {
  const { passwordCharactersMin } = registrationLimits;
  return html`<form class="card plain settings" id="password" method="post" action="/web/settings/password">
<h2>Password</h2>
<p>A new password signs out everything else: other browsers, and applications.</p>
${hidden('form_token', visit.formToken)}
<input type="email" name="email" value="${visit.account.login.email}" autocomplete="username" hidden>
${formField({
  name: 'present',
  label: 'Present password',
  problem: problemSentence('This', problems.present),
  control: (described) =>
    html`<input type="password" name="present" autocomplete="current-password" required${described}>`,
})}
${formField({
  name: 'wanted',
  label: 'New password',
  hint: `At least ${passwordCharactersMin} characters. Several words are good, and easy to remember.`,
  problem: problemSentence('The password', problems.wanted),
  control: (described) =>
    html`<input type="password" name="wanted" autocomplete="new-password" minlength="${passwordCharactersMin}" required${described}>`,
})}
<button type="submit">Change the password</button>
</form>`;
}

function draftOf({ services, account }: MemberVisit): ProfileDraft {
  const defaultQuotePolicy = quotePolicyOf(findLogin(services.snapshots, account.id) ?? account.login);
  const {
    displayName,
    note,
    fields,
    locked,
    bot,
    discoverable = false,
    indexable,
    hideCollections,
  } = findAccount(services.snapshots, account.id)?.profile ?? account.profile;
  return { displayName, note, fields, locked, bot, discoverable, indexable, hideCollections, defaultQuotePolicy };
}
