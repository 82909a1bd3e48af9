/** One push message as an HTTP request, in the form that its subscription asks for, and what the answer means. */
import type { Delivery, DeliveryResult } from '../fetcher/deliver.ts';
import type { Outcome } from '../lanes/outcome.ts';
import { encryptDraft, encryptStandard, type PushKeys, pushPlainBytesMax } from './encrypt.ts';
import type { Vapid } from './vapid.ts';

export interface PushTarget {
  readonly endpoint: URL;
  readonly keys: PushKeys;
  /** RFC 8291 and 8292, or their drafts. */
  readonly isStandard: boolean;
}

/** How long a push service keeps it for a device that is away: no longer than the server itself does. */
const common = { 'content-type': 'application/octet-stream', ttl: '172800', urgency: 'normal' };

/**
 * Headers as Mastodon sends them: relays of apps parse those of the draft by hand. Throws an Error for a text that is too
 * long, and for a key that is no point of the curve.
 */
export function pushRequest(plain: Buffer, { endpoint, keys, isStandard }: PushTarget, vapid: Vapid): Delivery {
  if (plain.length > pushPlainBytesMax) throw new Error('a push message is too long');
  const url = endpoint.href;
  const token = vapid.tokenFor(endpoint.origin);
  if (isStandard) {
    const authorization = `vapid t=${token},k=${vapid.publicKey}`;
    const body = encryptStandard(plain, keys);
    return { url, body, headers: { ...common, 'content-encoding': 'aes128gcm', authorization } };
  }
  const { body, salt, publicKey } = encryptDraft(plain, keys);
  const headers = {
    ...common,
    'content-encoding': 'aesgcm',
    encryption: `salt=${salt.toString('base64url')}`,
    'crypto-key': `dh=${publicKey.toString('base64url')};p256ecdsa=${vapid.publicKey}`,
    authorization: `WebPush ${token}`,
  };
  return { url, body, headers };
}

/** Answers of a busy push service: they say nothing about the subscription. */
const busy: ReadonlySet<number> = new Set([408, 429]);

export interface PushAnswer {
  readonly outcome: Outcome;
  /** The push service does not take messages for this subscription. */
  readonly isRefused: boolean;
}

/** As Mastodon interprets them: any other client error ends the subscription; everything else is tried again. */
export function readPushAnswer(result: DeliveryResult): PushAnswer {
  const isRefused = result.ok && result.status >= 400 && result.status < 500 && !busy.has(result.status);
  return { outcome: outcomeOf(result, isRefused), isRefused };
}

function outcomeOf(result: DeliveryResult, isRefused: boolean): Outcome {
  if (!result.ok) {
    const status = undefined;
    if (result.kind === 'blocked') return { verdict: 'dropped', status };
    if (result.fault === 'busy') return { verdict: 'postponed', status };
    return { verdict: 'failed', status, isPerhapsTheEntry: result.fault === 'timedOut' };
  }
  const { status, retryAfterMilliseconds: pauseMilliseconds } = result;
  if (status >= 200 && status < 300) return { verdict: 'delivered', status };
  if (isRefused) return { verdict: 'dropped', status };
  if (pauseMilliseconds !== undefined) return { verdict: 'throttled', status, pauseMilliseconds };
  return { verdict: 'failed', status, isPerhapsTheEntry: !busy.has(status) };
}
