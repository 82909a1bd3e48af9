/** The state of mail, for the operator; and what operations need of it. */
import type { LaneReport } from './delivery-lanes.ts';

export const mailStateTopic = 'mail state';
export const mailTestTopic = 'mail test';

export interface MailState {
  /** Where mail goes: host:port of the SMTP server, or the folder of the files. */
  readonly to: string;
  readonly lanes: readonly LaneReport[];
  /** Since the start of the threads. */
  readonly counts: MailCounts;
}

export interface MailCounts {
  readonly sent: number;
  readonly failed: number;
  readonly refused: number;
  readonly tooMany: number;
  readonly overwritten: number;
}

export interface MailTest {
  readonly isSent: boolean;
  /** What the server said last, or why there was no answer. */
  readonly outcome: string;
  /** The lines of the dialogue; passwords are left out. */
  readonly dialogue: readonly string[];
}

export interface MailService {
  /** Whether mail leaves this machine: otherwise it is written into files, and no address can be confirmed. */
  readonly isOn: boolean;
  /** Throws Failure while a thread cannot answer. */
  state(): Promise<MailState>;
  /** Sends a mail at once, and tells what the SMTP server says to it. Throws like `state`. */
  test(email: string): Promise<MailTest>;
}
