/** The proof that the author whom a Note answers agrees to it (interaction policies of GoToSocial). */
import type { NotePart } from '../note-part.ts';
import { consentOf } from '../reply-documents.ts';
import { referenceOf } from '../values.ts';

interface ConsentOfNote {
  readonly replyAuthorization: string | undefined;
}

export const consentOfNote: NotePart<ConsentOfNote> = {
  /** `approvedBy` is the name before version 0.20 of GoToSocial. */
  read: (object) => ({ replyAuthorization: referenceOf(object.replyAuthorization) ?? referenceOf(object.approvedBy) }),
  write(status, { reader, addresses }) {
    const replyAuthorization = consentOf(reader, addresses, status);
    return replyAuthorization === undefined ? {} : { properties: { replyAuthorization } };
  },
  context: {
    terms: { replyAuthorization: { '@id': 'gts:replyAuthorization', '@type': '@id' } },
    isIn: ({ replyAuthorization, needsConsent }) => replyAuthorization !== undefined || needsConsent === true,
  },
};
