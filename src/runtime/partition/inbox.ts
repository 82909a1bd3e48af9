/** Writes messages to the inbox: durable messages that do not run in the batch that brings them. */
import type { Clock } from '../ports.ts';
import { inbox, type StoredMessage } from '../storage/machine.ts';
import type { Mailboxes, Work } from './mailboxes.ts';
import type { Staging } from './staging.ts';

export class Inbox {
  private readonly staging: Staging;
  private readonly mailboxes: Mailboxes;
  private readonly clock: Clock;

  constructor(staging: Staging, mailboxes: Mailboxes, clock: Clock) {
    this.staging = staging;
    this.mailboxes = mailboxes;
    this.clock = clock;
  }

  /** Stores a message and queues it. */
  keep(message: StoredMessage, packed = inbox.value.encode(message)): void {
    this.mailboxes.addDurable(this.store(message, packed));
  }

  /** Queues a message again that an earlier run has stored. */
  resume(message: StoredMessage, sequence: number, bytes: number): void {
    this.mailboxes.addDurable(this.workInInbox(message, sequence, bytes));
  }

  /** Stores a message; one that was in the inbox before keeps its sequence and its age. */
  store(message: StoredMessage, packed: Uint8Array, former?: Pick<Work, 'inboxSequence' | 'inboxSince'>): Work {
    const { filling, meta } = this.staging;
    if (former?.inboxSequence === undefined) meta.inboxSequence += 1;
    const sequence = former?.inboxSequence ?? meta.inboxSequence;
    filling.putEncoded(inbox, [sequence], packed);
    filling.inboxMessages += 1;
    filling.inboxBytes += packed.byteLength;
    return this.workInInbox(message, sequence, packed.byteLength, former?.inboxSince);
  }

  remove(sequence: number): void {
    this.staging.filling.delete(inbox, [sequence]);
  }

  /** An inbox message of this size. */
  private workInInbox(
    stored: StoredMessage,
    inboxSequence: number,
    inboxBytes: number,
    inboxSince = this.clock.monotonic(),
  ): Work {
    return { ...workOf(stored), inboxSequence, inboxBytes, inboxSince };
  }
}

export function workOf([kind, key, message, body, flow, replyTo, cause]: StoredMessage): Work {
  return { envelope: { kind, key, message, body }, flow, replyTo, cause, durable: true };
}
