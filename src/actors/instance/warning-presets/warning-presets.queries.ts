/** Reads texts for warnings. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { PresetContent } from './warning-presets.records.ts';
import { warningPresets } from './warning-presets.state.ts';

export interface WarningPreset extends PresetContent {
  readonly id: Id;
}

/** Oldest first. */
export function allWarningPresets(reader: Reader): WarningPreset[] {
  return Array.from(reader.range(warningPresets, [instanceKey]), ({ key, value }) => ({ id: key[1], ...value }));
}

export function findWarningPreset(reader: Reader, presetId: Id): WarningPreset | undefined {
  const found = reader.get(warningPresets, [instanceKey, presetId]);
  return found && { id: presetId, ...found };
}
