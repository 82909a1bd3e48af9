/** Stores what staff have decided about an account, with everything that follows from it at once. */
import { Instance, instanceKey } from '../../instance/instance.messages.ts';
import { tellWebhooks } from '../../partition/tell-webhooks.ts';
import { canonicalHash } from '../../policy/access.ts';
import { isAdmitted, isUser } from '../../policy/usage.ts';
import { loginChanged } from '../../session/session.events.ts';
import { countUsage } from '../../usage.state.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { profileChanged } from '../profile/profile.events.ts';
import type { Login, Profile } from '../profile/profile.records.ts';
import { putLogin } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import { followingCreator } from './follow-creator.ts';

export interface AccountState {
  readonly profile: Profile;
  /** Of a local account. */
  readonly login: Login | undefined;
}

const shownFields = ['suspendedAt', 'role', 'roleId', 'limited', 'sensitized', 'memorial'] as const;
/** What other servers show as well. */
const toldFields = ['suspendedAt', 'memorial'] as const;

export function storeDecision(turn: AccountTurn, before: AccountState, after: AccountState): void {
  const { key: accountId } = turn.self;
  storeProfile(turn, after.profile, before.profile);
  if (before.login !== undefined && after.login !== undefined)
    storeLogin(turn, before, after, withEmailBlock(turn, before, after, after.login));
  if (shownFields.some((field) => before.profile[field] !== after.profile[field]))
    turn.emit(profileChanged, { accountId });
  const isLocal = after.login !== undefined;
  const isTold = toldFields.some((field) => before.profile[field] !== after.profile[field]);
  if (isLocal && isTold) deliverProfile(turn);
  const { dataKeptUntil: until } = after.profile;
  if (until === undefined || before.profile.dataKeptUntil !== undefined) return;
  turn.schedule(until, Account.suspendedDataDue.to(accountId, { until }));
  if (!isLocal) turn.tell(Account.endFollowsOfSuspended.to(accountId, {}));
}

function storeLogin(turn: AccountTurn, before: AccountState, after: AccountState, login: Login): void {
  const { key: accountId } = turn.self;
  const users = Number(isUser(after.profile, login)) - Number(isUser(before.profile, before.login ?? login));
  putLogin(turn, users > 0 ? followingCreator(turn, login) : login);
  if (users !== 0) countUsage(turn, { users });
  if (isAdmitted(login) && !isAdmitted(before.login ?? login)) tellWebhooks(turn, 'account.approved', accountId);
  turn.emit(loginChanged, { accountId });
}

/**
 * Nobody signs up again with the address of a suspended account, in whatever spelling, until the suspension ends or staff
 * allow it (behaviour of the Mastodon API).
 */
function withEmailBlock(turn: AccountTurn, before: AccountState, after: AccountState, login: Login): Login {
  const { key: accountId } = turn.self;
  const { emailBlock, ...others } = login;
  const isSuspended = after.profile.suspendedAt !== undefined;
  if (isSuspended === (before.profile.suspendedAt !== undefined)) return login;
  if (isSuspended) {
    const hash = canonicalHash(login.email);
    if (hash === undefined) return login;
    turn.tell(Instance.blockAccountEmail.to(instanceKey, { accountId, hash }));
    return { ...others, emailBlock: hash };
  }
  if (emailBlock === undefined) return login;
  turn.tell(Instance.unblockAccountEmail.to(instanceKey, { accountId, hash: emailBlock }));
  return others;
}

/** Other servers are informed (specification 6.2: Update to followers). */
export function deliverProfile(turn: AccountTurn): void {
  const intent = { kind: 'updateAccount', actorId: turn.self.key, activityId: turn.nextId() } as const;
  deliver(turn, intent, { toFollowers: true, toRelays: true, destinations: [] });
}

/** What staff decide about an account, for the audit log. */
export function factsOf({ profile, login }: AccountState) {
  const { suspendedAt, limited, sensitized = false, memorial } = profile;
  const standing = { limited, sensitized, suspended: suspendedAt !== undefined, ...(memorial && { memorial }) };
  if (login === undefined) return standing;
  const { role, email, confirmed, approved, disabled } = login;
  return { role, email, confirmed, approved, disabled, ...standing };
}
