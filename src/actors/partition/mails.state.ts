/**
 * The log of mails to the hosts of a partition, with the progress of their lanes: as that of deliveries, whose numbers of
 * hosts it uses. An entry is deleted as soon as it was sent, so that no crash sends it again.
 */
import { z } from 'zod';
import { present, record } from '../../runtime/codec.ts';
import { type Keyspace, keyspace, uint32, uint53 } from '../../runtime/storage/keyspace.ts';
import { type Rule, rule, trimmed } from '../../runtime/storage/rules.ts';
import { identifier } from '../account/account.records.ts';
import { MailContent } from '../account/mail/mail.records.ts';
import { LaneState } from './partition.records.ts';
import { DeliveryReader, deliveryMeta, hostsByNumber, overtakenDeliveriesMax } from './partition.state.ts';

const owner = 'partition';
const partitionWide = true;

/** One mail for one address; what it says is read when it is sent. */
export const Mail = z.object({
  at: z.number(),
  /** Number of the host of the address. */
  host: z.number(),
  email: z.string(),
  /** Whom it tells. */
  accountId: identifier,
  content: MailContent,
  /** The traced request that caused it. */
  cause: z.string().optional(),
});
export type Mail = z.infer<typeof Mail>;

/** Mail servers are down for a weekend. */
export const mailAgeMilliseconds = 4 * 24 * 60 * 60 * 1000;
/** Mails kept for all hosts of a partition: some 10 MB. The oldest make room. */
export const mailsKeptMax = 65_536;

export const mailLog = keyspace<[number], Mail>({
  number: 232,
  name: 'mail log',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint53('sequence')],
  value: record(Mail),
  bound: { by: 'age', milliseconds: mailAgeMilliseconds },
});

/** The same entries, without decoding values. */
export const mailSequences: Keyspace<[number], true> = { ...mailLog, value: present };

/** How long it is known which address was written to: how many mails it gets in that time is bounded. */
export const mailsSentMilliseconds = 60 * 60 * 1000;

export const SentMail = z.object({
  at: z.number(),
  email: z.string(),
  /** Whether the account may switch such mails off. */
  isOptional: z.boolean(),
});
export type SentMail = z.infer<typeof SentMail>;

/** In the order of their times: a number of the millisecond, then of the mail in it. */
export function numberOfSent(at: number, sequence: number): number {
  return at * 1_024 + (sequence % 1_024);
}

export const mailsSent = keyspace<[number], SentMail>({
  number: 252,
  name: 'mails sent',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint53('time and sequence')],
  value: record(SentMail),
  bound: { by: 'age', milliseconds: mailsSentMilliseconds },
});

export const mailLanes = keyspace<[number], LaneState>({
  number: 138,
  name: 'mail lanes',
  owner,
  partitionWide,
  absentIfDamaged: true,
  key: [uint32('host')],
  value: record(LaneState),
  bound: { by: 'owner', reason: 'one per host of e-mail addresses' },
});

export const mailReaders = keyspace<[number], z.infer<typeof DeliveryReader>>({
  number: 139,
  name: 'mail readers',
  owner,
  partitionWide,
  key: [uint32('reader')],
  value: record(DeliveryReader),
  bound: { by: 'owner', reason: 'one per network thread' },
});

export const mailLogRules: readonly Rule[] = [
  trimmed(mailLog, {
    milliseconds: mailAgeMilliseconds,
    overtakenMax: overtakenDeliveriesMax,
    writtenAt: ({ at }) => at,
  }),
  trimmed(mailsSent, {
    milliseconds: mailsSentMilliseconds,
    overtakenMax: overtakenDeliveriesMax,
    writtenAt: ({ at }) => at,
  }),
  rule(mailLog, ([sequence], { host }, reader) => {
    const { nextMail = 0 } = reader.get(deliveryMeta, [0]) ?? {};
    if (sequence >= nextMail) return 'is numbered above the last one';
    if (sequence < nextMail - mailsKeptMax) return 'should have made room for later ones';
    return reader.get(hostsByNumber, [host]) === undefined ? 'is for a host that has no number' : undefined;
  }),
  rule(mailReaders, (_key, { floor }, reader) =>
    floor <= (reader.get(deliveryMeta, [0])?.nextMail ?? 1) ? undefined : 'has read more than there is',
  ),
  rule(mailLanes, ([number], _state, reader) =>
    reader.get(hostsByNumber, [number]) === undefined ? 'is of a host that has no number' : undefined,
  ),
];
