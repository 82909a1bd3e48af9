/**
 * The contexts that signed documents may refer to by address: they are part of this server, and none is ever fetched. What
 * refers to another one cannot be verified.
 */
import type { JsonValue } from '../../outbound/fetcher/json.ts';
import { activityStreams } from './contexts/activity-streams.ts';
import { dataIntegrity } from './contexts/data-integrity.ts';
import { dataIntegrity2 } from './contexts/data-integrity-2.ts';
import { goToSocial } from './contexts/gotosocial.ts';
import { identity } from './contexts/identity.ts';
import { security } from './contexts/security.ts';

export const securityContext = 'https://w3id.org/security/v1';
export const identityContext = 'https://w3id.org/identity/v1';

const bundled: ReadonlyMap<string, JsonValue> = new Map([
  ['https://www.w3.org/ns/activitystreams', activityStreams],
  [securityContext, security],
  [identityContext, identity],
  ['https://w3id.org/security/data-integrity/v1', dataIntegrity],
  ['https://w3id.org/security/data-integrity/v2', dataIntegrity2],
  ['https://gotosocial.org/ns', goToSocial],
]);

export function isBundled(address: string): boolean {
  return bundled.has(address);
}

export function bundledContext(address: string): JsonValue | undefined {
  return bundled.get(address);
}
