/** Reads for the lanes of mail. `partition` is the reader of one partition. */
import type { Reader } from '../../runtime/storage/reader.ts';
import { type MailRoute, mailRoute } from './mail-route.state.ts';
import {
  type Mail,
  mailAgeMilliseconds,
  mailLanes,
  mailLog,
  mailsKeptMax,
  mailsSent,
  mailsSentMilliseconds,
  numberOfSent,
  type SentMail,
} from './mails.state.ts';
import type { LaneState } from './partition.records.ts';
import { deliveryMeta } from './partition.state.ts';

export interface LoggedMail extends Mail {
  readonly sequence: number;
  /** A date: it is not sent later. */
  readonly expiresAt: number;
}

function logged(sequence: number, mail: Mail): LoggedMail {
  return { ...mail, sequence, expiresAt: mail.at + mailAgeMilliseconds };
}

/** The next mails after a sequence, oldest first. */
export function mailsAfter(partition: Reader, sequence: number, limit: number): LoggedMail[] {
  const mails: LoggedMail[] = [];
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of partition.range(mailLog, [], { from: sequence + 1 })) {
    mails.push(logged(key[0], value));
    if (mails.length === limit) break;
  }
  return mails;
}

/** Undefined when it was sent, is too old, or had to make room. */
export function findMail(partition: Reader, sequence: number): LoggedMail | undefined {
  const mail = partition.get(mailLog, [sequence]);
  return mail && logged(sequence, mail);
}

/** Whether later mails needed the room of this one. */
export function isOverwrittenMail(partition: Reader, sequence: number): boolean {
  return sequence < (partition.get(deliveryMeta, [0])?.nextMail ?? 0) - mailsKeptMax;
}

/** The sequence of the newest mail still stored; 0 for none. */
export function newestMail(partition: Reader): number {
  for (const { key } of partition.range(mailLog, [], { reverse: true })) return key[0];
  return 0;
}

/** Undefined where the partition was not told yet. */
export function mailRouteOf(partition: Reader): MailRoute | undefined {
  return partition.get(mailRoute, [0]);
}

export function findMailLane(partition: Reader, host: number): LaneState | undefined {
  return partition.get(mailLanes, [host]);
}

/** Of the last hour, oldest first. */
export function* mailsSentLately(partition: Reader, now: number): Generator<SentMail> {
  const from = numberOfSent(now - mailsSentMilliseconds, 0);
  for (const { value } of partition.range(mailsSent, [], { from })) yield value;
}
