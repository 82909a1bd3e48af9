/** Whether the email address of an account is confirmed. The server sends no mail: staff confirm addresses. */
import { z } from 'zod';
import { findLogin } from '../../../actors/account/profile/logins.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { flag } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
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
  summary: 'Requests another confirmation mail; this server sends none.',
  answer: z.never(),
  handler({ services, grant }) {
    const isConfirmed = findLogin(services.snapshots, grant.accountId)?.confirmed === true;
    throw new Failure('forbidden', { text: isConfirmed ? alreadyConfirmed : noMail });
  },
});

export const emailEndpoints = [checkConfirmation, sendConfirmation];
