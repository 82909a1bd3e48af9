/** Who may reply to a status. */
import { replyApprovalOf } from '../../policy/replies.ts';
import { statusPart } from '../../status-part.ts';
import { Approval } from '../account.records.ts';
import { ReplyPolicy } from './reply-policy.records.ts';

/** Absent for everybody who may read it. */
const fields = { replyApproval: Approval.optional() };

export const replyPolicyPart = statusPart({
  stored: fields,
  written: fields,
  /** Undefined: unchanged. */
  edit: { replyPolicy: ReplyPolicy.optional() },
  received: fields,
  version: {},
  ofEdit: ({ replyApproval, visibility }, { replyPolicy }) => ({
    replyApproval: replyPolicy === undefined ? replyApproval : replyApprovalOf(replyPolicy, visibility),
  }),
  ofReceivedEdit: (_before, { replyApproval }) => ({ replyApproval }),
  silent: ['replyApproval'],
});
