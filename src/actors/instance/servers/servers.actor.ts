/**
 * What staff decide about another server besides its rule: whether deliveries to it wait, which lanes follow by an event,
 * and that everything goes that its accounts have left here, in slices, of which each is an effect.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import { recordAudit } from '../../audit.state.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { purgeServerSlice } from './servers.effects.ts';
import { deliveryDecided } from './servers.events.ts';
import type { serverMessages } from './servers.messages.ts';
import type { PurgePosition, ServerPurge } from './servers.records.ts';
import { serverPurges, stoppedServers } from './servers.state.ts';

type Body<Name extends keyof typeof serverMessages> = BodyOf<(typeof serverMessages)[Name]>;

export function stopDelivery(turn: InstanceTurn, { domain, byId, audit }: Body<'stopDelivery'>): undefined {
  const { key } = turn.self;
  if (turn.get(stoppedServers, [key, domain]) !== undefined) return;
  if (countEntries(turn, stoppedServers, [key]) >= instanceLimits.stoppedServersMax)
    throw validationFailure('Deliveries to too many servers are stopped');
  turn.put(stoppedServers, [key, domain], { domain, at: turn.now, byId });
  recordAudit(turn, audit, { ...named(domain), before: { isStopped: false }, after: { isStopped: true } });
  turn.emit(deliveryDecided, { domain, decision: 'stopped' });
}

export function restartDelivery(turn: InstanceTurn, { domain, audit }: Body<'restartDelivery'>): undefined {
  const { key } = turn.self;
  const isStopped = turn.get(stoppedServers, [key, domain]) !== undefined;
  if (isStopped) turn.delete(stoppedServers, [key, domain]);
  recordAudit(turn, audit, { ...named(domain), before: { isStopped }, after: { isStopped: false } });
  turn.emit(deliveryDecided, { domain, decision: 'restarted' });
}

export function clearDeliveryFailures(turn: InstanceTurn, { domain, audit }: Body<'clearDeliveryFailures'>): undefined {
  recordAudit(turn, audit, named(domain));
  turn.emit(deliveryDecided, { domain, decision: 'cleared' });
}

export function purgeServer(turn: InstanceTurn, { domain, audit }: Body<'purgeServer'>): ServerPurge {
  const present = turn.get(serverPurges, [turn.self.key, domain]);
  if (present !== undefined && present.endedAt === undefined) return present;
  const purge: ServerPurge = { id: turn.nextId(), domain, startedAt: turn.now, accounts: 0 };
  recordAudit(turn, audit, named(domain));
  purgeFrom(turn, purge, { partition: 0 });
  return purge;
}

export function serverPurged(turn: InstanceTurn, { domain, purgeId, accounts, next }: Body<'serverPurged'>): undefined {
  const { key } = turn.self;
  const before = turn.get(serverPurges, [key, domain]);
  if (before?.id !== purgeId) return;
  const after = { ...before, accounts: before.accounts + accounts };
  if (next === undefined) turn.put(serverPurges, [key, domain], { ...after, endedAt: turn.now });
  else purgeFrom(turn, after, next);
}

function purgeFrom(turn: InstanceTurn, purge: ServerPurge, from: PurgePosition): void {
  const { domain, id: purgeId } = purge;
  turn.put(serverPurges, [turn.self.key, domain], purge);
  turn.effect(purgeServerSlice, { domain, purgeId, from }, Instance.serverPurged);
}

function named(domain: string) {
  return { targetId: domain, name: domain };
}
