/** Texts for warnings. Message numbers 490 to 492 of the instance. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { PresetContent } from './warning-presets.records.ts';

const named = z.object({ presetId: identifier });

export const warningPresetMessages = {
  /** Throws Failure validation above the bound. */
  addWarningPreset: call(490, PresetContent.extend(audited), named),
  /** Throws Failure notFound, as the next one does. */
  changeWarningPreset: call(491, named.extend({ content: PresetContent, ...audited }), z.undefined()),
  removeWarningPreset: call(492, named.extend(audited), z.undefined()),
};
