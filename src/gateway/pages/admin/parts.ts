/** What the pages of staff have in common: lists, buttons, accounts and their standing, input from forms. */
import type { z } from 'zod';
import { findLogin, loginStateOf } from '../../../actors/account/profile/logins.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { asFailure, type Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, type HtmlPart, html } from '../../../services/words/html.ts';
import { alert, hidden } from '../../oauth/forms.ts';
import { accountPath, handleOf } from '../parts/links.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { changesOf, decidedSince, decisionSentence } from './decided-meanwhile.ts';
import type { StaffForm, StaffVisit } from './visitor.ts';

/** What every form begins with: its token and page, and what that has shown; a refused one, what it was made with. */
export function formHead({ formToken, known, address }: StaffVisit, refused?: Pick<Refused<unknown>, 'known'>): Html {
  const shown = (refused?.known ?? known).join();
  return html`${hidden('form_token', formToken)}${hidden('known', shown)}${hidden('return_to', address)}`;
}

/** What a form was refused for, as a sentence. */
export function refusedAlert({ words }: StaffVisit, refused: Refused<unknown> | undefined): Html | undefined {
  if (refused === undefined) return undefined;
  return html`${alert(refused.problem ?? words.problems.checkFields)}${refused.more}`;
}

/** A button outside of other forms. */
export function actButton(path: string, words: HtmlPart, look: 'quiet' | 'danger' = 'quiet', attributes?: Html): Html {
  return html`<button class="${look}" form="acts" formaction="${path}"${attributes}>${words}</button>`;
}

/** A button that asks before it does something. */
export function askingButton(path: string, words: string, question: HtmlPart, answer: string): Html {
  return html`<details class="confirm"><summary class="button quiet">${words}</summary><p>${question}</p>
${actButton(path, answer, 'danger')}</details>`;
}

/** `rows` are the contents of its entries. */
export function listOf(
  visit: StaffVisit,
  label: string,
  rows: readonly Html[],
  empty = visit.words.staff.nothing,
): Html {
  if (rows.length === 0) return html`<div class="empty"><p>${empty}</p></div>`;
  return html`<ul class="timeline staffed" aria-label="${label}">${rows.map((row) => html`<li class="entry">${row}</li>`)}</ul>`;
}

/** `kept` are parameters of the page: `closed=1&`. */
export function olderLink(
  { words: { staff } }: StaffVisit,
  { full, oldest }: { readonly full: boolean; readonly oldest: Id | undefined },
  kept = '',
): Html | undefined {
  if (!full) return undefined;
  return html`<nav class="paging"><a rel="next" href="?${kept}max_id=${oldest}">${staff.older}</a></nav>`;
}

/** The handle of an account, linked to its profile. */
export function accountLink(visit: StaffVisit, profile: Profile | undefined): Html {
  if (profile === undefined) return html`${visit.words.staff.somebodyGone}`;
  return html`<a href="${accountPath(visit, profile)}"><bdi>@${handleOf(profile)}</bdi></a>`;
}

/** Who decided something; nobody for the command line. */
export function deciderOf(visit: StaffVisit, accountId: Id | undefined): Html {
  if (accountId === undefined) return html`${visit.words.staff.commandLine}`;
  return accountLink(visit, findProfile(visit.services.snapshots, accountId));
}

/** What an account may not do at the moment. */
export function standingOf({ services, words }: StaffVisit, profile: Profile): Html {
  const { standing } = words.staff.reports;
  const login = profile.remote === undefined ? findLogin(services.snapshots, profile.id) : undefined;
  const isPending = login !== undefined && loginStateOf({ id: profile.id, profile, login }) === 'pending';
  const marks = [
    profile.suspendedAt !== undefined && standing.suspended,
    profile.limited && standing.limited,
    profile.sensitized === true && standing.sensitized,
    profile.memorial && standing.memorial,
    login?.disabled === true && standing.disabled,
    isPending && standing.pending,
  ].filter((one) => one !== false);
  if (marks.length === 0) return html`<span class="badge fine">${standing.fine}</span>`;
  return html`${marks.map((mark) => html`<span class="badge">${mark}</span> `)}`;
}

/** A checkbox that says what it does. */
export function checkbox(name: string, isOn: boolean, label: string, hint?: string): Html {
  const described = hint !== undefined && html` aria-describedby="${name}-hint"`;
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`}${described}> <span>${label}</span></label>
${hint !== undefined && html`<p class="fine" id="${name}-hint">${hint}</p>`}</div>`;
}

/** One of several values, each with an explanation. */
export function radios<Value extends string>(
  legend: string,
  name: string,
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
  chosen: Value | undefined,
  hints?: Readonly<Record<Value, string>>,
): Html {
  const rows = values.map((value) => {
    const id = `${name}-${value}-hint`;
    const described = hints !== undefined && html` aria-describedby="${id}"`;
    return html`<label class="choice"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}${described}> <span>${words[value]}</span></label>
${hints !== undefined && html`<p class="fine" id="${id}">${hints[value]}</p>`}`;
  });
  return html`<fieldset class="field"><legend>${legend}</legend>${rows}</fieldset>`;
}

/** Calls an operation with what somebody has typed. Throws Failure validation for what it does not take. */
export function perform<Input extends z.ZodType, Output>(
  { visit }: Pick<StaffForm, 'visit'>,
  operation: { (visit: StaffVisit, input: z.output<Input>): Output; readonly input: Input },
  given: z.input<Input>,
): Output {
  const input = operation.input.safeParse(given);
  if (!input.success) throw validationFailure('This is not what the form asks for.');
  return operation(visit, input.data);
}

/** A file that is no picture is not right in the form either. */
export function aboutInput(error: unknown): Failure {
  const failure = asFailure(error);
  return failure.code === 'mediaRefused' ? validationFailure(failure.message) : failure;
}

/** The file of a picture, which has to be chosen anew each time. */
export function pictureField(label: string, hint: string): Html {
  return html`<div class="field"><label>${label} <input type="file" name="picture" accept="image/png,image/gif,image/webp,image/jpeg" required aria-describedby="picture-hint"></label><p class="fine" id="picture-hint">${hint}</p></div>`;
}

/**
 * A refused form. Where somebody else has decided meanwhile it says who, and what: whoever sends it again overwrites that
 * knowingly. `sentence` says what is not right where the operation has no reason of its own. */
export function refusedForm<Draft>(
  { visit }: StaffForm,
  draft: Draft,
  error: unknown,
  sentence: string,
): Refused<Draft> {
  const decision = decidedSince(visit, asFailure(error), undefined);
  if (decision !== undefined) {
    const said = { problem: decisionSentence(visit, decision), more: changesOf(decision) };
    return { draft, problems: {}, ...said, isLate: true };
  }
  const refused = { ...refusedDraft(visit.words, draft, error), known: visit.caller.known };
  const hasReason = Object.keys(refused.problems).length > 0 || asFailure(error).reason !== undefined;
  return hasReason ? refused : { ...refused, problem: sentence };
}
