/** An edit that changes nothing but who may reply. */
import type { StatusHooks } from '../statuses/status-hooks.ts';
import { changeReplyPolicy } from './reply-policy.ts';

export const replyPolicyHooks: StatusHooks = {
  adjusted(turn, { id: statusId }, _after, { replyPolicy: policy }) {
    if (policy !== undefined) changeReplyPolicy(turn, { statusId, policy });
    return false;
  },
};
