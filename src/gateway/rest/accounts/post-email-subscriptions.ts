/** POST /api/v1/accounts/:id/email_subscriptions (behaviour of the Mastodon API: without a token, 404 unless it is offered). */
import { z } from 'zod';
import { subscribeByEmail } from '../../../operations/email-subscriptions/subscribe-by-email.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { acceptedLanguages } from '../../http/accept-language.ts';
import { empty } from '../../http/answers.ts';
import { id, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

export const postEmailSubscriptions = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/email_subscriptions',
  authentication: 'optional',
  parameters: z.object({ id, email: text }),
  summary: 'Sends a link to an address, which gets the public posts of a local account by mail once that is followed.',
  answer: EmptyEntity,
  async handler(context, { id: accountId, email = '' }) {
    const { services, request } = context;
    const { language } = services.languages.best(acceptedLanguages(request.header('accept-language')));
    await subscribeByEmail(context, { accountId, email, locale: language.code });
    return empty();
  },
});
