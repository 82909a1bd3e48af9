/** The keyspaces of conversations: by thread, by their last status, and the statuses in them. */
import { z } from 'zod';
import { present, record } from '../../../runtime/codec.ts';
import type { BodyOf } from '../../../runtime/contract.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, counterparts, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference, withAccount } from '../account.state.ts';

const Conversation = z.object({ lastStatusId: z.bigint(), isUnread: z.boolean() });
export type Conversation = z.infer<typeof Conversation>;

const Version = z.object({ version: z.number() });
type Version = z.infer<typeof Version>;

export const conversations = keyspace<[bigint, bigint], Conversation>({
  number: 169,
  name: 'conversations',
  owner,
  absentIfDamaged: true,
  key: [id('account'), id('thread')],
  value: record(Conversation),
  bound: withAccount,
});

/** The reference is to the thread. */
export const conversationByLastStatus = keyspace<[bigint, bigint], Reference>({
  number: 170,
  name: 'conversation by last status',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: record(Reference),
  bound: withAccount,
});

/** Rises with every change of an account's conversations, so that caches can tell whether their copy is current. */
export const conversationVersions = keyspace<[bigint], Version>({
  number: 172,
  name: 'versions of conversations',
  owner,
  key: [id('account')],
  value: record(Version),
  bound: withAccount,
});

export const statusesOfConversation = keyspace<[bigint, bigint, bigint], true>({
  number: 171,
  name: 'statuses of conversation',
  owner,
  key: [id('account'), id('thread'), id('status')],
  value: present,
  bound: withAccount,
});

export const conversationRules: readonly Rule[] = [
  ...counterparts(
    conversations,
    ([account], { lastStatusId }) => [account, lastStatusId],
    conversationByLastStatus,
    ([account], { id: thread }) => [account, thread],
  ),
  // Those of a removed conversation are removed in later turns.
  awaits(statusesOfConversation, [Account.sweepConversation], {
    isAwaiting: ([account, thread], _present, reader) => reader.get(conversations, [account, thread]) === undefined,
    isMeant: ([, thread, status], { threadId, beforeId }: BodyOf<typeof Account.sweepConversation>) =>
      threadId === thread && status < beforeId,
  }),
  rule(conversations, ([account, thread], { lastStatusId }, reader) => {
    const [last] = reader.range(statusesOfConversation, [account, thread], { reverse: true, limit: 1 });
    return last?.key[2] === lastStatusId ? undefined : 'does not end with the last of its statuses';
  }),
];
