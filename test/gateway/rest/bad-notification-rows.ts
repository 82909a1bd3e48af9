/** Invalid requests about grouped notifications, the policy, notification requests and push subscriptions. */
import type { Answered } from '../../support/asking.ts';
import { asked, invalid, notFound, type Row, read, refused, unknownIds, write } from './bad-asking.ts';
import { subscription } from './push-keys.ts';

const version2 = (path: string, parameters?: unknown, method = parameters === undefined ? 'GET' : 'POST') =>
  asked.town.ask(asked.town.people.bob, method, `/api/v2/notifications${path}`, parameters);
const policy = (parameters: unknown, method = 'PATCH') => version2('/policy', parameters, method);
const push = (changes: object): Promise<Answered> =>
  write('push/subscription', { subscription: { ...subscription, ...changes } });

export const notificationRows: Row[] = [
  [
    'groups with accounts in a form that there is not',
    422,
    invalid('Expand accounts is not included in the list'),
    () => version2('?expand_accounts=some'),
  ],
  ...['word', 'favourite-1', 'ungrouped-5', 'follow-99999999999'].flatMap((key): Row[] => [
    [`the group ${key}`, 404, notFound, () => version2(`/${key}`)],
    [`the accounts of ${key}`, 404, notFound, () => version2(`/${key}/accounts`)],
  ]),
  ...['PATCH', 'PUT'].map(
    (method): Row => [
      `a policy that there is not, by ${method}`,
      422,
      invalid('For bots is not included in the list'),
      () => policy({ for_not_following: 'drop', for_bots: 'some' }, method),
    ],
  ),
  ['a policy that is a list', 422, invalid('For bots is invalid'), () => policy({ for_bots: ['drop'] })],
  ['the removed policy', 404, notFound, () => read('notifications/policy')],
  ['a change of the removed policy', 404, notFound, () => write('notifications/policy', {}, 'PUT')],
  ...unknownIds.flatMap((id): Row[] => [
    [`the notification request ${id}`, 404, notFound, () => read(`notifications/requests/${id}`)],
    [`the acceptance of ${id}`, 404, notFound, () => write(`notifications/requests/${id}/accept`)],
    [`the dismissal of the request ${id}`, 404, notFound, () => write(`notifications/requests/${id}/dismiss`)],
  ]),
  refused('no push subscription', () => read('push/subscription')),
  refused('a change of none', () => write('push/subscription', { policy: 'all' }, 'PUT')),
  [
    'a push subscription of nothing',
    400,
    'param is missing or the value is empty: subscription',
    () => write('push/subscription'),
  ],
  ['one without an address', 422, /[Ee]ndpoint can't be blank/, () => push({ endpoint: '' })],
  ...[
    'ftp://push.example/',
    'word',
    'https://user:secret@push.example/',
    `https://push.example/${'x'.repeat(3_000)}`,
  ].map(
    (endpoint): Row => [
      `one at ${endpoint.slice(0, 30)}`,
      422,
      invalid('Endpoint is not a valid URL'),
      () => push({ endpoint }),
    ],
  ),
  [
    'one with a key that is none',
    422,
    invalid('Key p256dh is invalid'),
    () => push({ keys: { ...subscription.keys, p256dh: 'x' } }),
  ],
  [
    'one with a secret that is none',
    422,
    invalid('Key auth is invalid'),
    () => push({ keys: { ...subscription.keys, auth: 'x' } }),
  ],
  [
    'one with a policy that there is not',
    422,
    /Policy is not included in the list/,
    () => write('push/subscription', { subscription, policy: 'some' }),
  ],
];
