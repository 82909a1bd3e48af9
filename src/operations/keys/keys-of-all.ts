/** Makes new keys for all accounts, a slice at a time. Runs on network threads. */

import { Account } from '../../actors/account/account.messages.ts';
import { localAccountsAfter } from '../../actors/account/account-lists.queries.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findKeyPair } from '../../actors/account/remote/federation.queries.ts';
import { rotateKeysOfSome } from '../../actors/instance/keys/keys.effects.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { generateRsaKeyPair } from '../../outbound/signatures/keys.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

const { keysPerSlice } = instanceLimits;

type RunnerServices = Pick<Services, 'snapshots' | 'now'> & { readonly client: Pick<Services['client'], 'call'> };

export function keysOfAllRunner(services: RunnerServices): readonly [number, EffectRunner<unknown, unknown>] {
  const { snapshots, client, now } = services;
  const isOlder = (accountId: Id, since: number) => {
    const createdAt = findKeyPair(snapshots, accountId)?.createdAt;
    return createdAt !== undefined && createdAt < since && findLogin(snapshots, accountId) !== undefined;
  };
  return runnerOf(rotateKeysOfSome, async ({ since, after }) => {
    const found = snapshots.partitions.flatMap((reader) => localAccountsAfter(reader, keysPerSlice, after));
    const slice = found.sort((one, other) => (one < other ? -1 : 1)).slice(0, keysPerSlice);
    let rotated = 0;
    for (const accountId of slice.filter((id) => isOlder(id, since))) {
      // The clock may have been set back since.
      const pair = { ...(await generateRsaKeyPair()), createdAt: Math.max(now(), since) };
      const { isNew } = await client.call(Account.rotateKeys.to(accountId, { pair, since }), 'system');
      rotated += Number(isNew);
    }
    const next = slice.length < keysPerSlice ? undefined : slice.at(-1);
    return { rotated, ...(next !== undefined && { after: next }) };
  });
}
