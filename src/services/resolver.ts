/** Requests lookups of remote handles, addresses and keys from network threads. */
import { isTemporary } from '../runtime/errors.ts';
import { slotOfKey } from '../runtime/ids.ts';
import type { Placement, Problem } from '../runtime/ports.ts';
import type { KeyOwner, RemoteResolver, Resolved } from './services.ts';

export const resolveTopic = 'resolve handle';
export const resolveAddressTopic = 'resolve address';
export const keyOwnerTopic = 'find key owner';

export interface KeyOwnerRequest {
  readonly keyId: string;
  readonly fresh: boolean;
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
    if (!isTemporary(error)) report({ level: 'error', message: 'another server could not be asked', error });
  };
  return {
    async resolveHandles(handles, deadlineMilliseconds) {
      const found = new Map<string, bigint>();
      const asked = Promise.all(
        handles.map(async (handle) => {
          const index = placement.networkOf(slotOfKey(handle.slice(handle.indexOf('@') + 1)));
          const accountId = await ask<bigint | undefined>(index, resolveTopic, handle).catch(nothing);
          if (accountId !== undefined) found.set(handle, accountId);
        }),
      );
      await within(deadlineMilliseconds, asked);
      return new Map(found);
    },
    resolveAddress(address, deadlineMilliseconds) {
      const asked = ask<Resolved | undefined>(networkOfAddress(address, placement), resolveAddressTopic, address);
      return within(deadlineMilliseconds, asked.catch(nothing));
    },
    findKeyOwner(keyId, fresh) {
      const request: KeyOwnerRequest = { keyId, fresh };
      return ask<KeyOwner>(networkOfAddress(keyId, placement), keyOwnerTopic, request);
    },
  };
}

function networkOfAddress(address: string, placement: Networks): number {
  return placement.networkOf(slotOfKey(URL.parse(address)?.host ?? ''));
}

async function within<Value>(deadlineMilliseconds: number, asked: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, deadlineMilliseconds, undefined);
  });
  const first = await Promise.race([asked, deadline]);
  clearTimeout(timer);
  return first;
}
