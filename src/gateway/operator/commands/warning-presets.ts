/** Commands about texts that staff keep ready for warnings. */
import { notificationLimits } from '../../../actors/account/notifications/limits.ts';
import type { WarningPreset } from '../../../actors/instance/warning-presets/warning-presets.queries.ts';
import {
  addWarningPreset,
  changeWarningPreset,
  listWarningPresets,
  removeWarningPreset,
} from '../../../operations/administration/warning-presets.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command } from './command.ts';
import { asOneLine, demandChange, text, UsageError } from './reading.ts';

const title = { value: 'TEXT', sentence: 'What staff choose it by.' };

function idOf(given: string) {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of a text.`);
  return given;
}

const list = command({
  words: 'warning-texts list',
  sentence: 'Lists the texts that staff keep ready for warnings.',
  read: () => ({}),
  operation: listWarningPresets,
  print: (presets) => (presets.length === 0 ? ['There are none.'] : presets.map(lineOf)),
});

const add = command({
  words: 'warning-texts add',
  argument: 'TEXT',
  flags: { title },
  sentence: 'Keeps a text for warnings.',
  read: (said, flags) => ({ text: said, title: text(flags, 'title') }),
  operation: addWarningPreset,
  print: (preset) => [lineOf(preset)],
});

const change = command({
  words: 'warning-texts modify',
  argument: 'ID',
  flags: { title, text: { value: 'TEXT', sentence: 'What is said.' } },
  sentence: 'Changes a text for warnings; what is not given stays.',
  read(given, flags) {
    demandChange(flags);
    return { presetId: idOf(given), title: text(flags, 'title'), text: text(flags, 'text') };
  },
  operation: changeWarningPreset,
  print: (preset) => [lineOf(preset)],
});

const remove = command({
  words: 'warning-texts remove',
  argument: 'ID',
  sentence: 'Removes a text for warnings; what was said with it stays.',
  read: (given) => ({ presetId: idOf(given) }),
  operation: removeWarningPreset,
  print: (_removed, { presetId }) => [`Removed the text ${presetId}.`],
});

function lineOf({ id, title: of, text: said }: WarningPreset): string {
  const named = of === '' ? '' : `${asOneLine(of, notificationLimits.warningCharactersMax)}: `;
  return `${id}  ${named}${asOneLine(said, notificationLimits.warningCharactersMax)}`;
}

export const warningPresetCommands = [list, add, change, remove];
