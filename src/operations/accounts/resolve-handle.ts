/** Finds the account of a handle `user@host`, asking its server where it is unknown here. */
import { z } from 'zod';
import type { Id } from '../../runtime/ids.ts';
import { operation } from '../operation.ts';
import { accountIdOfHandle } from './handles.ts';

const remoteHandle = /^@?([^@\s]+@[^@\s/]+)$/;
/** How long a user waits for the other server. */
const resolveMilliseconds = 5_000;

/** Throws Failure remoteUnreachable where the server of an unknown account does not answer. */
export const resolveHandle = operation({
  input: z.object({ handle: z.string() }),
  /** For accounts only: an anonymous request must not make this server contact others. */
  permission: 'resolve',
  async run({ caller, services }, { handle }): Promise<Id | undefined> {
    const { snapshots, addresses, resolver } = services;
    const known = accountIdOfHandle(snapshots, handle, addresses);
    const remote = remoteHandle.exec(handle.trim())?.[1]?.toLowerCase();
    if (known !== undefined || remote === undefined || addresses.isOwnHost(remote.slice(remote.lastIndexOf('@') + 1)))
      return known;
    return resolver.resolveHandle(remote, resolveMilliseconds, caller.cause);
  },
});
