/** The effect of announcements. Effect numbers are append-only over all actors: this file has 35. */
import { z } from 'zod';
import { effectType } from '../../../runtime/effects.ts';
import type { Id } from '../../../runtime/ids.ts';
import { identifier } from '../../account/account.records.ts';

const Slice = z.object({ announcementId: identifier, after: identifier.optional() });

/** Finds the accounts after one that get mails of announcements; `after`: the last one looked at, where there are more. */
export const findMailRecipients = effectType<
  z.infer<typeof Slice>,
  { announcementId: Id; accountIds: Id[]; after?: Id | undefined }
>(35, 'find mail recipients', Slice);
