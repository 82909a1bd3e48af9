/** The Admin::Note entity, our own: what a moderator wrote down about an account, a report or a server. */
import { z } from 'zod';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { StoredNote } from '../../../actors/instance/moderation-notes/moderation-notes.queries.ts';
import type { Services } from '../../../services/services.ts';
import { AccountEntity, accountEntity } from '../account.ts';
import { id, text, time, timestamp } from '../values.ts';

export const AdminNoteEntity = z
  .strictObject({
    id,
    content: text,
    created_at: time,
    /** Null for the command line, and for an account that is gone. */
    account: AccountEntity.nullable(),
  })
  .meta({ id: 'Admin.Note' });

export function adminNoteEntity(
  note: StoredNote,
  { snapshots, addresses }: Pick<Services, 'snapshots' | 'addresses'>,
): z.output<typeof AdminNoteEntity> {
  const author = note.byId === undefined ? undefined : findAccount(snapshots, note.byId);
  return {
    id: note.id.toString(),
    content: note.text,
    created_at: timestamp(note.at),
    account: author === undefined ? null : accountEntity(author, addresses),
  };
}
