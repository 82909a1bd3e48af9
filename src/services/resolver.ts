/** Asking the network threads for accounts that are not known here yet, by their handles and by their keys. */
import { slotOfKey } from '../runtime/ids.ts';
import type { AccountResolver, KeyOwner } from './services.ts';

export const resolveTopic = 'resolve handle';
export const keyOwnerTopic = 'find key owner';

export interface KeyOwnerRequest {
  readonly keyId: string;
  readonly fresh: boolean;
}

/** Asks the network thread with this number. */
export type AskNetwork = <Reply>(index: number, topic: string, request: unknown) => Promise<Reply>;

/** The handles of one host are asked of one network thread, so that its limits per host hold. */
export function networkResolver(ask: AskNetwork, networks: number): AccountResolver {
  return {
    async resolveHandles(handles, deadlineMilliseconds) {
      const found = new Map<string, bigint>();
      const asked = Promise.all(
        handles.map(async (handle) => {
          const index = slotOfKey(handle.slice(handle.indexOf('@') + 1)) % networks;
          const accountId = await ask<bigint | undefined>(index, resolveTopic, handle).catch(() => undefined);
          if (accountId !== undefined) found.set(handle, accountId);
        }),
      );
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMilliseconds);
      });
      await Promise.race([asked, deadline]);
      clearTimeout(timer);
      return new Map(found);
    },
    findKeyOwner(keyId, fresh) {
      const index = slotOfKey(URL.parse(keyId)?.host ?? '') % networks;
      const request: KeyOwnerRequest = { keyId, fresh };
      return ask<KeyOwner>(index, keyOwnerTopic, request);
    },
  };
}
