/** Texts that staff keep ready for warnings. */
import { z } from 'zod';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import {
  allWarningPresets,
  findWarningPreset,
  type WarningPreset,
} from '../../actors/instance/warning-presets/warning-presets.queries.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { blank, refuseFields, tooLong } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';

/** Commands send it as they read it. */
const givenId = z.coerce.bigint();
const content = { title: z.string().optional(), text: z.string().optional() };

/** Oldest first. */
export const listWarningPresets = operation({
  input: z.object({}),
  permission: 'sanctionAccounts',
  audit: reads,
  run: ({ services }): WarningPreset[] => allWarningPresets(services.snapshots),
});

export const showWarningPreset = operation({
  input: z.object({ presetId: givenId }),
  permission: 'sanctionAccounts',
  audit: reads,
  /** Throws Failure notFound. */
  run: ({ services }, { presetId }): WarningPreset => presetOf(services, presetId),
});

export const addWarningPreset = operation({
  input: z.object(content),
  permission: 'manageSettings',
  audit: 'addWarningPreset',
  async run({ caller, services, audit }, given): Promise<WarningPreset> {
    const checked = contentOf(given);
    const message = Instance.addWarningPreset.to(instanceKey, { ...checked, audit });
    const { presetId } = await services.client.call(message, flowOf(caller));
    return { id: presetId, ...checked };
  },
});

export const changeWarningPreset = operation({
  input: z.object({ presetId: givenId, ...content }),
  permission: 'manageSettings',
  audit: 'changeWarningPreset',
  /** What is not given stays. Throws Failure notFound. */
  async run({ caller, services, audit }, { presetId, title, text }): Promise<WarningPreset> {
    const before = presetOf(services, presetId);
    const checked = contentOf({ title: title ?? before.title, text: text ?? before.text });
    const message = Instance.changeWarningPreset.to(instanceKey, { presetId, content: checked, audit });
    await services.client.call(message, flowOf(caller));
    return { id: presetId, ...checked };
  },
});

export const removeWarningPreset = operation({
  input: z.object({ presetId: givenId }),
  permission: 'manageSettings',
  audit: 'removeWarningPreset',
  /** Throws Failure notFound. */
  run: ({ caller, services, audit }, { presetId }) =>
    services.client.call(Instance.removeWarningPreset.to(instanceKey, { presetId, audit }), flowOf(caller)),
});

/** Throws Failure notFound. */
export function presetOf({ snapshots }: Pick<Services, 'snapshots'>, presetId: Id): WarningPreset {
  const preset = findWarningPreset(snapshots, presetId);
  if (preset === undefined) throw new Failure('notFound');
  return preset;
}

/** Throws FieldsRefused. */
function contentOf(given: { readonly title?: string | undefined; readonly text?: string | undefined }) {
  const [title, text] = [cleanText(given.title ?? ''), cleanText(given.text ?? '')];
  const { warningPresetTitleCharactersMax: titleMax } = instanceLimits;
  const { warningCharactersMax: textMax } = notificationLimits;
  refuseFields({
    title: exceedsCharacters(title, titleMax) ? [tooLong(titleMax)] : [],
    text: text === '' ? [blank] : exceedsCharacters(text, textMax) ? [tooLong(textMax)] : [],
  });
  return { title, text };
}
