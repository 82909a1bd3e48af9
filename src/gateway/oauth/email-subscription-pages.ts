/**
 * The pages of subscriptions by mail: the form of a profile, and the links of mails, which confirm one or end it. Each has a
 * button for people; programs of mail send the last form without it (RFC 8058). They work without a session: who has the link
 * may do it, and nothing else.
 */
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import {
  confirmEmailSubscription,
  endEmailSubscription,
  subscribeByEmail,
  subscriptionTokenOf,
} from '../../operations/email-subscriptions/subscribe-by-email.ts';
import { subscriptionPaths } from '../../outbound/mail/contents/subscription-contents.ts';
import { Failure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { MailTokenPurpose } from '../../services/mail-tokens.ts';
import type { Services } from '../../services/services.ts';
import type { RawContext } from '../http/context.ts';
import { html, pageAnswer } from '../pages/page.ts';
import { wordsFor } from '../pages/words-for.ts';
import { rawRoute } from '../route.ts';
import { failedPage, formFields, queryFields } from './forms.ts';
import { oauthLimits } from './limits.ts';
import { visitorContext } from './own-form.ts';

const common = { failed: failedPage, bodyBytesMax: oauthLimits.formBytesMax } as const;

const subscribe = rawRoute<Services>({
  ...common,
  method: 'POST',
  path: '/email_subscriptions',
  async handler(context) {
    const { request, services } = context;
    const fields = formFields(context);
    const accountId = parseId(fields.get('account') ?? '');
    if (accountId === undefined) throw new Failure('notFound');
    const words = wordsFor(services, request, undefined);
    const email = fields.get('email') ?? '';
    await subscribeByEmail(visitorContext(context), { accountId, email, locale: words.language.code });
    return answer(context, accountId, 'asked');
  },
});

const confirmation = linkPages(
  'confirm a subscription',
  subscriptionPaths.confirm,
  'confirm',
  confirmEmailSubscription,
);
const ending = linkPages('end a subscription', subscriptionPaths.end, 'end', endEmailSubscription);

export const emailSubscriptionPages = [subscribe, ...confirmation, ...ending];

/** A question, and what its button does. */
function linkPages(
  purpose: MailTokenPurpose,
  path: string,
  name: 'confirm' | 'end',
  operation: typeof confirmEmailSubscription,
) {
  const show = rawRoute<Services>({
    ...common,
    method: 'GET',
    path,
    async handler(context) {
      const { services, request } = context;
      const token = tokenOf(context);
      const { accountId } = await subscriptionTokenOf(services, purpose, token);
      const words = wordsFor(services, request, undefined);
      const { title, question, button } = words.people.subscribing[name];
      const body = html`<p>${question({ account: handleOf(services, accountId) })}</p>
<form method="post" action="${path}?${new URLSearchParams({ token }).toString()}">
<button type="submit">${button}</button>
</form>`;
      return pageAnswer({ words, title, body });
    },
  });
  const perform = rawRoute<Services>({
    ...common,
    method: 'POST',
    path,
    async handler(context) {
      const { accountId } = await operation(visitorContext(context), { token: tokenOf(context) });
      return answer(context, accountId, name);
    },
  });
  return [show, perform];
}

function answer({ services, request }: RawContext<Services>, accountId: Id, what: 'asked' | 'confirm' | 'end') {
  const words = wordsFor(services, request, undefined);
  const { title, done } = words.people.subscribing[what];
  const account = handleOf(services, accountId);
  const profile = findProfile(services.snapshots, accountId);
  const body = html`<p>${done({ account })}</p>
${profile !== undefined && html`<p><a href="/@${profile.username}">${account}</a></p>`}`;
  return pageAnswer({ words, title, body });
}

function handleOf({ snapshots, addresses }: Services, accountId: Id): string {
  const username = findProfile(snapshots, accountId)?.username ?? '';
  return `@${username}@${addresses.domain}`;
}

function tokenOf({ request }: RawContext<Services>): string {
  return queryFields(request.query).get('token') ?? '';
}
