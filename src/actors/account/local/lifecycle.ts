/**
 * The life of a local account: created once by the directory, changed by its owner, by staff and on the command line.
 */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { recordAudit } from '../../audit.state.ts';
import { Directory } from '../../directory/directory.messages.ts';
import { Instance, instanceKey } from '../../instance/instance.messages.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { withStanding } from '../../policy/suspension.ts';
import { isAdmitted, isUser } from '../../policy/usage.ts';
import { dayOf } from '../../session/session.messages.ts';
import { countActivity, countUsage } from '../../usage.state.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { askToConfirm } from '../mail/ask-to-confirm.ts';
import { tellChanges } from '../mail/tell-changes.ts';
import { replacedPictures } from '../profile/pictures.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Profile } from '../profile/profile.records.ts';
import { profiles } from '../profile/profile.state.ts';
import { beginCounters, ownLogin, ownProfile, putLogin } from '../profile/profile.turn.ts';
import { isChanged, storeProfile } from '../profile/store-profile.ts';
import { authorizeAll } from '../relationships/authorize.ts';
import { keepFormerEmail, keepSignIn } from '../sign-ins/sign-ins.turn.ts';
import { followingCreator } from './follow-creator.ts';
import { notifyOfSignUp } from './sign-up-notice.ts';
import { deliverProfile, factsOf, storeDecision } from './store-decision.ts';

/** Runs once: the directory gives a name and its id to one account only. */
export function create(
  turn: AccountTurn,
  message: BodyOf<typeof Account.create>,
): { accountId: bigint } | DelegatedReply {
  const accountId = turn.self.key;
  if (turn.get(profiles, [accountId]) === undefined) begin(turn, message);
  if (message.emailName === undefined) return { accountId };
  const { emailName, isEmailPending: isPending } = message;
  return turn.delegateReply(Directory.emailTaken.to(emailName, { accountId, isPending }));
}

function begin(turn: AccountTurn, message: BodyOf<typeof Account.create>): void {
  const accountId = turn.self.key;
  const profile = newProfile(turn, message);
  storeProfile(turn, profile, undefined);
  putLogin(turn, isUser(profile, message.login) ? followingCreator(turn, message.login) : message.login);
  beginCounters(turn);
  recordAudit(turn, message.audit, {
    targetId: accountId,
    name: profile.username,
    after: factsOf({ profile, login: message.login }),
  });
  if (isUser(profile, message.login)) countUsage(turn, { users: 1 });
  countActivity(turn, 'registrations', dayOf(turn.now));
  if (message.source !== undefined) keepSignIn(turn, { ...message.source, succeeded: true });
  if (message.isEmailPending === true) askToConfirm(turn, message.login.email);
  else notifyOfSignUp(turn, message.staffIds);
  tellWebhooks(turn, 'account.created', accountId);
  if (isAdmitted(message.login)) tellWebhooks(turn, 'account.approved', accountId);
  if (message.inviteUse !== undefined) turn.tell(Instance.inviteUsed.to(instanceKey, message.inviteUse));
}

function newProfile(turn: AccountTurn, { username, displayName, locked, bot, login }: BodyOf<typeof Account.create>) {
  return {
    id: turn.self.key,
    username,
    actorType: bot ? 'Service' : 'Person',
    displayName,
    note: '',
    noteHtml: '',
    fields: [],
    emojis: [],
    locked,
    bot,
    indexable: false,
    hideCollections: false,
    createdAt: turn.now,
    updatedAt: turn.now,
    limited: false,
    memorial: false,
    alsoKnownAs: [],
    role: login.role,
    ...(login.roleId !== undefined && { roleId: login.roleId }),
  } satisfies Profile;
}

/**
 * Other servers are informed (specification 6.2: Update to followers), except of what is the owner's alone, such as how
 * they read, and of what is as it was; unlocking accepts pending followers (section 3).
 */
export function changeProfile(turn: AccountTurn, message: BodyOf<typeof Account.changeProfile>): undefined {
  const before = ownProfile(turn);
  const login = ownLogin(turn);
  const { defaultPrivacy, defaultSensitive, defaultLanguage, defaultQuotePolicy, defaultReplyPolicy, ...others } =
    message;
  const { locale, warnsOfMissingDescriptions, expandMedia, expandSpoilers, autoplayGifs, ...shown } = others;
  const { avatarPicture, headerPicture, ...changes } = shown;
  const pictures = replacedPictures(turn, before, { avatarPicture, headerPicture });
  const actorType = changes.bot === undefined ? before.actorType : changes.bot ? 'Service' : 'Person';
  const profile = { ...before, ...pictures, ...given(changes), actorType, updatedAt: turn.now };
  storeProfile(turn, profile, before);
  const defaults = { defaultPrivacy, defaultSensitive, defaultLanguage, defaultQuotePolicy, defaultReplyPolicy };
  const reading = { expandMedia, expandSpoilers, autoplayGifs };
  const preferences = given({ ...defaults, locale, warnsOfMissingDescriptions, ...reading });
  putLogin(turn, { ...login, ...preferences });
  if (before.locked && !profile.locked) authorizeAll(turn);
  turn.emit(profileChanged, { accountId: turn.self.key });
  if (isChanged(before, profile)) deliverProfile(turn);
}

/** For staff and the command line. The directory owns email addresses: a new `email` must have been reserved there. */
export function changeLogin(turn: AccountTurn, message: BodyOf<typeof Account.changeLogin>): undefined {
  const before = { profile: ownProfile(turn), login: ownLogin(turn) };
  const { suspended, limited, audit, roleId, roleNames, memorial = before.profile.memorial, ...changes } = message;
  const roles = message.role === undefined ? {} : { roleId };
  const login = { ...before.login, ...given(changes), ...roles };
  const standing = withStanding(before.profile, { suspended, limited }, turn.now);
  const profile = { ...standing, memorial, role: login.role, ...roles };
  const after = { profile, login };
  storeDecision(turn, before, after);
  if (before.login.email !== login.email) keepFormerEmail(turn, before.login.email);
  tellChanges(turn, before, after);
  recordAudit(turn, audit, {
    targetId: turn.self.key,
    name: profile.username,
    before: { ...factsOf(before), ...(roleNames && { role: roleNames.before }) },
    after: { ...factsOf(after), ...(roleNames && { role: roleNames.after }) },
    changed: message.passwordHash === undefined ? [] : ['password'],
  });
}

/** The fields that are not undefined. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}
