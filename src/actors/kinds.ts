/** Actor kinds. Numbers are stored: append-only, never reused; 4 was never in use, 9 to 11 are free. */
import type { ActorKind } from '../runtime/contract.ts';

export const accountKind: ActorKind<bigint> = { kind: 1, name: 'account' };
export const directoryKind: ActorKind<string> = { kind: 2, name: 'directory' };
export const domainKind: ActorKind<string> = { kind: 3, name: 'domain' };
export const sessionKind: ActorKind<string> = { kind: 5, name: 'session' };
export const instanceKind: ActorKind<string> = { kind: 6, name: 'instance' };
export const partitionKind: ActorKind<bigint> = { kind: 7, name: 'partition', routing: 'partition' };
export const blobKind: ActorKind<string> = { kind: 8, name: 'blob' };
export const relayKind: ActorKind<string> = { kind: 12, name: 'relay' };
