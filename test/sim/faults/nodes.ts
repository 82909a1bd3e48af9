/** Faults of nodes that follow logs on other machines, and of who of them serves. */
import type { PlantedFault } from './fault.ts';

const lease = 'src/runtime/cluster/lease.ts';
const natsLease = 'src/runtime/cluster/nats-lease.ts';
const leases = 'test/runtime/cluster/lease.test.ts';
const real = 'test/runtime/cluster/nats.test.ts';
const following = 'src/server/cluster/follow.ts';
const follows = 'test/server/cluster/follow.test.ts';
const nodes = 'test/sim/cluster/cluster.test.ts';
const plan = 'src/server/cluster/repair-plan.ts';
const plans = 'test/server/cluster/repair-plan.test.ts';
const sharedMedia = 'src/server/cluster/shared-media.ts';
const mediaShared = 'test/server/cluster/shared-media.test.ts';
const member = 'src/server/cluster/member.ts';
const upgrades = 'test/server/cluster/upgrades.test.ts';
const standbyPort = 'src/server/cluster/standby-port.ts';
const standbyPorts = 'test/server/cluster/standby-port.test.ts';
const verify = 'src/server/folder/verify.ts';
const followed = 'test/server/cluster/followed-folder.test.ts';
const leaseOver = 'test/gateway/http/lease.test.ts';

const fault = (name: string, file: string, original: string, replacement: string, foundBy: string): PlantedFault => ({
  name,
  kind: 'nodes',
  file,
  original,
  replacement,
  foundBy,
});

export const faultsOfNodes: readonly PlantedFault[] = [
  fault(
    'init leaves what another copy has more',
    'src/server/cluster/init.ts',
    'if (isOfCluster && !replace) throw new Error(hasFollowedOthers);',
    '',
    followed,
  ),
  fault(
    'a folder that followed its logs counts as damaged on its own',
    verify,
    'epoch > newestMax && !hasFollowed(folder, number, readers[number]!)',
    'epoch > newestMax',
    followed,
  ),
  fault(
    'a folder that followed its logs begins an epoch that these had already',
    'src/server/folder/prepare.ts',
    'Math.max(nextEpoch(opened), newestFollowed(folder, logs) + 1)',
    'nextEpoch(opened)',
    followed,
  ),
  fault(
    'new logs begin in an epoch that lost ones had already',
    'src/server/cluster/init.ts',
    'epoch = Math.max(epoch, followed);',
    '',
    followed,
  ),
  fault(
    'a lease is taken over while its holder renews it',
    lease,
    'this.since = this.wish.clock.monotonic();',
    'this.since ||= this.wish.clock.monotonic();',
    leases,
  ),
  fault(
    'who waits is not told of renewals',
    lease,
    'this.ports.store.tell?.({ revision, isGivenBack: false });',
    '',
    leases,
  ),
  fault(
    'a taking without an answer is waited for',
    lease,
    '[former, holder.session].includes(serving.session)',
    'serving.session === former',
    leases,
  ),
  fault('a log that is followed beside is not ended', following, 'isOver = true;', '', follows),
  fault('a lease is taken over too early', lease, 'takeMilliseconds: 10_000', 'takeMilliseconds: 5_000', leases),
  fault(
    'a node that cannot renew serves on',
    lease,
    'return this.isRenewedWithin(leaseTimes.serveMilliseconds);',
    'return !this.isOver;',
    leases,
  ),
  fault(
    'a lease is kept until others may have it',
    lease,
    'keepMilliseconds: 9_000',
    'keepMilliseconds: 20_000',
    leases,
  ),
  fault(
    'a lease is lost as soon as its node does not serve',
    lease,
    'return this.isRenewedWithin(leaseTimes.keepMilliseconds);',
    'return this.isHeld;',
    leases,
  ),
  fault(
    'who waits is not told that nobody serves',
    lease,
    'await waiting(this.mayBeServed ? serving : undefined,',
    'await waiting(serving,',
    leases,
  ),
  fault('who waits goes on after a stop while nobody answers', lease, 'this.wish.goOn?.();', '', leases),
  fault(
    'a renewal counts from its answer',
    lease,
    'this.renewed(revision, sentAt);',
    'this.renewed(revision, clock.monotonic() + 5_000);',
    leases,
  ),
  fault(
    'a renewal that is found counts from when it was found',
    lease,
    'this.renewed(entry.revision, this.unansweredAt ?? this.renewedAt);',
    'this.renewed(entry.revision, clock.monotonic() + 5_000);',
    leases,
  ),
  fault(
    'who waits is not told that the lease was given back',
    lease,
    'if (revision !== undefined) store.tell?.({ revision, isGivenBack: true });',
    '',
    leases,
  ),
  fault(
    'a lease that another has taken is not lost',
    lease,
    'if (entry?.holder?.session !== this.holder.session) this.isOver = true;',
    'if (entry?.holder?.session !== this.holder.session) this.current = entry?.revision ?? 0;',
    leases,
  ),
  fault(
    'a renewal without an answer loses the lease',
    lease,
    'if (entry?.holder?.session !== this.holder.session)',
    "if (entry?.holder?.session !== '')",
    leases,
  ),
  fault('a lease is written over whatever it is', natsLease, 'previousSeq: revision,', '', real),
  fault(
    'of two copies the longer one is taken, whatever its epoch',
    plan,
    'compareStandings(other.standing, one.standing) ||',
    'other.standing.commit - one.standing.commit ||',
    plans,
  ),
  fault(
    'a log without its beginning is gone on with though no copy can',
    plan,
    '(first === 1 || copies.some(({ goesOn }) => goesOn))',
    'first > 0',
    plans,
  ),
  fault('a damaged log is gone on with', plan, 'broken === undefined && (first', '(first', plans),
  fault(
    'a log is made anew from a copy that has less',
    plan,
    'compareStandings(standing, best.standing) >= 0)',
    'compareStandings(standing, best.standing) === 0)',
    plans,
  ),
  fault(
    'a node that stands by ends when servers are silent',
    following,
    'if (!isSilence(error)) throw',
    'throw',
    nodes,
  ),
  fault(
    'a node that cannot renew acknowledges reads',
    lease,
    'return this.isRenewedWithin(leaseTimes.serveMilliseconds);',
    'return !this.isOver && this.renewedAt > 0;',
    nodes,
  ),
  fault(
    'a gateway answers although its lease is over',
    'src/gateway/http/server.ts',
    'const isOver = options.isOver?.() === true;',
    'const isOver = options.isOver === null;',
    leaseOver,
  ),
  fault(
    'a gateway opens streams although its lease is over',
    'src/gateway/streaming/websocket.ts',
    'if (isOver?.() === true) throw overloadRefusal;',
    '',
    leaseOver,
  ),
  fault(
    'a command works on while another node has the lease',
    'src/server/cluster/alone.ts',
    'if (isLost || !lease.isHeld)',
    'if (isLost === undefined)',
    'test/server/cluster/alone.test.ts',
  ),
  fault(
    'a node starts with servers that do not flush',
    'src/server/cluster/attend.ts',
    'await assertServersKeep(client, replicas, majorityOf(replicas));',
    '',
    upgrades,
  ),
  fault(
    'a node starts with a stream that was changed',
    'src/server/cluster/attend.ts',
    'await assertStreamKeeps(client, partition, replicas);',
    '',
    upgrades,
  ),
  fault(
    'two takings of the lease have one epoch',
    member,
    'epoch: epoch + lease.revision,',
    'epoch: epoch + 1,',
    upgrades,
  ),
  fault(
    'an older version goes on with what a newer one has migrated',
    member,
    'if (newer !== undefined) throw',
    'if (newer === null) throw',
    upgrades,
  ),
  fault(
    'a node that stands by answers as if it served',
    standbyPort,
    'isHealth ? 200 : 503',
    'isHealth ? 200 : 200',
    standbyPorts,
  ),
  fault(
    'a node hands over although nobody could take over',
    'src/server/cluster/departure.ts',
    'if (successor === undefined) return { ok: false, sentence: noSuccessor };',
    '',
    'test/server/cluster/departure.test.ts',
  ),
  fault(
    'media that one machine has are taken for shared',
    sharedMedia,
    'if (mediaFolder === undefined && mediaS3Endpoint === undefined)',
    'if (mediaFolder === null)',
    mediaShared,
  ),
  fault(
    'a folder for media is taken that is not that of the other nodes',
    sharedMedia,
    'if (markIn(file) !== known)',
    'if (known === null)',
    mediaShared,
  ),
  fault(
    'a snapshot counts that was not read back',
    'src/server/backup/backup.ts',
    'for (const file of this.written) await this.verify(file);',
    '',
    'test/server/backup/read-back.test.ts',
  ),
];
