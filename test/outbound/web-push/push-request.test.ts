import { createECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import { pushRequest, readPushAnswer } from '../../../src/outbound/web-push/push-request.ts';
import { Vapid } from '../../../src/outbound/web-push/vapid.ts';
import { PushReceiver, readVapid } from '../../support/push-receiver.ts';

const keyPair = createECDH('prime256v1');
const publicKey = keyPair.generateKeys('base64url');
const privateKey = keyPair.getPrivateKey('base64url');
const vapid = new Vapid({ publicKey, privateKey, contact: 'https://home.example', now: () => 1_700_000_000_000 });
const receiver = new PushReceiver();
const target = (isStandard: boolean) => ({
  endpoint: new URL('https://push.example/send/1?x=2'),
  keys: {
    publicKey: Buffer.from(receiver.publicKey, 'base64url'),
    auth: Buffer.from(receiver.auth, 'base64url'),
  },
  isStandard,
});

describe('behaviour of the Mastodon API: the request', () => {
  const request = (isStandard: boolean) => pushRequest(Buffer.from('{"a":1}'), target(isStandard), vapid);
  const common = { 'content-type': 'application/octet-stream', ttl: '172800', urgency: 'normal' };

  test('in the standard form has all about the keys in its body', () => {
    const made = request(true);
    expect(made.url).toBe('https://push.example/send/1?x=2');
    expect(made.headers).toEqual({
      ...common,
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(/^vapid t=[\w.-]+,k=[\w-]{87}$/),
    });
    expect(receiver.read(made)).toBe('{"a":1}');
    expect(readVapid(made)).toMatchObject({ publicKey, claims: { aud: 'https://push.example' } });
  });

  test('in the form of the draft has it in headers that relays split at ; and =', () => {
    const made = request(false);
    expect(made.headers).toEqual({
      ...common,
      'content-encoding': 'aesgcm',
      encryption: expect.stringMatching(/^salt=[\w-]{22}$/),
      'crypto-key': expect.stringMatching(/^dh=[\w-]{87};p256ecdsa=[\w-]{87}$/),
      authorization: expect.stringMatching(/^WebPush [\w.-]+$/),
    });
    expect(receiver.read(made)).toBe('{"a":1}');
    expect(readVapid(made)).toMatchObject({ publicKey, claims: { aud: 'https://push.example' } });
  });
});

describe('what an answer means', () => {
  const status = (code: number, retryAfterMilliseconds?: number): DeliveryResult => ({
    ok: true,
    status: code,
    retryAfterMilliseconds,
  });
  const fault = (name: 'busy' | 'timedOut' | 'connectFailed'): DeliveryResult => ({
    ok: false,
    kind: 'unreachable',
    fault: name,
    detail: '',
  });

  test.each<[string, DeliveryResult, string, boolean]>([
    ['200', status(200), 'delivered', false],
    ['201', status(201), 'delivered', false],
    ['301', status(301), 'failed', false],
    ['400', status(400), 'dropped', true],
    ['403', status(403), 'dropped', true],
    ['404', status(404), 'dropped', true],
    ['408', status(408), 'failed', false],
    ['410', status(410), 'dropped', true],
    ['413', status(413), 'dropped', true],
    ['429', status(429), 'failed', false],
    ['429 with Retry-After', status(429, 5_000), 'throttled', false],
    ['500', status(500), 'failed', false],
    ['501', status(501), 'failed', false],
    ['503 with Retry-After', status(503, 5_000), 'throttled', false],
    ['an address that may not be asked', { ok: false, kind: 'blocked', detail: '' }, 'dropped', false],
    ['no connection', fault('connectFailed'), 'failed', false],
    ['no answer', fault('timedOut'), 'failed', false],
    ['a bound of our own', fault('busy'), 'postponed', false],
  ])('%s', (_what, result, verdict, isRefused) => {
    const answer = readPushAnswer(result);
    expect(answer).toMatchObject({ outcome: { verdict }, isRefused });
    expect(answer.outcome.status).toBe(result.ok ? result.status : undefined);
  });
});
