/**
 * Access tokens sealed for push messages: apps find the account of a message by the token as issued, of which the server
 * keeps nothing else than digests. Each is bound to its subscription.
 */
import type { InstanceSecrets } from '../actors/instance/instance.messages.ts';
import { keyFor, seal, unseal } from './sealing.ts';

/** What a sealed token belongs to. */
export interface TokenBinding {
  readonly accountId: bigint;
  /** The digest of the token. */
  readonly tokenId: string;
  /** Of the push service. */
  readonly endpoint: string;
}

export function sealingKey(secrets: Pick<InstanceSecrets, 'formSecret'>): Buffer {
  return keyFor('access tokens of push subscriptions', secrets);
}

export function sealToken(key: Buffer, binding: TokenBinding, token: string): string {
  return seal(key, boundTo(binding), token);
}

/** Undefined where it was sealed with other secrets, or for another subscription. */
export function openToken(key: Buffer, binding: TokenBinding, sealed: string): string | undefined {
  return unseal(key, boundTo(binding), sealed);
}

function boundTo({ accountId, tokenId, endpoint }: TokenBinding): string {
  return `${accountId} ${tokenId} ${endpoint}`;
}
