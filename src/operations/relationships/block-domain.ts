/**
 * Blocks and unblocks a domain for the caller. Blocking ends follows in both directions: the caller's actor knows the
 * hosts of its followers; the followed accounts on the domain are looked up here.
 */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { followsOf } from '../../actors/account/home/home.queries.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import { readingLimits } from '../../actors/limits.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const input = z.object({ domain: z.string() });

export const blockDomain = operation({
  input,
  permission: 'relate',
  async run({ caller, services }, given): Promise<void> {
    const domain = domainIn(given.domain);
    // The own domain cannot be blocked.
    if (services.addresses.isOwnHost(domain)) throw invalidDomain();
    const followed = await followedAt(services, caller.accountId, domain);
    await services.client.call(Account.blockDomain.to(caller.accountId, { domain, followed }), flowOf(caller));
    await services.barrier.appliedEverywhere();
  },
});

export const unblockDomain = operation({
  input,
  permission: 'relate',
  async run({ caller, services }, given): Promise<void> {
    const domain = domainIn(given.domain);
    await services.client.call(Account.unblockDomain.to(caller.accountId, { domain }), flowOf(caller));
    await services.barrier.appliedEverywhere();
  },
});

function domainIn(text: string): string {
  if (text.trim() === '') throw validationFailure("Domain can't be blank");
  const domain = normaliseHost(text.trim());
  if (domain === undefined) throw invalidDomain();
  return domain;
}

function invalidDomain() {
  return validationFailure('Domain is not a valid domain name');
}

interface Followed {
  readonly targetId: Id;
  readonly targetDestination: Destination | undefined;
}

/** In slices: an account may follow thousands. */
async function followedAt({ snapshots }: Services, accountId: Id, domain: string): Promise<Followed[]> {
  const followed: Followed[] = [];
  const targetIds = Array.from(followsOf(snapshots, accountId), ([targetId]) => targetId);
  for (const [index, targetId] of targetIds.entries()) {
    if (index > 0 && index % readingLimits.sliceStatuses === 0) await setImmediate();
    const profile = findAccount(snapshots, targetId)?.profile;
    if (profile?.domain === domain) followed.push({ targetId, targetDestination: destinationOf(profile) });
  }
  return followed;
}
