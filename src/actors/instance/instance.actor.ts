/** The instance actor: the settings that staff keep, and the secrets that the server made for itself. */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { Instance, type InstanceSecrets } from './instance.messages.ts';
import { secrets, settings } from './instance.state.ts';

type InstanceTurn = Turn<string>;
function changeSettings(turn: InstanceTurn, changes: BodyOf<typeof Instance.changeSettings>): undefined {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  turn.put(settings, [turn.self.key], { ...turn.get(settings, [turn.self.key]), ...given });
}

function adoptSecrets(turn: InstanceTurn, offered: BodyOf<typeof Instance.adoptSecrets>): InstanceSecrets {
  const present = turn.get(secrets, [turn.self.key]);
  if (present !== undefined) return present;
  turn.put(secrets, [turn.self.key], offered);
  return offered;
}

export const instanceActor = implement<InstanceTurn>()(Instance, { changeSettings, adoptSecrets });
