/**
 * Blocks and unblocks a domain for the caller, and counts what a block would end. Blocking ends follows in both
 * directions: the caller's actor knows the hosts of its followers; the followed accounts on the domain are looked up here.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { followsOf } from '../../actors/account/home/home.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { blockedDomains } from '../../actors/account/relationships/blocked-domains.queries.ts';
import { relationshipLimits } from '../../actors/account/relationships/limits.ts';
import { storedFollowersOf } from '../../actors/account/relationships/relationships.queries.ts';
import type { Follow } from '../../actors/account/relationships/relationships.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { searchedAccounts } from '../accounts/searched-accounts.ts';
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
    const { snapshots } = services;
    const read: ReadPart<unknown> = (part) => followsOf(snapshots, caller.accountId, part);
    const profiles = await services.slices.run(profilesAt(snapshots, read, domain));
    const followed = profiles.map((profile) => ({ targetId: profile.id, targetDestination: destinationOf(profile) }));
    await services.client.call(Account.blockDomain.to(caller.accountId, { domain, followed }), flowOf(caller));
  },
});

export const unblockDomain = operation({
  input,
  permission: 'relate',
  async run({ caller, services }, given): Promise<void> {
    // What was blocked before it counted as no domain can be unblocked all the same.
    const isBlocked = blockedDomains(services.snapshots, caller.accountId).has(given.domain);
    const domain = isBlocked ? given.domain : domainIn(given.domain);
    await services.client.call(Account.unblockDomain.to(caller.accountId, { domain }), flowOf(caller));
  },
});

/** How many accounts of a domain the caller follows, and is followed by. */
export const previewDomainBlock = operation({
  input,
  permission: 'relate',
  async run({ caller, services }, given): Promise<{ following: number; followers: number }> {
    const domain = domainIn(given.domain);
    const { snapshots, slices } = services;
    const followed: ReadPart<Follow> = (part) => followsOf(snapshots, caller.accountId, part);
    const followers: ReadPart<unknown> = (part) => storedFollowersOf(snapshots, caller.accountId, part);
    const isAccepted = ({ state }: Follow) => state === 'accepted';
    // Most are kept for searches: their profiles need not be read.
    const kept = searchedAccounts(services);
    const isAt = (id: Id) => (kept(id) ?? findProfile(snapshots, id))?.domain === domain;
    return {
      following: await slices.run(countAt(followed, isAt, isAccepted), caller.asker),
      followers: await slices.run(countAt(followers, isAt), caller.asker),
    };
  },
});

function domainIn(text: string): string {
  if (text.trim() === '') throw validationFailure("Domain can't be blank", { reason: 'notAServer' });
  const domain = normaliseHost(text.trim());
  if (domain === undefined) throw invalidDomain();
  return domain;
}

function invalidDomain() {
  return validationFailure('Domain is not a valid domain name', { reason: 'notAServer' });
}

/** Reads relations of an account to others in the order of their ids, from one of them on. */
type ReadPart<Relation> = (part: {
  readonly from: Id | undefined;
  readonly limit: number;
}) => Iterable<readonly [Id, Relation]>;

function* countAt<Relation>(
  read: ReadPart<Relation>,
  isAt: (otherId: Id) => boolean,
  counts: (relation: Relation) => boolean = () => true,
): Generator<undefined, number> {
  let count = 0;
  for (const relations of inParts(read)) {
    for (const [otherId, relation] of relations) if (counts(relation) && isAt(otherId)) count += 1;
    yield;
  }
  return count;
}

/** The others that are on the domain. */
function* profilesAt(reader: Reader, read: ReadPart<unknown>, domain: string): Generator<undefined, Profile[]> {
  const profiles: Profile[] = [];
  for (const relations of inParts(read)) {
    for (const [otherId] of relations) {
      const profile = findProfile(reader, otherId);
      if (profile?.domain === domain) profiles.push(profile);
    }
    yield;
  }
  return profiles;
}

/** An account may follow thousands, and be followed by more: a slice reads so many. */
function* inParts<Relation>(read: ReadPart<Relation>): Generator<readonly (readonly [Id, Relation])[]> {
  const { relationsPerSlice: limit } = relationshipLimits;
  for (let from: Id | undefined; ; ) {
    const relations = [...read({ from, limit })];
    yield relations;
    const last = relations.at(-1);
    if (last === undefined || relations.length < limit) return;
    from = last[0] + 1n;
  }
}
