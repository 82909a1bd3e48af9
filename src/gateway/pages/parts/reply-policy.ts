/** The field for who may reply to a post, and what is said to those who may not. */
import { type ReplyPolicy, replyPolicies } from '../../../actors/account/statuses/reply-policy.records.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { asksForFollow } from '../../../actors/policy/approval.ts';
import { permissionToReply } from '../../../operations/statuses/reply-permission.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Fields } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';

export function replyPolicySelect(
  { words }: Visit,
  name: string,
  chosen: ReplyPolicy | undefined,
  described?: Html,
): Html {
  return html`<select name="${name}"${described}>${replyPolicies.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${words.writing.replyPolicy[one]}</option>`,
  )}</select>`;
}

/** Undefined where none was chosen. */
export function replyPolicyIn(fields: Fields, name: string): ReplyPolicy | undefined {
  return replyPolicies.find((one) => one === fields.get(name));
}

/** Why the visitor may not reply; undefined for whoever may. */
export function replyRefusal({ services, account, words }: Visit, status: Status): string | undefined {
  const { replyApproval } = status;
  if (account === undefined || replyApproval === undefined) return undefined;
  if (permissionToReply(services, { status }, account.id) !== 'denied') return undefined;
  return asksForFollow(replyApproval) ? words.posts.onlySomeMayReply : words.posts.onlyMentionedMayReply;
}
