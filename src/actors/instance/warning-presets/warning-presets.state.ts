/** The keyspace of texts for warnings: 211. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { instanceLimits } from '../limits.ts';
import { PresetContent } from './warning-presets.records.ts';

export const warningPresets = keyspace<[string, bigint], PresetContent>({
  number: 211,
  name: 'warning presets',
  owner: 'instance',
  absentIfDamaged: true,
  key: [hashedString('instance'), id('preset')],
  value: record(PresetContent),
  bound: { by: 'count', entries: instanceLimits.warningPresetsMax },
});
