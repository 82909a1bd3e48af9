/** Commands about the notes of moderators: about accounts, reports and other servers. */
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import type { StoredNote } from '../../../actors/instance/moderation-notes/moderation-notes.queries.ts';
import { accountNotes, reportNotes, serverNotes } from '../../../operations/administration/moderation-notes.ts';
import type { OperatorCaller } from '../../../operations/caller.ts';
import type { OperationContext } from '../../../operations/operation.ts';
import { parseId } from '../../../runtime/ids.ts';
import { acctOf } from '../../entities/account.ts';
import { type Command, command } from './command.ts';
import { asOneLine, text, UsageError } from './reading.ts';

const kinds = [
  { words: 'accounts notes', argument: 'NAME', what: 'an account, here or elsewhere', notes: accountNotes },
  { words: 'reports notes', argument: 'ID', what: 'a report', notes: reportNotes },
  { words: 'domains notes', argument: 'DOMAIN', what: 'another server', notes: serverNotes },
] as const;

type Notes = (typeof kinds)[number]['notes'];

interface SignedNote extends StoredNote {
  readonly author: string;
}

/** With the names of their authors, which the command line has no other way to find. */
function signed({ list }: Notes) {
  const run = (context: OperationContext<OperatorCaller>, given: Parameters<Notes['list']>[1]): SignedNote[] =>
    list(context, given).map((note) => {
      const profile = note.byId === undefined ? undefined : findProfile(context.services.snapshots, note.byId);
      const isHere = note.byId !== undefined;
      return { ...note, author: profile !== undefined ? `@${acctOf(profile)}` : isHere ? 'somebody' : 'command-line' };
    });
  return Object.assign(run, { input: list.input, audit: list.audit });
}

/** As the socket takes it. */
function noteOf(given = ''): string {
  if (parseId(given) === undefined) throw new UsageError(`NOTE must be the number of a note, not ${given}.`);
  return given;
}

function commandsOf({ words, argument, what, notes }: (typeof kinds)[number]): Command[] {
  return [
    command({
      words: `${words} list`,
      argument,
      sentence: `Lists the notes of moderators about ${what}, oldest first.`,
      read: (about) => ({ about }),
      operation: signed(notes),
      print: (found) => (found.length === 0 ? ['There are no notes.'] : found.map(lineOf)),
    }),
    command({
      words: `${words} add`,
      argument,
      flags: { text: { value: 'TEXT', required: true, sentence: 'What the moderators should know.' } },
      sentence: `Writes a note about ${what}, which only moderators see.`,
      read: (about, flags) => ({ about, text: text(flags, 'text') ?? '' }),
      operation: notes.add,
      print: ({ id }) => [`Added the note ${id}.`],
    }),
    command({
      words: `${words} remove`,
      argument: [argument, 'NOTE'],
      sentence: `Removes a note about ${what}.`,
      read: (about, _flags, note) => ({ about, noteId: noteOf(note) }),
      operation: notes.remove,
      print: (_removed, { noteId }) => [`Removed the note ${noteId}.`],
    }),
  ];
}

function lineOf({ id, at, author, text: said }: SignedNote): string {
  const time = new Date(at).toISOString();
  return `${id}  ${time}  ${author}: ${asOneLine(said, instanceLimits.moderationNoteCharactersMax)}`;
}

export const moderationNoteCommands = kinds.flatMap(commandsOf);
