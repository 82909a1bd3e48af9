/** Requests lookups of remote handles, addresses and keys from network threads. */
import { Failure, isTemporary } from '../runtime/errors.ts';
import { slotOfKey } from '../runtime/ids.ts';
import type { Placement, Problem } from '../runtime/ports.ts';
import type { KeyOwner, RemoteResolver, Resolved } from './services.ts';

export const resolveTopic = 'resolve handle';
export const resolveAddressTopic = 'resolve address';
export const keyOwnerTopic = 'find key owner';

/** Of a handle or an address. */
export interface LookUp {
  readonly what: string;
  /** The traced request that needs it. */
  readonly cause: string | undefined;
  /** The local account that asks, where only it may be answered. */
  readonly onBehalfOf?: bigint | undefined;
}

export interface KeyOwnerRequest {
  readonly keyId: string;
  readonly fresh: boolean;
  readonly cause: string | undefined;
}

/** Asks the network thread with this number. */
export type AskNetwork = <Reply>(index: number, topic: string, request: unknown) => Promise<Reply>;

type Networks = Pick<Placement, 'networkOf'>;

/** All handles of one host go to the same network thread, so that its limits per host hold. */
export function networkResolver(
  ask: AskNetwork,
  placement: Networks,
  report: (problem: Problem) => void,
): RemoteResolver {
  const nothing = (error: unknown): undefined => {
    if (!isTemporary(error) && !isUnreachable(error))
      report({ level: 'error', message: 'a lookup at another server failed', error });
  };
  const notReached = (error: unknown): never => {
    nothing(error);
    throw isUnreachable(error) ? error : unreachable(error);
  };
  const lookUp = (handle: string, cause: string | undefined): Promise<bigint | undefined> => {
    const request: LookUp = { what: handle, cause };
    return ask(placement.networkOf(slotOfKey(handle.slice(handle.indexOf('@') + 1))), resolveTopic, request);
  };
  return {
    async resolveHandles(handles, deadlineMilliseconds, cause) {
      const found = new Map<string, bigint>();
      const asked = Promise.all(
        handles.map(async (handle) => {
          const accountId = await lookUp(handle, cause).catch(nothing);
          if (accountId !== undefined) found.set(handle, accountId);
        }),
      );
      await within(deadlineMilliseconds, asked, () => undefined);
      return new Map(found);
    },
    resolveHandle: (handle, deadlineMilliseconds, cause) =>
      within(deadlineMilliseconds, lookUp(handle, cause).catch(notReached), tooLate),
    resolveAddress(address, deadlineMilliseconds, { cause, onBehalfOf } = {}) {
      const request: LookUp = { what: address, cause, onBehalfOf };
      const asked = ask<Resolved | undefined>(networkOfAddress(address, placement), resolveAddressTopic, request);
      return within(deadlineMilliseconds, asked.catch(notReached), tooLate);
    },
    findKeyOwner(keyId, fresh, cause) {
      const request: KeyOwnerRequest = { keyId, fresh, cause };
      return ask<KeyOwner>(networkOfAddress(keyId, placement), keyOwnerTopic, request);
    },
  };
}

function networkOfAddress(address: string, placement: Networks): number {
  return placement.networkOf(slotOfKey(URL.parse(address)?.host ?? ''));
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'remoteUnreachable';
}

function unreachable(cause: unknown): Failure {
  return new Failure('remoteUnreachable', { cause });
}

function tooLate(): never {
  throw new Failure('remoteUnreachable');
}

/** `late` gives the result once the deadline has passed. */
async function within<Value, Late>(
  deadlineMilliseconds: number,
  asked: Promise<Value>,
  late: () => Late,
): Promise<Value | Late> {
  const { promise: deadline, resolve: pass } = Promise.withResolvers<void>();
  const timer = setTimeout(pass, deadlineMilliseconds);
  try {
    return await Promise.race([asked, deadline.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
