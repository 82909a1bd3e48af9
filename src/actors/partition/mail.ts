/** The mail log of a partition: appends mails to it, and deletes those that were sent. */
import type { BodyOf } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { isOptional } from '../policy/mail-topics.ts';
import { emptyDeliveryMeta, numberOfHost } from './hosts.ts';
import { mailLog, mailsKeptMax, mailsSent, mailsSentMilliseconds, numberOfSent } from './mails.state.ts';
import { mailAppended } from './partition.events.ts';
import type { PartitionActor } from './partition.messages.ts';
import { deliveryMeta } from './partition.state.ts';

export function mail(turn: Turn<bigint>, { host, ...message }: BodyOf<typeof PartitionActor.mail>): undefined {
  const number = numberOfHost(turn, host);
  const meta = turn.get(deliveryMeta, [0]) ?? emptyDeliveryMeta;
  const sequence = meta.nextMail ?? 1;
  turn.put(deliveryMeta, [0], { ...meta, nextMail: sequence + 1 });
  const cause = turn.cause === undefined ? {} : { cause: turn.cause };
  turn.put(mailLog, [sequence], { at: turn.now, ...message, host: number, ...cause });
  if (sequence > mailsKeptMax) turn.delete(mailLog, [sequence - mailsKeptMax]);
  turn.emit(mailAppended, { sequence });
}

/** More than one, so that what is too old goes faster than the rest comes. */
const forgottenPerMail = 20;

/** Remembers for an hour that the address was written to, which bounds what it gets, whatever starts anew meanwhile. */
export function mailEnded(turn: Turn<bigint>, { sequence }: BodyOf<typeof PartitionActor.mailEnded>): undefined {
  const ended = turn.get(mailLog, [sequence]);
  if (ended === undefined) return;
  turn.delete(mailLog, [sequence]);
  const { email, content } = ended;
  const sent = { at: turn.now, email, isOptional: isOptional(content) };
  turn.put(mailsSent, [numberOfSent(turn.now, sequence)], sent);
  for (const { key, value } of [...turn.range(mailsSent, [], { limit: forgottenPerMail })])
    if (value.at + mailsSentMilliseconds < turn.now) turn.delete(mailsSent, key);
}
