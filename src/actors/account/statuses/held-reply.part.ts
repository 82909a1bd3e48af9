/** Whether a status waits for the consent of the author whom it answers, and the proof of that consent. */
import { z } from 'zod';
import { Destination } from '../../intents.ts';
import { statusPart } from '../../status-part.ts';
import { HeldReply } from './held-reply.records.ts';

/** The address at which the server of the author whom a reply answers says that it agrees; of local authors it derives. */
const proof = { replyAuthorization: z.string().optional() };
/** The author of the local status that it answers has said who may: other servers ask for the proof. */
const needsConsent = { needsConsent: z.boolean().optional() };

export const heldReplyPart = statusPart({
  stored: { heldReply: HeldReply.optional(), ...proof, ...needsConsent },
  /** The author of the parent has to be asked; `destination`: of a remote one, and the address of what is answered. */
  written: {
    ...needsConsent,
    asksToReply: z
      .object({
        to: z.object({ destination: Destination, uri: z.string(), byCreate: z.boolean().optional() }).optional(),
      })
      .optional(),
  },
  edit: {},
  received: { waitsForConsent: z.boolean().optional(), ...proof, ...needsConsent },
  version: {},
  ofReceivedEdit: ({ heldReply, replyAuthorization, needsConsent }, { replyAuthorization: received }) => ({
    heldReply,
    needsConsent,
    replyAuthorization: replyAuthorization ?? received,
  }),
});
