/** The forms of one account: what is decided about it, taken back, and changed in how it signs in. */
import { emailSubscriptionsOf } from '../../../../actors/account/email-subscriptions/email-subscriptions.queries.ts';
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import type { Login } from '../../../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { findKeyPair } from '../../../../actors/account/remote/federation.queries.ts';
import { twoFactorOf } from '../../../../actors/account/two-factor/two-factor.queries.ts';
import { allWarningPresets } from '../../../../actors/instance/warning-presets/warning-presets.queries.ts';
import { isAbove } from '../../../../actors/policy/roles.ts';
import { allRoles, heldRole } from '../../../../actors/roles.queries.ts';
import { shorten } from '../../../../actors/text/shorten.ts';
import { mayGive } from '../../../../operations/administration/change-role.ts';
import { isEmailBlocked } from '../../../../operations/administration/unblock-email.ts';
import type { StaffPermission } from '../../../../operations/permissions.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { formField, hidden } from '../../../oauth/forms.ts';
import { webLimits } from '../../limits.ts';
import { nameOfRole } from '../../parts/role-mark.ts';
import { selectField } from '../lists/text-field.ts';
import { checkbox, formHead, radios } from '../parts.ts';
import { mayDo } from '../sections.ts';
import type { StaffVisit } from '../visitor.ts';
import { type AccountDecision, accountDecisions, type ButtonName, buttons } from './account-decisions.ts';
import { seenOf } from './last-decision.ts';

export interface Draft {
  readonly action: AccountDecision | undefined;
  readonly text: string;
  readonly tells: boolean;
  readonly preset: string;
  /** What is wrong with the text, as a sentence. */
  readonly problem?: string | undefined;
}

const empty: Draft = { action: undefined, text: '', tells: true, preset: '' };

/** Nobody decides about an equal or better: no form is shown then. */
export function mayActOn(visit: StaffVisit, { profile }: AccountView): boolean {
  const { snapshots } = visit.services;
  return (
    profile.remote !== undefined || isAbove(heldRole(snapshots, visit.account.login), heldRole(snapshots, profile))
  );
}

/** What the visitor may decide about it now. */
export function offeredTo(visit: StaffVisit, account: AccountView): AccountDecision[] {
  if (!mayActOn(visit, account)) return [];
  const { profile } = account;
  const all = Object.entries(accountDecisions) as [AccountDecision, (typeof accountDecisions)[AccountDecision]][];
  return all.flatMap(([action, { decide, isForRemote, isDone }]) => {
    const isPossible = (isForRemote || profile.remote === undefined) && !isDone(visit, account);
    return isPossible && mayDo(visit, decide.permission) ? action : [];
  });
}

function hiddenFields(visit: StaffVisit, { profile }: AccountView): Html {
  return html`${formHead(visit)}${hidden('seen', seenOf(visit, profile.id))}`;
}

export function accountDecisionForm(visit: StaffVisit, account: AccountView, draft = empty): Html | undefined {
  const offered = offeredTo(visit, account);
  if (offered.length === 0) return undefined;
  const words = visit.words.staff.reports;
  const { accounts } = visit.words;
  const presets = allWarningPresets(visit.services.snapshots).map(
    ({ id, title, text }) =>
      [id.toString(), title === '' ? shorten(text, webLimits.quotedCharactersMax) : title] as const,
  );
  return html`<form class="card plain settings" id="decide" method="post" action="/web/admin/accounts/${account.profile.id}/act">
<h2>${accounts.decide}</h2>
<p>${accounts.decideHint}</p>
${hiddenFields(visit, account)}
${radios(words.whatToDo, 'action', offered, words.actions, draft.action, words.actionHints)}
${presets.length > 0 && selectField('preset', accounts.preset, Object.fromEntries(presets) as Record<string, string>, draft.preset, accounts.noPreset)}
${toldField(visit, draft)}
${account.profile.remote === undefined && checkbox('tells', draft.tells, words.tells, words.tellsHint)}
<button type="submit">${words.act}</button></form>`;
}

/** What the account is told. */
export function toldField({ words }: StaffVisit, { text, problem }: Pick<Draft, 'text' | 'problem'>): Html {
  const { reports } = words.staff;
  return formField({
    name: 'text',
    label: reports.text,
    hint: reports.textHint({ limit: notificationLimits.warningCharactersMax }),
    problem,
    control: (described) => html`<textarea name="text" dir="auto" rows="4"${described}>${text}</textarea>`,
  });
}

interface Asked {
  readonly question: string;
  readonly more: string;
}

/** A form of one button; with a question before it where it cannot be taken back. */
function button(visit: StaffVisit, account: AccountView, verb: ButtonName, label: string, asked?: Asked): Html | false {
  const { operation } = buttons[verb];
  if (!mayDo(visit, operation.permission satisfies StaffPermission)) return false;
  const form = html`<form method="post" action="/web/admin/accounts/${account.profile.id}/${verb}">${hiddenFields(visit, account)}<button class="${asked === undefined ? 'quiet' : 'danger'}">${label}</button></form>`;
  if (asked === undefined) return form;
  return html`<details class="confirm"><summary class="button quiet">${asked.more}</summary><p>${asked.question}</p>${form}</details>`;
}

export function undoCard(visit: StaffVisit, account: AccountView, login: Login | undefined): Html | undefined {
  if (!mayActOn(visit, account)) return undefined;
  const { profile } = account;
  const { accounts: words } = visit.words;
  const isOurs = profile.dataKeptUntil !== undefined || (profile.suspendedAt !== undefined && login !== undefined);
  const shown = [
    login?.disabled === true && button(visit, account, 'enable', words.undos.enable),
    profile.sensitized === true && button(visit, account, 'unsensitive', words.undos.unsensitive),
    profile.limited && button(visit, account, 'unlimit', words.undos.unlimit),
    isOurs && profile.dataRemovedAt === undefined && button(visit, account, 'unsuspend', words.undos.unsuspend),
    profile.dataKeptUntil !== undefined &&
      button(visit, account, 'remove', words.remove, { more: words.removeMore, question: words.removeHint }),
  ].filter((one) => one !== false);
  if (shown.length === 0) return undefined;
  return html`<section class="card plain"><h2>${words.undo}</h2><div class="line buttons">${shown}</div></section>`;
}

function originCard(visit: StaffVisit, account: AccountView): Html | undefined {
  const { accounts: words } = visit.words;
  const asks = account.profile.suspendedAt === undefined && button(visit, account, 'refetch', words.refetch);
  if (asks === undefined || asks === false) return undefined;
  return html`<section class="card plain"><h2>${words.itsServer}</h2><div class="line buttons">${asks}</div></section>`;
}

export function accessCard(visit: StaffVisit, account: AccountView, login: Login | undefined): Html | undefined {
  if (login === undefined) return originCard(visit, account);
  if (!mayActOn(visit, account)) return undefined;
  const { profile } = account;
  const { accounts: words } = visit.words;
  const usesTwoFactor = twoFactorOf(visit.services.snapshots, profile.id) !== undefined;
  const shown = [
    !login.confirmed && button(visit, account, 'confirm', words.confirm),
    button(visit, account, 'sign-out', words.signOut),
    button(visit, account, 'password', words.password, { more: words.passwordMore, question: words.passwordHint }),
    usesTwoFactor &&
      button(visit, account, 'two-factor', words.twoFactorOff, {
        more: words.twoFactorMore,
        question: words.twoFactorHint,
      }),
    isEmailBlocked(visit.services.snapshots, profile.id, login) &&
      button(visit, account, 'unblock-email', words.unblockEmail, {
        more: words.unblockEmailMore,
        question: words.unblockEmailHint,
      }),
    (profile.emailSubscriptions === true || emailSubscriptionsOf(visit.services.snapshots, profile.id).total > 0) &&
      button(visit, account, 'email-subscriptions', words.subscriptionsOff, {
        more: words.subscriptionsMore,
        question: words.subscriptionsHint,
      }),
    findKeyPair(visit.services.snapshots, profile.id) !== undefined &&
      button(visit, account, 'keys', words.keys, { more: words.keysMore, question: words.keysHint }),
    !profile.memorial &&
      profile.suspendedAt === undefined &&
      button(visit, account, 'memorialize', words.memorialize, {
        more: words.memorializeMore,
        question: words.memorializeHint,
      }),
    profile.avatarPicture !== undefined && button(visit, account, 'avatar', words.avatar),
    profile.headerPicture !== undefined && button(visit, account, 'header', words.header),
  ].filter((one) => one !== false);
  const role = roleForm(visit, account, login);
  const email = emailForm(visit, account);
  if (shown.length === 0 && role === undefined && email === undefined) return undefined;
  return html`<section class="card plain settings"><h2>${words.access}</h2><div class="line buttons">${shown}</div>${role}${email}</section>`;
}

function emailForm(visit: StaffVisit, account: AccountView): Html | undefined {
  if (!mayDo(visit, buttons.email.operation.permission)) return undefined;
  const { accounts: words } = visit.words;
  return html`<form method="post" action="/web/admin/accounts/${account.profile.id}/email">${hiddenFields(visit, account)}
${formField({
  ...{ name: 'email', label: words.newEmail, hint: words.newEmailHint },
  control: (described) => html`<input type="email" name="email" autocomplete="off" required${described}>`,
})}
<button class="quiet">${words.askEmail}</button></form>`;
}

function roleForm(visit: StaffVisit, account: AccountView, login: Login): Html | undefined {
  if (!mayDo(visit, buttons.role.operation.permission)) return undefined;
  const { snapshots } = visit.services;
  const { accounts: words } = visit.words;
  const present = heldRole(snapshots, login).id;
  const roles = allRoles(snapshots)
    .filter((role) => role.id === present || mayGive(visit, role))
    .map((role) => [role.id, nameOfRole(visit.words, role)]);
  return html`<form method="post" action="/web/admin/accounts/${account.profile.id}/role">${hiddenFields(visit, account)}
${selectField('role', words.role, Object.fromEntries(roles) as Record<string, string>, present)}
<button class="quiet">${words.giveRole}</button></form>`;
}
