/** Notes of moderators. Message numbers 522 and 523 of the instance. */
import { z } from 'zod';
import { call } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { audited } from '../../audit.records.ts';
import { ModerationNote, Noted } from './moderation-notes.records.ts';

const named = z.object({ noteId: identifier });
/** `name`: of what it is about, for the audit log. */
const about = { about: Noted, name: z.string(), ...audited };

export const moderationNoteMessages = {
  /** Throws Failure validation above the bound. */
  addModerationNote: call(522, ModerationNote.pick({ text: true, byId: true }).extend(about), named),
  /** Throws Failure notFound. */
  removeModerationNote: call(523, named.extend(about), z.undefined()),
};
