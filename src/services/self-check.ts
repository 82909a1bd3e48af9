/**
 * `murmuration doctor` asks the server at its public address what arrives there. What a request looked like is told only to
 * who can read the data folder: the token is sealed with a secret of the server, and is good for some minutes.
 */
import { z } from 'zod';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import { keyFor, seal, unseal } from './sealing.ts';

export const selfCheckHeader = 'x-murmuration-self-check';
export const selfCheckPath = '/api/murmuration/v1/self_check';
/** Server-sent events: one at once, one after `selfCheckPause`. */
export const selfCheckStreamPath = `${selfCheckPath}/stream`;
export const selfCheckPauseMilliseconds = 1_500;
/** What the comments of that stream are. */
export const selfCheckBegin = ':begin';
export const selfCheckEnd = ':end';

const tokenMilliseconds = 5 * 60_000;
const purpose = 'the doctor of this server';

type FormSecret = Pick<InstanceSecrets, 'formSecret'>;

/** What arrived. */
export const SelfCheckReport = z.object({
  host: z.string(),
  /** As links back to the client would be made. */
  origin: z.string(),
  /** As rate limits know the client. */
  ip: z.string(),
  forwardedFor: z.string(),
  upgrade: z.string(),
  authorization: z.string(),
  /** `verified`, or why a signature is refused. */
  signature: z.string(),
  /** Of the body. */
  bytes: z.number(),
  /** Of the server. */
  pid: z.number(),
});
export type SelfCheckReport = z.infer<typeof SelfCheckReport>;

export function selfCheckToken(secrets: FormSecret, now: number): string {
  return seal(keyFor(purpose, secrets), purpose, String(now));
}

export function isSelfCheckToken(secrets: FormSecret, token: string, now: number): boolean {
  const made = unseal(keyFor(purpose, secrets), purpose, token);
  return made !== undefined && Math.abs(now - Number(made)) < tokenMilliseconds;
}
