/** The end of an account, as its owner decides it. */
import { z } from 'zod';
import { count, flag, time } from './values.ts';

export const AccountDeletionEntity = z.strictObject({
  /** When the account is deleted; null until its owner has decided that. */
  deletes_at: time.nullable(),
  /** How long that can be taken back, on the pages of the server. */
  delay_days: count,
  /** Whether the password alone is not enough. */
  takes_code: flag,
});
