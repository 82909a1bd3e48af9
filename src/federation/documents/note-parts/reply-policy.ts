/**
 * Who may reply to a Note (interaction policies of GoToSocial). It is written together with who may quote it, which every
 * Note says.
 */
import type { NotePart } from '../note-part.ts';
import { type RemoteApproval, readApproval } from '../read-quote.ts';

interface ReplyPolicyOfNote {
  /** Undefined for everybody. */
  readonly replyApproval: RemoteApproval | undefined;
}

export const replyPolicyOfNote: NotePart<ReplyPolicyOfNote> = {
  read: (object) => ({ replyApproval: readApproval(object, 'canReply') }),
  write: () => ({}),
  context: {
    terms: {
      canReply: { '@id': 'gts:canReply', '@type': '@id' },
      manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
    },
    isIn: ({ replyApproval }) => replyApproval !== undefined,
  },
};
