/** Reads notes of moderators. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { instanceKey } from '../instance.messages.ts';
import type { ModerationNote, Noted } from './moderation-notes.records.ts';
import { moderationNotes, nameOfNoted } from './moderation-notes.state.ts';

export interface StoredNote extends ModerationNote {
  readonly id: Id;
}

/** Oldest first. */
export function moderationNotesAbout(reader: Reader, about: Noted): StoredNote[] {
  const range = reader.range(moderationNotes, [instanceKey, nameOfNoted(about)]);
  return Array.from(range, ({ key, value }) => ({ id: key[2], ...value }));
}

export function findModerationNote(reader: Reader, about: Noted, noteId: Id): StoredNote | undefined {
  const found = reader.get(moderationNotes, [instanceKey, nameOfNoted(about), noteId]);
  return found && { id: noteId, ...found };
}
