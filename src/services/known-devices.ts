/**
 * Marks of browsers in which an account has signed in before. A mark signs nobody in: its browser has its own share of
 * attempts, so that strangers who use up those of the account do not lock its owner out (decision 68).
 *
 *   ACCOUNT.LEVEL.DEVICE.MAC, the MAC (HMAC-SHA-256, 24 bytes) in base64url; those of several accounts are joined by ~
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import type { Id } from '../runtime/ids.ts';
import { keyFor } from './sealing.ts';
import { sameText } from './secrets.ts';

/** How its last whole sign-in was proved. */
export type DeviceLevel = 'password' | 'twoFactor';

export interface KnownDevice {
  readonly deviceId: string;
  readonly level: DeviceLevel;
}

const macBytes = 24;
const deviceBytes = 12;
/** Accounts that one browser remembers. */
const accountsMax = 5;

export function deviceKey(secrets: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return keyFor('browsers that signed in before', secrets);
}

/** The mark of this account; undefined where the browser has none. */
export function knownDevice(key: Buffer, accountId: Id, marks: string | undefined): KnownDevice | undefined {
  for (const mark of (marks ?? '').split('~').slice(0, accountsMax)) {
    const [, account = '', level = '', deviceId = '', mac = ''] =
      /^(\d{1,20})\.(password|twoFactor)\.([\w-]{16})\.([\w-]{32})$/.exec(mark) ?? [];
    if (account !== String(accountId) || !sameText(mac, macOf(key, account, level, deviceId))) continue;
    return { deviceId, level: level === 'twoFactor' ? level : 'password' };
  }
  return undefined;
}

/** The marks with a new one of this account, first. */
export function withDevice(key: Buffer, accountId: Id, level: DeviceLevel, marks: string | undefined): string {
  const account = String(accountId);
  const deviceId = randomBytes(deviceBytes).toString('base64url');
  const others = (marks ?? '').split('~').filter((mark) => mark !== '' && !mark.startsWith(`${account}.`));
  const mark = [account, level, deviceId, macOf(key, account, level, deviceId)].join('.');
  return [mark, ...others].slice(0, accountsMax).join('~');
}

function macOf(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join(' ')).digest().subarray(0, macBytes).toString('base64url');
}
