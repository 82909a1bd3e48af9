/** The Admin::WarningPreset entity, our own. */
import { z } from 'zod';
import type { WarningPreset } from '../../../actors/instance/warning-presets/warning-presets.queries.ts';
import { id, text } from '../values.ts';

export const AdminWarningPresetEntity = z.strictObject({ id, title: text, text }).meta({ id: 'Admin.WarningPreset' });

export function adminWarningPresetEntity(preset: WarningPreset): z.output<typeof AdminWarningPresetEntity> {
  return { id: preset.id.toString(), title: preset.title, text: preset.text };
}
