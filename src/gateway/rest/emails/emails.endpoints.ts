/** Whether the e-mail address of an account is confirmed, and another mail that asks for it. */
import { findLogin } from '../../../actors/account/profile/logins.queries.ts';
import { resendConfirmation } from '../../../operations/registration/confirm-email.ts';
import { Failure } from '../../../runtime/errors.ts';
import { EmptyEntity, flag } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

const checkConfirmation = endpoint({
  method: 'GET',
  path: '/api/v1/emails/check_confirmation',
  authentication: 'user',
  admitsUnconfirmed: true,
  admitsMoved: true,
  summary: 'Whether the e-mail address of the user is confirmed.',
  answer: flag,
  handler: ({ services, grant }) => json(findLogin(services.snapshots, grant.accountId)?.confirmed === true),
});

const alreadyConfirmed = 'This method is only available while the e-mail is awaiting confirmation';
const noMail = 'This server sends no mail: its staff confirms addresses';

const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/v1/emails/confirmations',
  authentication: 'user',
  admitsUnconfirmed: true,
  admitsMoved: true,
  summary: 'Requests another mail with the link that confirms the e-mail address.',
  answer: EmptyEntity,
  /** Throws Failure forbidden for an address that is confirmed, and where no mail is sent. */
  async handler(context) {
    const { services, grant } = context;
    if (findLogin(services.snapshots, grant.accountId)?.confirmed === true)
      throw new Failure('forbidden', { text: alreadyConfirmed });
    if (!services.mail.isOn) throw new Failure('forbidden', { text: noMail });
    await resendConfirmation(context, {});
    return empty();
  },
});

export const emailEndpoints = [checkConfirmation, sendConfirmation];
