/**
 * Who may reply to a status, as a parameter: `reply_approval_policy`, or the `interaction_policy` that clients of GoToSocial
 * send. Of that only replies count: everybody may favourite and boost.
 */
import { type ReplyPolicy, replyPolicies } from '../../../actors/account/statuses/reply-policy.records.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { choice, group, wordList } from '../../http/parameter-types.ts';

/** To be spread into an object schema. `always` and `with_approval` are older names of the lists. */
export const replyPolicyParameters = {
  reply_approval_policy: choice(replyPolicies),
  interaction_policy: group({
    can_reply: group({
      automatic_approval: wordList,
      always: wordList,
      manual_approval: wordList,
      with_approval: wordList,
    }),
  }),
};

interface Given {
  readonly reply_approval_policy?: ReplyPolicy | undefined;
  readonly interaction_policy?:
    | { readonly can_reply?: Readonly<Partial<Record<string, readonly string[] | undefined>>> | undefined }
    | undefined;
}

/** The author and whom a status mentions always may. */
const implied: ReadonlySet<string> = new Set(['author', 'me', 'mentioned']);

/** Throws Failure validation for what no policy here means. */
export function replyPolicyOf({ reply_approval_policy: policy, interaction_policy: given }: Given) {
  const reply = given?.can_reply;
  if (policy !== undefined || reply === undefined) return policy;
  const automatic = reply.automatic_approval ?? reply.always;
  const manual = reply.manual_approval ?? reply.with_approval ?? [];
  if (automatic === undefined && manual.length === 0) return undefined;
  if (automatic?.includes('public') === true) return 'public';
  const [wanted, ...more] = (automatic ?? []).filter((one) => !implied.has(one));
  const asking = manual.filter((one) => !implied.has(one));
  const isOpen = asking.includes('public');
  const found = replyPolicies.find((one) => one === named(wanted, isOpen));
  if (found === undefined || more.length > 0 || (asking.length > 0 && !isOpen))
    throw validationFailure('Interaction policy is not supported: replies are for everybody, followers, or following');
  return found;
}

/** Everybody else may ask where the policy is open. */
function named(automatic: string | undefined, isOpen: boolean): string {
  if (!isOpen) return automatic ?? 'mentioned';
  return automatic === undefined ? 'approved' : `${automatic}_or_approved`;
}
