/** The keyspaces of remote hosts. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../runtime/storage/keyspace.ts';
import { deadLetters, effects, inbox, timers } from '../../runtime/storage/machine.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { counted, type Rule, tally } from '../../runtime/storage/rules.ts';
import { processReceived } from './domain.effects.ts';
import { Domain, SignatureDialect } from './domain.messages.ts';

const owner = 'domain';

/** The inbox through which one follower of a local account is reached. */
const FollowerInbox = z.object({ inbox: z.string() });
export const followerInboxes = keyspace<[string, bigint, bigint], z.infer<typeof FollowerInbox>>({
  number: 110,
  name: 'follower inboxes',
  owner,
  key: [hashedString('domain'), id('account'), id('follower')],
  value: record(FollowerInbox),
  bound: { by: 'owner', reason: 'as long as the follow' },
});

/** How many activities of the host wait for something to be fetched; absent for none. */
const ReceivedCount = z.object({ count: z.number() });
export const receivedCounts = keyspace<[string], z.infer<typeof ReceivedCount>>({
  number: 111,
  name: 'received counts',
  owner,
  key: [hashedString('domain')],
  value: record(ReceivedCount),
  bound: { by: 'owner', reason: 'only while something waits' },
});

/** How many reports of the host arrived on a day (since 1970). */
const ReportCount = z.object({ day: z.number(), count: z.number() });
export const reportCounts = keyspace<[string], z.infer<typeof ReportCount>>({
  number: 112,
  name: 'report counts',
  owner,
  key: [hashedString('domain')],
  value: record(ReportCount),
  bound: { by: 'owner', reason: 'one per host that reports' },
});

export const signatureDialects = keyspace<[string], SignatureDialect>({
  number: 117,
  name: 'signature dialects',
  owner,
  key: [hashedString('domain')],
  value: record(SignatureDialect),
  bound: { by: 'owner', reason: 'one per host' },
});

function hasMessages(reader: Reader): boolean {
  for (const _message of reader.range(inbox, [], { limit: 1 })) return true;
  return false;
}

export const domainRules: readonly Rule[] = [
  tally({
    counter: receivedCounts,
    what: 'activities that wait',
    said: ({ count }) => count,
    counts: (_before, count) => ({ count }),
    counted: [
      counted(effects, (_key, { effect, key }) => (effect === processReceived.number ? [key] : undefined)),
      counted(timers, (_key, [kind, key, message]) =>
        kind === Domain.actor.kind && message === Domain.receivedAgain.number ? [key] : undefined,
      ),
      counted(deadLetters, (_key, { message: [kind, key], effect }) =>
        kind === Domain.actor.kind && effect?.effect === processReceived.number ? [key] : undefined,
      ),
    ],
    // A message in the inbox has left one of the two and not reached the other.
    isForgotten: (_key, reader) => hasMessages(reader),
  }),
];
