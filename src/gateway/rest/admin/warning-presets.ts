/** The endpoints of texts that staff keep ready for warnings, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  addWarningPreset,
  changeWarningPreset,
  listWarningPresets,
  removeWarningPreset,
  showWarningPreset,
} from '../../../operations/administration/warning-presets.ts';
import { AdminWarningPresetEntity, adminWarningPresetEntity } from '../../entities/admin/warning-presets.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/v1/admin/warning_presets';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'] };

const getPresets = staffEndpoint(listWarningPresets, {
  ...reading,
  method: 'GET',
  path,
  summary: 'Lists the texts that staff keep ready for warnings.',
  answer: z.array(AdminWarningPresetEntity),
  handler: (context) => json(listWarningPresets(context, {}).map(adminWarningPresetEntity)),
});

const getPreset = staffEndpoint(showWarningPreset, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a text for warnings.',
  answer: AdminWarningPresetEntity,
  handler: (context, { id: presetId }) => json(adminWarningPresetEntity(showWarningPreset(context, { presetId }))),
});

const postPreset = staffEndpoint(addWarningPreset, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ title: text, text }),
  summary: 'Keeps a text for warnings.',
  answer: AdminWarningPresetEntity,
  handler: async (context, given) => json(adminWarningPresetEntity(await addWarningPreset(context, given))),
});

const putPreset = staffEndpoint(changeWarningPreset, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, title: text, text }),
  summary: 'Changes a text for warnings; what is not given stays.',
  answer: AdminWarningPresetEntity,
  handler: async (context, { id: presetId, ...given }) =>
    json(adminWarningPresetEntity(await changeWarningPreset(context, { presetId, ...given }))),
});

const deletePreset = staffEndpoint(removeWarningPreset, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a text for warnings; what was said with it stays.',
  answer: EmptyEntity,
  async handler(context, { id: presetId }) {
    await removeWarningPreset(context, { presetId });
    return empty();
  },
});

export const adminWarningPresetEndpoints = [getPresets, getPreset, postPreset, putPreset, deletePreset];
