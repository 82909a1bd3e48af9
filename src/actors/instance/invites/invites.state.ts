/** The keyspaces of invites: 192 and 193. */
import { present, record } from '../../../runtime/codec.ts';
import type { Id } from '../../../runtime/ids.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { Invite, type InviteUse } from './invites.records.ts';

const owner = 'instance';

export const invites = keyspace<[string, bigint], Invite>({
  number: 192,
  name: 'invites',
  owner,
  key: [hashedString('instance'), id('invite')],
  value: record(Invite),
  bound: { by: 'owner', reason: 'invitesOfAccountMax of each account, until it is gone' },
});

/** By `listsOf`, in the order in which they were made. */
export const inviteLists = keyspace<[string, string, bigint], true>({
  number: 193,
  name: 'lists of invites',
  owner,
  derived: true,
  key: [hashedString('instance'), hashedString('list'), id('invite')],
  value: present,
  bound: { by: 'owner', reason: 'two entries of each invite' },
});

export const listOfCode = (code: string) => `code ${code}`;

/** Without an account: those of the server itself. */
export const listOfCreator = (creatorId: Id | undefined) => `creator ${creatorId ?? 'server'}`;

export function listsOf({ code, creatorId }: Invite): readonly string[] {
  return [listOfCode(code), listOfCreator(creatorId)];
}

export const inviteRules: readonly Rule[] = [
  rule(invites, ([, inviteId], invite, reader) =>
    listsOf(invite).every((list) => reader.get(inviteLists, [instanceKey, list, inviteId]) === true)
      ? undefined
      : 'is missing on a list',
  ),
  rule(inviteLists, ([, , inviteId], _present, reader, bytes) => {
    const invite = reader.get(invites, [instanceKey, inviteId]);
    const lists = invite === undefined ? [] : listsOf(invite);
    const isRight = lists.some((list) => isKey(inviteLists, [instanceKey, list, inviteId], bytes));
    return isRight ? undefined : 'leads to no invite of that list';
  }),
  awaits(invites, [Instance.reservationDue], {
    isAwaiting: (_key, { reserved }) => reserved.length > 0,
    isMeant: ([, inviteId], body: InviteUse) => body.inviteId === inviteId,
  }),
];
