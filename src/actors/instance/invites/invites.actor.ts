/**
 * Invites. A use is reserved in the turn that looks at the limit, before the directory is asked for the name, so that no
 * more sign up than may, however many do so at once:
 *
 *   instance registerInvited  reserves a use
 *   email:…, acct:…           register, or inviteUnused (directory/register.ts)
 *   account create            inviteUsed
 *
 * All of these are delivered exactly once, also across a crash. A reservation expires only for what a dead letter has lost.
 */
import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { Failure, overloadRefusal, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { recordAudit } from '../../audit.state.ts';
import { Directory, nameOfEmail } from '../../directory/directory.messages.ts';
import { type InviteState, inviteRefused, inviteStateOf } from '../../policy/invites.ts';
import { Instance } from '../instance.messages.ts';
import { settings } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { inviteMessages } from './invites.messages.ts';
import type { Invite, InviteUse } from './invites.records.ts';
import { inviteLists, invites, listOfCode, listOfCreator, listsOf } from './invites.state.ts';

type Body<Name extends keyof typeof inviteMessages> = BodyOf<(typeof inviteMessages)[Name]>;

export function addInvite(turn: InstanceTurn, { audit, ...content }: Body<'addInvite'>): { inviteId: Id } {
  const { key } = turn.self;
  if (idsOnList(turn, listOfCode(content.code)).length > 0) throw new Failure('conflict');
  makeRoom(turn, content.creatorId);
  const inviteId = turn.nextId();
  const invite: Invite = { ...content, createdAt: turn.now, uses: 0, reserved: [] };
  turn.put(invites, [key, inviteId], invite);
  for (const list of listsOf(invite)) turn.put(inviteLists, [key, list, inviteId], true);
  const { usesMax, expiresAt, autofollow, comment } = content;
  recordAudit(turn, audit, {
    targetId: inviteId,
    name: audit?.name ?? '',
    after: { usesMax, expiresAt, autofollow, comment },
  });
  return { inviteId };
}

/** The oldest that lets nobody in any more gives way. Throws Failure validation where all of them do. */
function makeRoom(turn: InstanceTurn, creatorId: Id | undefined): void {
  const { invitesOfAccountMax: limit } = instanceLimits;
  const present = idsOnList(turn, listOfCreator(creatorId));
  if (present.length < limit) return;
  const spent = present.find((inviteId) => {
    const invite = turn.get(invites, [turn.self.key, inviteId])!;
    return invite.reserved.length === 0 && stateOf(turn, inviteId, invite) !== 'usable';
  });
  if (spent === undefined) throw validationFailure('There are too many invites', { reason: 'tooManyInvites', limit });
  forget(turn, spent);
}

export function endInvite(turn: InstanceTurn, { inviteId, creatorId, audit }: Body<'endInvite'>): undefined {
  const invite = inviteOf(turn, inviteId);
  if (creatorId !== undefined && invite.creatorId !== creatorId) throw new Failure('notFound');
  if (invite.endedAt !== undefined) return;
  turn.put(invites, [turn.self.key, inviteId], { ...invite, endedAt: turn.now });
  const { comment, uses } = invite;
  recordAudit(turn, audit, { targetId: inviteId, name: audit?.name ?? '', before: { comment, uses } });
}

/** Later ones have higher ids. Does nothing where none is left. */
export function endInvites(turn: InstanceTurn, { audit }: Body<'endInvites'>): undefined {
  const { key } = turn.self;
  const stored = turn.get(settings, [key]);
  if (!mayBeLeft(turn, stored?.invitesEndedBefore)) return;
  turn.put(settings, [key], { ...stored, invitesEndedBefore: turn.nextId() });
  recordAudit(turn, audit, { name: audit?.name ?? 'all' });
}

/** A turn does not look at more of them: then one of the others may be. */
const examinedMax = 1_000;

/** Whether there is one that has neither ended nor expired. One that is used up gets uses back where staff reject a sign-up. */
function mayBeLeft(turn: InstanceTurn, endedBefore: Id | undefined): boolean {
  const later = endedBefore === undefined ? {} : { from: endedBefore };
  const examined = [...turn.range(invites, [turn.self.key], { ...later, limit: examinedMax })];
  return (
    examined.length === examinedMax ||
    examined.some(
      ({ value }) => value.endedAt === undefined && !(value.expiresAt !== undefined && value.expiresAt <= turn.now),
    )
  );
}

export function registerInvited(turn: InstanceTurn, { inviteId, account }: Body<'registerInvited'>): DelegatedReply {
  const invite = inviteOf(turn, inviteId);
  const state = stateOf(turn, inviteId, invite);
  if (state !== 'usable') throw inviteRefused(state);
  if (invite.reserved.length >= instanceLimits.inviteReservationsMax) throw overloadRefusal;
  const { key } = turn.self;
  const inviteUse = { inviteId, reservationId: turn.nextId() };
  turn.put(invites, [key, inviteId], { ...invite, reserved: [...invite.reserved, inviteUse.reservationId] });
  turn.schedule(turn.now + instanceLimits.reservationMilliseconds, Instance.reservationDue.to(key, inviteUse));
  const { creatorId, autofollow } = invite;
  const invitation = { inviteId, creatorId, ...(autofollow && creatorId !== undefined && { follows: true }) };
  return turn.delegateReply(
    Directory.register.to(nameOfEmail(account.login.email), {
      ...account,
      login: { ...account.login, invitation },
      inviteUse,
    }),
  );
}

export function inviteUsed(turn: InstanceTurn, { inviteId, reservationId }: Body<'inviteUsed'>): undefined {
  const invite = turn.get(invites, [turn.self.key, inviteId]);
  if (invite === undefined) return;
  turn.put(invites, [turn.self.key, inviteId], {
    ...invite,
    uses: invite.uses + 1,
    reserved: withoutId(invite.reserved, reservationId),
  });
}

export function inviteUnused(turn: InstanceTurn, { inviteId, reservationId }: Body<'inviteUnused'>): undefined {
  if (reservationId !== undefined) return reservationDue(turn, { inviteId, reservationId });
  const invite = turn.get(invites, [turn.self.key, inviteId]);
  if (invite === undefined) return;
  turn.put(invites, [turn.self.key, inviteId], { ...invite, uses: Math.max(0, invite.uses - 1) });
}

export function reservationDue(turn: InstanceTurn, { inviteId, reservationId }: InviteUse): undefined {
  const invite = turn.get(invites, [turn.self.key, inviteId]);
  if (invite?.reserved.includes(reservationId) !== true) return;
  const reserved = withoutId(invite.reserved, reservationId);
  turn.put(invites, [turn.self.key, inviteId], { ...invite, reserved });
}

export function forgetInvites(turn: InstanceTurn, { creatorId }: Body<'forgetInvites'>): undefined {
  for (const inviteId of idsOnList(turn, listOfCreator(creatorId))) forget(turn, inviteId);
}

function forget(turn: InstanceTurn, inviteId: Id): void {
  const { key } = turn.self;
  for (const list of listsOf(turn.get(invites, [key, inviteId])!)) turn.delete(inviteLists, [key, list, inviteId]);
  turn.delete(invites, [key, inviteId]);
}

function stateOf(turn: InstanceTurn, inviteId: Id, invite: Invite): InviteState {
  const { invitesEndedBefore } = turn.get(settings, [turn.self.key]) ?? {};
  return inviteStateOf(inviteId, invite, invitesEndedBefore, turn.now);
}

/** Oldest first. */
function idsOnList(turn: InstanceTurn, list: string): Id[] {
  return Array.from(turn.range(inviteLists, [turn.self.key, list]), ({ key }) => key[2]);
}

/** Throws Failure notFound. */
function inviteOf(turn: InstanceTurn, inviteId: Id): Invite {
  const invite = turn.get(invites, [turn.self.key, inviteId]);
  if (invite === undefined) throw new Failure('notFound');
  return invite;
}

function withoutId(ids: readonly Id[], id: Id): Id[] {
  return ids.filter((one) => one !== id);
}
