/** One mail of a partition's log, in memory, and what lanes ask of it. */
import type { LoggedMail } from '../../actors/partition/mails.queries.ts';
import type { LogEntry, PreparedEntry } from '../lanes/log.ts';

type Prepared = PreparedEntry | Promise<PreparedEntry | undefined> | undefined;

/** Makes mails; Mails. */
export interface MailSource {
  prepare(entry: MailEntry): Prepared;
  /** The mail had to make room in the log, and was not sent. */
  overwritten(): void;
}

/** The memory of an entry. */
const entryBytes = 500;
const nowhere: readonly number[] = [];

export class MailEntry implements LogEntry {
  readonly partition: number;
  readonly mail: LoggedMail;
  readonly bytes = entryBytes;
  /** Mails may overtake each other. */
  readonly orderKey: bigint;
  readonly isFirstOfOrder = true;
  readonly urgentAt = nowhere;
  previous = 0;
  /** Whether it was counted among the mails of its recipient. */
  isCounted = false;
  /** Whether it is wanted now, as it was found out for the next attempt. */
  private answer: boolean | undefined;
  private readonly source: MailSource;

  constructor(partition: number, mail: LoggedMail, source: MailSource) {
    this.partition = partition;
    this.mail = mail;
    this.orderKey = BigInt(mail.sequence);
    this.source = source;
  }

  get sequence(): number {
    return this.mail.sequence;
  }

  get expiresAt(): number {
    return this.mail.expiresAt;
  }

  keepAnswer(isWanted: boolean): void {
    this.answer = isWanted;
  }

  /** For one attempt: hours later it may be another one. */
  takeAnswer(): boolean | undefined {
    const { answer } = this;
    this.answer = undefined;
    return answer;
  }

  supersedes(): undefined {
    return undefined;
  }

  targetsAt(): readonly string[] {
    return [this.mail.email];
  }

  prepare(): Prepared {
    return this.source.prepare(this);
  }
}
