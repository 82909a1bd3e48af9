/** The keyspace of moving: accounts whose mutes and notes must follow an account when it moves. */
import { present } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { agreement, type Rule } from '../../../runtime/storage/rules.ts';
import { owner, withAccount } from '../account.state.ts';
import { notes } from '../notes/notes.state.ts';
import { mutes } from '../relationships/relationships.state.ts';

/** Local accounts that mute this one, or have a note on it. */
export const rememberedBy = keyspace<[bigint, bigint], true>({
  number: 55,
  name: 'remembered by',
  owner,
  sparse: true,
  key: [id('account'), id('rememberer')],
  value: present,
  bound: withAccount,
});

export const movingRules: readonly Rule[] = [
  agreement(rememberedBy, ([account, by], _present, server) =>
    server.get(mutes, [by, account]) === undefined && server.get(notes, [by, account]) === undefined
      ? 'is neither muted nor noted by that account'
      : undefined,
  ),
];
