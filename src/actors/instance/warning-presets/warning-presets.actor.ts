/** Keeps texts for warnings. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import { recordAudit } from '../../audit.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { warningPresetMessages } from './warning-presets.messages.ts';
import type { PresetContent } from './warning-presets.records.ts';
import { warningPresets } from './warning-presets.state.ts';

type Body<Name extends keyof typeof warningPresetMessages> = BodyOf<(typeof warningPresetMessages)[Name]>;

export function addWarningPreset(
  turn: InstanceTurn,
  { audit, ...content }: Body<'addWarningPreset'>,
): { presetId: Id } {
  const { key } = turn.self;
  if (countEntries(turn, warningPresets, [key]) >= instanceLimits.warningPresetsMax)
    throw validationFailure('There are too many texts for warnings: remove some first');
  const presetId = turn.nextId();
  turn.put(warningPresets, [key, presetId], content);
  recordAudit(turn, audit, { ...namesOf(presetId, content), after: { ...content } });
  return { presetId };
}

export function changeWarningPreset(
  turn: InstanceTurn,
  { presetId, content, audit }: Body<'changeWarningPreset'>,
): undefined {
  const before = presetOf(turn, presetId);
  turn.put(warningPresets, [turn.self.key, presetId], { ...before, ...content });
  recordAudit(turn, audit, { ...namesOf(presetId, content), before: { ...before }, after: { ...content } });
}

export function removeWarningPreset(turn: InstanceTurn, { presetId, audit }: Body<'removeWarningPreset'>): undefined {
  const before = presetOf(turn, presetId);
  turn.delete(warningPresets, [turn.self.key, presetId]);
  recordAudit(turn, audit, { ...namesOf(presetId, before), before: { ...before } });
}

function presetOf(turn: InstanceTurn, presetId: Id): PresetContent {
  const found = turn.get(warningPresets, [turn.self.key, presetId]);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

function namesOf(presetId: Id, { title, text }: PresetContent) {
  return { targetId: presetId, name: title === '' ? text : title };
}
