/**
 * The key of the server's own actor and its relay, and new keys for all accounts: some at a time, with a pause in between,
 * since each is told to all servers with followers. A slice that is repeated leaves alone whoever has a new key.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { formerKeyMilliseconds, succeeding, withoutFormer } from '../../account/profile/profile.records.ts';
import { recordAudit } from '../../audit.state.ts';
import { Relay, relayKey } from '../../relay/relay.messages.ts';
import { Instance, type InstanceSecrets } from '../instance.messages.ts';
import { secrets } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { rotateKeysOfSome } from './keys.effects.ts';
import type { KeyRotation } from './keys.records.ts';
import { keyRotations } from './keys.state.ts';

export function replaceKeyPair(
  turn: InstanceTurn,
  { keyPair, audit }: BodyOf<typeof Instance.replaceKeyPair>,
): undefined {
  turn.put(secrets, [turn.self.key], { ...ownSecrets(turn), keyPair });
  recordAudit(turn, audit, { name: 'the key of the relay' });
}

export function rotateKeyPair(
  turn: InstanceTurn,
  { keyPair, audit }: BodyOf<typeof Instance.rotateKeyPair>,
): undefined {
  const before = ownSecrets(turn);
  const activityId = turn.nextId();
  const next = succeeding(keyPair, before.keyPair, activityId, turn.now);
  turn.put(secrets, [turn.self.key], { ...before, keyPair: next });
  turn.schedule(turn.now + formerKeyMilliseconds, Instance.forgetFormerKeyPair.to(turn.self.key, {}));
  turn.tell(Relay.tellOfKey.to(relayKey, { activityId }));
  recordAudit(turn, audit, { name: 'the key of the server' });
}

export function forgetFormerKeyPair(turn: InstanceTurn): undefined {
  const before = ownSecrets(turn);
  turn.put(secrets, [turn.self.key], { ...before, keyPair: withoutFormer(before.keyPair, turn.now) });
}

function ownSecrets(turn: InstanceTurn): InstanceSecrets {
  const present = turn.get(secrets, [turn.self.key]);
  if (present === undefined) throw new Failure('notFound');
  return present;
}

export function rotateAllKeys(
  turn: InstanceTurn,
  { audit }: BodyOf<typeof Instance.rotateAllKeys>,
): KeyRotation & { isNew: boolean } {
  const before = turn.get(keyRotations, [turn.self.key]);
  const isRecent = before?.endedAt === undefined || before.endedAt > turn.now - instanceLimits.keysKeptMilliseconds;
  if (before !== undefined && isRecent) return { ...before, isNew: false };
  const begun = { startedAt: turn.now, rotated: 0 };
  turn.put(keyRotations, [turn.self.key], begun);
  recordAudit(turn, audit, { name: 'the keys of all accounts' });
  rotateSomeKeys(turn, {});
  return { ...begun, isNew: true };
}

export function rotateSomeKeys(turn: InstanceTurn, { after }: BodyOf<typeof Instance.rotateSomeKeys>): undefined {
  const rotation = turn.get(keyRotations, [turn.self.key]);
  if (rotation === undefined) return;
  turn.effect(rotateKeysOfSome, { since: rotation.startedAt, after }, Instance.someKeysRotated);
}

export function someKeysRotated(
  turn: InstanceTurn,
  { rotated, after }: BodyOf<typeof Instance.someKeysRotated>,
): undefined {
  const before = turn.get(keyRotations, [turn.self.key]);
  if (before === undefined) return;
  const total = before.rotated + rotated;
  const end = after === undefined ? { endedAt: turn.now } : {};
  turn.put(keyRotations, [turn.self.key], { ...before, rotated: total, ...end });
  if (after === undefined) return;
  const at = turn.now + instanceLimits.keysPauseMilliseconds;
  turn.schedule(at, Instance.rotateSomeKeys.to(turn.self.key, { after }));
}
