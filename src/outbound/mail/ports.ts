/** What mails need from outside; create-mail.ts makes it. Tests run them in simulated time. */

import type { Id } from '../../runtime/ids.ts';
import type { Trace } from '../../runtime/tracing/trace.ts';
import type { LanePorts } from '../lanes/ports.ts';

export const mailDrops = [
  /** A mail server refused it for good. */
  'refused',
  /** The address had as many mails in an hour as it may get. */
  'too many',
  /** More mails wait than the log keeps. */
  'overwritten',
] as const;
/** Why a mail was not sent. */
export type MailDrop = (typeof mailDrops)[number];

/** A mail as it is sent. */
export interface BuiltMail {
  /** Names its file where there is no SMTP server: the same at each attempt. */
  readonly name: string;
  /** The envelope. */
  readonly from: string;
  readonly to: string;
  /** RFC 5322. */
  readonly content: Buffer;
}

/** What the dialogue with an SMTP server had come to. */
export type MailStage = 'connection' | 'sign-in' | 'sender' | 'recipient' | 'content';

export type MailResult =
  | { readonly kind: 'sent'; readonly response: string }
  /** The server answered with this code; `response` is what it said. */
  | { readonly kind: 'refused'; readonly stage: MailStage; readonly code: number; readonly response: string }
  /** There was no answer, or none that SMTP knows. */
  | { readonly kind: 'unanswered'; readonly stage: MailStage; readonly detail: string };

/** Where mail goes: an SMTP server, or files. */
export interface MailTransport {
  /** What the operator is told about it; without a password. */
  readonly name: string;
  /** Never rejects. `told` gets the lines of the dialogue. */
  send(mail: BuiltMail, told?: (line: string) => void): Promise<MailResult>;
  /** Ends open connections. */
  close(): void;
}

export interface MailPorts extends LanePorts {
  /** Never rejects. */
  send(mail: BuiltMail): Promise<MailResult>;
  /** Whether the account has a stream open. Rejects when nobody can tell now. */
  isStreaming(accountId: Id): Promise<boolean>;
  /** Counted for the operator. */
  dropped(why: MailDrop): void;
  readonly trace?: Trace | undefined;
}
