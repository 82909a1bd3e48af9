/** The keys that are stored: whether they can be read, and their halves belong together. */
import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, reasonOf, skipped } from './findings.ts';

interface Pem {
  readonly publicKeyPem: string;
  readonly privateKeyPem: string;
}

export function checkKeys({ stored }: Examined): Finding[] {
  if (typeof stored !== 'object') return [skipped('There is no data folder that can be read.')];
  const { secrets, keyPairs } = stored;
  if (secrets === undefined) return [problem('keysMissing', {})];
  const findings = [
    ...judge('key of the server', () => isPair(secrets.keyPair)),
    ...judge('key for push messages (VAPID)', () => isVapidPair(secrets)),
    ...keyPairs.flatMap(([id, pair]) => judge(`key of the account ${id}`, () => isPair(pair))),
  ];
  if (findings.length > 0) return findings;
  return [good(`The keys of the server and of ${keyPairs.length} accounts can be read, and their halves match.`)];
}

function judge(which: string, isMatching: () => boolean): Finding[] {
  try {
    return isMatching() ? [] : [problem('keysDiffer', { which })];
  } catch (error) {
    return [problem('keyUnreadable', { which, reason: reasonOf(error) })];
  }
}

function isPair({ publicKeyPem, privateKeyPem }: Pem): boolean {
  return createPublicKey(createPrivateKey(privateKeyPem)).equals(createPublicKey(publicKeyPem));
}

function isVapidPair({ vapidPublicKey, vapidPrivateKey }: InstanceSecrets): boolean {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(vapidPrivateKey, 'base64url');
  return pair.getPublicKey('base64url') === vapidPublicKey;
}
