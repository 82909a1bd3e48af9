/**
 * Tickets for the second step of a sign-in: they say that this browser has given the password of an account. Nothing is
 * stored of them. They hold for ten minutes, in the browser that got them, and for the password that was given.
 *
 *   ACCOUNT.END.MAC, the MAC (HMAC-SHA-256, 24 bytes) in base64url
 */
import { createHmac } from 'node:crypto';
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import { type Id, parseId } from '../runtime/ids.ts';
import { keyFor } from './sealing.ts';
import { sameText } from './secrets.ts';

/** What a ticket is bound to. */
export interface TicketBinding {
  readonly accountId: Id;
  /** Of the password that was given. */
  readonly passwordMark: string;
  /** The secret of the browser. */
  readonly browser: string;
}

const macBytes = 24;
const validMilliseconds = 10 * 60 * 1_000;

export function ticketKey(secrets: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return keyFor('second steps of signing in', secrets);
}

/** `now` in milliseconds since 1970. */
export function makeTicket(key: Buffer, binding: TicketBinding, now: number): string {
  const end = now + validMilliseconds;
  return `${binding.accountId}.${end}.${macOf(key, binding, end)}`;
}

/** The account that a ticket names, before anything is known about it. */
export function accountOfTicket(ticket: string): Id | undefined {
  return parseId(ticket.split('.')[0] ?? '');
}

export function isTicketOf(key: Buffer, binding: TicketBinding, ticket: string, now: number): boolean {
  const [, account, endText, mac = ''] = /^(\d{1,20})\.(\d{1,16})\.([\w-]{32})$/.exec(ticket) ?? [];
  const end = Number(endText);
  return account === String(binding.accountId) && now < end && sameText(mac, macOf(key, binding, end));
}

function macOf(key: Buffer, { accountId, passwordMark, browser }: TicketBinding, end: number): string {
  const bound = `${accountId} ${end} ${passwordMark} ${browser}`;
  return createHmac('sha256', key).update(bound).digest().subarray(0, macBytes).toString('base64url');
}
