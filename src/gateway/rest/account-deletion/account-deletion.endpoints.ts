/** The account of the user, deleted by its owner. No other server has an endpoint for it. */
import { z } from 'zod';
import { twoFactorOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import { deleteOwnAccount } from '../../../operations/leaving/delete-account.ts';
import type { Services } from '../../../services/services.ts';
import { AccountDeletionEntity } from '../../entities/account-deletion.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { required, text, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const path = '/api/murmuration/v1/account_deletion';

function answer({ services }: UserContext<Services>, takesCode: boolean, deletesAt?: number): Answer {
  return json({
    deletes_at: deletesAt === undefined ? null : new Date(deletesAt).toISOString(),
    delay_days: services.options.deletionDays,
    takes_code: takesCode,
  });
}

const takesCode = ({ services, grant }: UserContext<Services>) =>
  twoFactorOf(services.snapshots, grant.accountId) !== undefined;

const getDeletion = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:accounts'],
  admitsMoved: true,
  summary: 'Returns what deleting the account takes, and how long it can be taken back.',
  answer: AccountDeletionEntity,
  handler: (context) => answer(context, takesCode(context)),
});

const postDeletion = endpoint({
  method: 'POST',
  path,
  authentication: 'user',
  scopes: ['write:accounts'],
  admitsMoved: true,
  parameters: z.object({ password: required(text), code: textUpTo(64) }),
  summary:
    'Deletes the account of the user, once the delay is over in which its owner can take that back on the pages of the server. All tokens end at once.',
  answer: AccountDeletionEntity,
  async handler(context, { password, code = '' }) {
    const isGuarded = takesCode(context);
    const { deletesAt } = await deleteOwnAccount(context, { password, code, browser: '' });
    return answer(context, isGuarded, deletesAt);
  },
});

export const accountDeletionEndpoints = [getDeletion, postDeletion];
