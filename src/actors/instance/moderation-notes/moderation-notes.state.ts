/** The keyspace of notes of moderators: 66. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { instanceLimits } from '../limits.ts';
import { ModerationNote, type Noted } from './moderation-notes.records.ts';

export const moderationNotes = keyspace<[string, string, bigint], ModerationNote>({
  number: 66,
  name: 'moderation notes',
  owner: 'instance',
  absentIfDamaged: true,
  scopeParts: 2,
  key: [hashedString('instance'), hashedString('about what'), id('note')],
  value: record(ModerationNote),
  bound: { by: 'count', entries: instanceLimits.moderationNotesMax },
});

export function nameOfNoted({ kind, id: of }: Noted): string {
  return `${kind} ${of}`;
}
