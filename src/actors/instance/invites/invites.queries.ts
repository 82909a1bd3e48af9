/** Reads of invites. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../pages.ts';
import { type InviteState, inviteStateOf } from '../../policy/invites.ts';
import { instanceKey } from '../instance.messages.ts';
import { storedSettings } from '../instance.queries.ts';
import type { Invite } from './invites.records.ts';
import { inviteLists, invites, listOfCode, listOfCreator } from './invites.state.ts';

export interface StoredInvite {
  readonly id: Id;
  readonly invite: Invite;
}

export function findInvite(reader: Reader, inviteId: Id): StoredInvite | undefined {
  const invite = reader.get(invites, [instanceKey, inviteId]);
  return invite && { id: inviteId, invite };
}

export function inviteWithCode(reader: Reader, code: string): StoredInvite | undefined {
  for (const { key } of reader.range(inviteLists, [instanceKey, listOfCode(code)])) return findInvite(reader, key[2]);
  return undefined;
}

/** `now`: what the clock of the caller says. */
export function stateOfInvite(reader: Reader, { id, invite }: StoredInvite, now: number): InviteState {
  return inviteStateOf(id, invite, storedSettings(reader).invitesEndedBefore, now);
}

/** Those of an account, latest first. */
export function invitesOf(reader: Reader, creatorId: Id, bounds: PageBounds): Page<StoredInvite> {
  return takePage(
    reader.range(inviteLists, [instanceKey, listOfCreator(creatorId)], rangeOf(bounds)),
    bounds,
    ({ key }) => key[2],
    ({ key }) => findInvite(reader, key[2]),
  );
}

/** All, latest first. */
export function invitesPage(reader: Reader, bounds: PageBounds): Page<StoredInvite> {
  return takePage(
    reader.range(invites, [instanceKey], rangeOf(bounds)),
    bounds,
    ({ key }) => key[1],
    ({ key, value }) => ({ id: key[1], invite: value }),
  );
}
