/**
 * Tokens in the links of mails. Nothing that reads storage signs anybody in: a token is not stored, not even its digest, but
 * derived from the secrets of the server, and bound to what it is for, the account, and the request that the account
 * stores. The account decides whether the request still holds. A token that switches a kind of mail off is bound to that kind
 * instead, and holds for ever: a mail is read years later.
 *
 *   ACCOUNT.REQUEST.MAC, ACCOUNT.TOPIC.MAC, the MAC (HMAC-SHA-256, 24 bytes) in base64url
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { MailTopic } from '../actors/account/mail/mail.records.ts';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import { type Id, parseId } from '../runtime/ids.ts';
import { sameText } from './secrets.ts';

export type MailTokenPurpose =
  | 'set a new password'
  | 'confirm an address'
  | 'confirm a subscription'
  | 'end a subscription';

export interface MailToken {
  readonly accountId: Id;
  readonly requestId: Id;
}

const keyBytes = 32;
const macBytes = 24;

/** Of the server: the same for all its tokens, and for nothing else. */
export function mailTokenKey({ formSecret }: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return Buffer.from(hkdfSync('sha256', formSecret, '', 'links of mails', keyBytes));
}

export function makeMailToken(key: Buffer, purpose: MailTokenPurpose, { accountId, requestId }: MailToken): string {
  return `${accountId}.${requestId}.${macOf(key, purpose, `${accountId}.${requestId}`)}`;
}

/** Undefined for a token that this server has not made for this purpose. */
export function readMailToken(key: Buffer, purpose: MailTokenPurpose, token: string): MailToken | undefined {
  const [, accountText = '', requestText = '', mac = ''] = /^(\d{1,20})\.(\d{1,20})\.([\w-]{32})$/.exec(token) ?? [];
  const [accountId, requestId] = [parseId(accountText), parseId(requestText)];
  if (accountId === undefined || requestId === undefined) return undefined;
  return sameText(mac, macOf(key, purpose, `${accountText}.${requestText}`)) ? { accountId, requestId } : undefined;
}

export interface UnsubscribeToken {
  readonly accountId: Id;
  readonly topic: MailTopic;
}

export function makeUnsubscribeToken(key: Buffer, { accountId, topic }: UnsubscribeToken): string {
  return `${accountId}.${topic}.${macOf(key, 'no more mails', `${accountId}.${topic}`)}`;
}

/** Undefined for a token that this server has not made. */
export function readUnsubscribeToken(key: Buffer, token: string): UnsubscribeToken | undefined {
  const [, accountText = '', topicText = '', mac = ''] = /^(\d{1,20})\.([a-z_.]{1,40})\.([\w-]{32})$/.exec(token) ?? [];
  const accountId = parseId(accountText);
  const topic = MailTopic.safeParse(topicText);
  if (accountId === undefined || !topic.success) return undefined;
  const isOurs = sameText(mac, macOf(key, 'no more mails', `${accountText}.${topicText}`));
  return isOurs ? { accountId, topic: topic.data } : undefined;
}

function macOf(key: Buffer, purpose: MailTokenPurpose | 'no more mails', what: string): string {
  return createHmac('sha256', key).update(`${purpose} ${what}`).digest().subarray(0, macBytes).toString('base64url');
}
