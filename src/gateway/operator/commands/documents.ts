/** Commands about rules and long documents. */
import { extname } from 'node:path';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { dayOf as dayOfTime } from '../../../actors/session/session.messages.ts';
import { addRule, changeRule, listRules, removeRule } from '../../../operations/administration/server-rules.ts';
import { listTerms, publishTerms, tellTerms, withdrawTerms } from '../../../operations/administration/terms.ts';
import { documentNames, removeDocument, writeDocument } from '../../../operations/administration/write-documents.ts';
import { dateOfDay } from '../../entities/values.ts';
import { command, type FlagValues } from './command.ts';
import { contentOf, dayOf, demandChange, text, UsageError, wordOf } from './reading.ts';

const hint = { value: 'TEXT', sentence: 'Explanation of the rule.' };

const add = command({
  words: 'rules add',
  argument: 'TEXT',
  flags: { hint },
  sentence: 'Adds a rule of the server at the end of the list.',
  read: (rule, flags) => ({ text: rule, hint: text(flags, 'hint') ?? '' }),
  mayComeFirst: true,
  operation: addRule,
  print: ({ id }) => [`Added the rule ${id}.`],
});

const change = command({
  words: 'rules change',
  argument: 'ID',
  flags: {
    text: { value: 'TEXT', sentence: 'New text; empty, together with --language, it removes that translation.' },
    hint,
    language: { value: 'LANGUAGE', sentence: 'Changes the translation into this language instead, such as de.' },
  },
  sentence: 'Changes a rule of the server, or a translation of it.',
  read(id, flags) {
    demandChange(flags);
    return { id, text: text(flags, 'text'), hint: text(flags, 'hint'), language: text(flags, 'language') };
  },
  operation: changeRule,
  print: (_changed, { id }) => [`Changed the rule ${id}.`],
});

const remove = command({
  words: 'rules remove',
  argument: 'ID',
  sentence: 'Removes a rule of the server.',
  read: (id) => ({ id }),
  operation: removeRule,
  print: (_removed, { id }) => [`Removed the rule ${id}.`],
});

const list = command({
  words: 'rules list',
  sentence: 'Lists the rules of the server with their translations.',
  read: () => ({}),
  operation: listRules,
  print: (rules) =>
    rules.length === 0
      ? ['There are no rules.']
      : rules.flatMap(({ id, text: rule, hint: more, translations = {} }) => [
          `${id}. ${rule}${more === '' ? '' : ` (${more})`}`,
          ...Object.entries(translations).map(([language, translation]) => `   ${language}: ${translation.text}`),
        ]),
});

const file = {
  value: 'PATH',
  required: true,
  sentence:
    'File with the text: HTML if its name ends in .html, otherwise plain text with empty lines between paragraphs.',
} as const;

const write = command({
  words: 'documents write',
  argument: documentNames.join('|'),
  flags: { file },
  sentence: 'Publishes a document about the server, replacing the previous one.',
  read: (name, flags) => ({ name: wordOf(name, documentNames), ...written(flags) }),
  mayComeFirst: true,
  operation: writeDocument,
  print: (_written, { name }) => [`Published: ${name}`],
});

const takeBack = command({
  words: 'documents remove',
  argument: documentNames.join('|'),
  sentence: 'Removes a document.',
  read: (name) => ({ name: wordOf(name, documentNames) }),
  operation: removeDocument,
  print: (_written, { name }) => [`Removed: ${name}`],
});

const publish = command({
  words: 'terms publish',
  argument: 'DATE',
  flags: { file },
  sentence: 'Publishes terms of service that take effect on a date, such as 2027-01-31.',
  read: (date, flags) => ({ day: dayOfTime(dayOf(date)), ...written(flags) }),
  mayComeFirst: true,
  operation: publishTerms,
  print: () => ['Published the terms of service.'],
});

const withdraw = command({
  words: 'terms withdraw',
  argument: 'DATE',
  sentence: 'Withdraws the terms of service that take effect on that date.',
  read: (date) => ({ day: dayOfTime(dayOf(date)) }),
  operation: withdrawTerms,
  print: () => ['Withdrew the terms of service.'],
});

const tell = command({
  words: 'terms tell',
  argument: 'DATE',
  sentence: 'Announces the terms of service that take effect on that date to all local accounts, and by mail, once.',
  read: (date) => ({ day: dayOfTime(dayOf(date)) }),
  operation: tellTerms,
  print: () => ['They are announced, and everybody is told by mail.'],
});

const listVersions = command({
  words: 'terms list',
  sentence: 'Lists the terms of service by the dates on which they take effect.',
  read: () => ({}),
  operation: listTerms,
  print: (versions) =>
    versions.length === 0
      ? ['There are no terms of service.']
      : versions.map(({ day, isInForce, toldAt }) =>
          [dateOfDay(day), ...(isInForce ? ['in force'] : []), ...(toldAt === undefined ? [] : ['told'])].join('  '),
        ),
});

function written(flags: FlagValues): { text: string; isHtml: boolean } {
  const path = text(flags, 'file') ?? '';
  const content = contentOf(path).toString('utf8');
  const { documentCharactersMax } = instanceLimits;
  if (content.length > documentCharactersMax)
    throw new UsageError(`${path} is too long: at most ${documentCharactersMax} characters.`);
  return { text: content, isHtml: /^\.html?$/i.test(extname(path)) };
}

export const documentCommands = [add, change, remove, list, write, takeBack, publish, withdraw, tell, listVersions];
