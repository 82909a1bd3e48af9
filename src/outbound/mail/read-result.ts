/** What the dialogue with an SMTP server means for the lane of the address's host. Pure. */
import type { Outcome } from '../lanes/outcome.ts';
import type { MailResult } from './ports.ts';

export interface ReadResult {
  readonly outcome: Outcome;
  /** The address takes no mail. */
  readonly isBounce: boolean;
  /** What the operator should know. */
  readonly problem: string | undefined;
}

/** The server was not ready for the command, whatever it was about (RFC 5321 section 4.2.2). */
const badSequence = 503;

/**
 * A code from 500 on about the recipient or the content ends the mail. One about the connection, the sign-in or the sender
 * is about this server, whose operator can do something: the mail waits. So does whatever the server says is for now.
 */
export function readMailResult(result: MailResult): ReadResult {
  if (result.kind === 'sent')
    return { outcome: { verdict: 'delivered', status: 250 }, isBounce: false, problem: undefined };
  const { stage } = result;
  const isOfMail = stage === 'recipient' || stage === 'content';
  if (result.kind === 'unanswered') {
    const outcome = { verdict: 'failed', status: undefined, isPerhapsTheEntry: isOfMail } as const;
    return { outcome, isBounce: false, problem: `no answer (${stage}): ${result.detail}` };
  }
  const { code: status, response } = result;
  if (isOfMail && status >= 500 && status !== badSequence)
    return { outcome: { verdict: 'dropped', status }, isBounce: stage === 'recipient', problem: undefined };
  const outcome = { verdict: 'failed', status, isPerhapsTheEntry: isOfMail } as const;
  return { outcome, isBounce: false, problem: `refused for now (${stage}): ${response}` };
}
