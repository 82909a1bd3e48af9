/** /admin/presets: texts that staff keep ready for warnings. */
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import { instanceLimits } from '../../../../actors/instance/limits.ts';
import {
  allWarningPresets,
  type WarningPreset,
} from '../../../../actors/instance/warning-presets/warning-presets.queries.ts';
import {
  addWarningPreset,
  changeWarningPreset,
  removeWarningPreset,
} from '../../../../operations/administration/warning-presets.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { type Id, parseId } from '../../../../runtime/ids.ts';
import type { Snapshots } from '../../../../runtime/storage/snapshots.ts';
import { html } from '../../../../services/words/html.ts';
import { problemSentence } from '../../failure-sentence.ts';
import { actButton, perform } from '../parts.ts';
import { sections } from '../sections.ts';
import { listedRoutes } from './listed-page.ts';
import { textField } from './text-field.ts';

interface PresetDraft {
  readonly title: string;
  readonly text: string;
}

const { address } = sections.presets;

function numbered(id: string): Id {
  const parsed = parseId(id);
  if (parsed === undefined) throw new Failure('notFound');
  return parsed;
}

/** Throws Failure notFound. */
function presetWith(snapshots: Snapshots, presetId: Id): WarningPreset {
  const found = allWarningPresets(snapshots).find(({ id }) => id === presetId);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

export const presetRoutes = listedRoutes({
  section: 'presets',
  address,
  words: ({ accounts }) => accounts.presets,
  list: ({ services }) => ({ items: allWarningPresets(services.snapshots) }),
  row: (
    { words: { accounts } },
    { id, title, text }: WarningPreset,
  ) => html`<div class="line row"><a class="what" href="${address}/${id}" dir="auto">${title === '' ? text : title}</a>${actButton(`/web${address}/${id}/remove`, accounts.presets.remove)}</div>
${title !== '' && html`<p class="plain-text" dir="auto">${text}</p>`}`,
  empty: { title: '', text: '' } as PresetDraft,
  fields({ words }, { title, text }, problems) {
    const { presets } = words.accounts;
    const problem = (field: string) => ({ problem: problemSentence(words, problems[field]) });
    return html`${textField({ name: 'title', label: presets.name, hint: presets.nameHint, value: title, limit: instanceLimits.warningPresetTitleCharactersMax, ...problem('title') })}
${textField({ name: 'text', label: presets.text, value: text, limit: notificationLimits.warningCharactersMax, rows: 4, isRequired: true, ...problem('text') })}`;
  },
  draftIn: (fields) => ({ title: fields.get('title') ?? '', text: fields.get('text') ?? '' }),
  add: (form, draft) => perform(form, addWarningPreset, draft),
  added: 'presetAdded',
  change: {
    find: ({ services }, id) => presetWith(services.snapshots, numbered(id)),
    draftOf: ({ title, text }) => ({ title, text }),
    words: ({ accounts: { presets } }) => ({ title: presets.change, button: presets.save }),
    apply: (form, id, draft) => perform(form, changeWarningPreset, { presetId: numbered(id), ...draft }),
    changed: 'presetChanged',
  },
  removal: {
    remove: ({ visit }, id) => removeWarningPreset(visit, { presetId: numbered(id) }),
    removed: 'presetRemoved',
  },
});
