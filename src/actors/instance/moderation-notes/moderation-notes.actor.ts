/** Keeps notes of moderators. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import type { GivenAudit } from '../../audit.records.ts';
import { recordAudit } from '../../audit.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { moderationNoteMessages } from './moderation-notes.messages.ts';
import { moderationNotes, nameOfNoted } from './moderation-notes.state.ts';

type Body<Name extends keyof typeof moderationNoteMessages> = BodyOf<(typeof moderationNoteMessages)[Name]>;

export function addModerationNote(
  turn: InstanceTurn,
  { about, name, text, byId, audit }: Body<'addModerationNote'>,
): { noteId: Id } {
  const scope = [turn.self.key, nameOfNoted(about)] as const;
  if (countEntries(turn, moderationNotes, scope) >= instanceLimits.moderationNotesMax)
    throw validationFailure('There are too many notes: remove some first');
  const noteId = turn.nextId();
  turn.put(moderationNotes, [...scope, noteId], { text, at: turn.now, byId });
  recordAudit(turn, unconditional(audit), { targetId: about.id, name, after: { note: text } });
  return { noteId };
}

export function removeModerationNote(
  turn: InstanceTurn,
  { about, name, noteId, audit }: Body<'removeModerationNote'>,
): undefined {
  const key = [turn.self.key, nameOfNoted(about), noteId] as const;
  const before = turn.get(moderationNotes, [...key]);
  if (before === undefined) throw new Failure('notFound');
  turn.delete(moderationNotes, [...key]);
  recordAudit(turn, unconditional(audit), { targetId: about.id, name, before: { note: before.text } });
}

/** A note takes nothing away from what others have decided about the same thing. */
function unconditional(audit: GivenAudit | undefined): GivenAudit | undefined {
  return audit && { ...audit, known: undefined };
}
