/** The InteractionRequest entity of GoToSocial's API: somebody asks for consent to a reply. */
import { z } from 'zod';
import { AccountEntity } from './account.ts';
import { UserStatusEntity } from './status-schema.ts';
import { id, time, url } from './values.ts';

export const InteractionRequestEntity = z
  .strictObject({
    id,
    /** Everybody may favourite and boost: only replies are asked for. */
    type: z.literal('reply'),
    created_at: time,
    account: AccountEntity,
    /** What is answered. */
    status: UserStatusEntity,
    reply: UserStatusEntity,
    /** One of them in the answer to a decision; absent for what waits. */
    accepted_at: time.optional(),
    rejected_at: time.optional(),
    /** The proof of consent, for other servers. */
    uri: url.optional(),
  })
  .meta({ id: 'InteractionRequest' });
