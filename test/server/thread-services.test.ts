/** Operations on a network thread: timers and imports use the same operations as the API. */

import { beforeEach, expect, test } from 'vitest';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import type { AccountCaller } from '../../src/operations/caller.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { blockAccount } from '../../src/operations/relationships/block-account.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { slotOfId } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { InboundBed } from '../federation/inbound-bed.ts';

let bed: InboundBed;
let alice: bigint;

beforeEach(async () => {
  bed = new InboundBed();
  alice = await bed.local('alice');
});

const onBehalfOf = (accountId: bigint) => {
  const caller: AccountCaller = { kind: 'account', accountId, limits: unlimited };
  return { caller, services: bed.network };
};

test('a status is published, and whom it mentions is looked up from there', async () => {
  bed.person('far.example', 'carol');
  const text = 'On time, @carol@far.example';
  const { statusId } = await publishStatus(onBehalfOf(alice), { text, spoilerText: '', visibility: 'public' });
  const published = findStatus(bed.gateway.services.snapshots, statusId)!;
  expect(published.author.profile.username).toBe('alice');
  expect(published.status.mentions.map(({ acct }) => acct)).toEqual(['carol@far.example']);
});

test('a status is refused as the API refuses it', async () => {
  const nothing = publishStatus(onBehalfOf(alice), { text: ' ', spoilerText: '' });
  await expect(nothing).rejects.toMatchObject({ code: 'validation' });
  const unknown = publishStatus(onBehalfOf(alice), { text: 'Yes', spoilerText: '', inReplyToId: 1n });
  await expect(unknown).rejects.toMatchObject({ code: 'notFound' });
});

test('a block is answered when the gateways have applied it', async () => {
  const bob = await bed.local('bob');
  expect(await blockAccount(onBehalfOf(alice), { accountId: bob })).toMatchObject({ blocking: true });
  const ownPartition = evenPlacement(bed.gateway.actors.partitions.length).partitionOf(slotOfId(alice));
  expect(bed.awaitedCommits.map((commits) => commits.has(ownPartition))).toEqual([true]);
  expect(findRelationship(bed.read, alice, bob, bed.now).blocking).toBe(true);
  expect(bed.gateway.log).toEqual([]);
});
