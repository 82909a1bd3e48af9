/** What an invite is worth at the moment, and whose it is. */
import { findLocalAccount, type LocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import type { RegistrationMode } from '../../actors/instance/instance.messages.ts';
import { inviteWithCode, type StoredInvite, stateOfInvite } from '../../actors/instance/invites/invites.queries.ts';
import type { Invite } from '../../actors/instance/invites/invites.records.ts';
import { countingRole } from '../../actors/instance/roles/roles.queries.ts';
import { type InviteState, inviteRefused } from '../../actors/policy/invites.ts';
import { grants } from '../../actors/policy/roles.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

export interface InviteView {
  readonly id: Id;
  readonly invite: Invite;
  readonly state: InviteState;
  /** Where somebody signs up with it. */
  readonly url: string;
  /** Absent for one of the server itself, and where the account is gone. */
  readonly creator: LocalAccount | undefined;
  /** Whether whoever uses it needs no approval. */
  readonly bypassesApproval: boolean;
}

type Reading = Pick<Services, 'snapshots' | 'now' | 'addresses'>;

/** One whose creator may not invite anybody any more has ended, until that changes. */
export function viewOfInvite({ snapshots, now, addresses }: Reading, { id, invite }: StoredInvite): InviteView {
  const state = stateOfInvite(snapshots, { id, invite }, now());
  const url = `${addresses.origin}/invite/${invite.code}`;
  if (invite.creatorId === undefined) return { id, invite, state, url, creator: undefined, bypassesApproval: true };
  const creator = findLocalAccount(snapshots, invite.creatorId);
  const role = creator && countingRole(snapshots, creator.login);
  const mayInvite = creator !== undefined && role !== undefined && isInUse(creator) && grants(role, 'inviteUsers');
  return {
    ...{ id, invite, url, creator },
    state: mayInvite || state !== 'usable' ? state : 'ended',
    bypassesApproval: mayInvite && grants(role, 'bypassApproval'),
  };
}

function isInUse(account: LocalAccount): boolean {
  const { movedTo, memorial } = account.profile;
  return loginStateOf(account) === 'active' && movedTo === undefined && !memorial;
}

/** Throws Failure notFound for a code that nobody has given. */
export function inviteOfCode(services: Reading, code: string): InviteView {
  const found = inviteWithCode(services.snapshots, code);
  if (found === undefined) throw new Failure('notFound', { reason: 'inviteUnknown' });
  return viewOfInvite(services, found);
}

/** Throws Failure notFound, and validation for one that lets nobody in any more. */
export function usableInvite(services: Reading, code: string): InviteView {
  const found = inviteOfCode(services, code);
  if (found.state !== 'usable') throw inviteRefused(found.state);
  return found;
}

/** How somebody may sign up who has an invite, or none. */
export function registrationModeFor(registrations: RegistrationMode, invite: InviteView | undefined): RegistrationMode {
  if (invite === undefined || registrations === 'open') return registrations;
  return invite.bypassesApproval ? 'open' : 'approval';
}
