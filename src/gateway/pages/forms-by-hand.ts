/**
 * The address of a form that was refused stays in the browser's address bar: opened again by hand, or from the history,
 * it leads to the page with the form.
 */
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import { type RawRoute, rawRoute } from '../route.ts';

/** By the path of the form. A parameter of the path is the same in both. */
const pages: Readonly<Record<string, string>> = {
  '/web/statuses': '/',
  '/web/media': '/',
  '/web/statuses/:id/redraft': '/',
  '/web/settings/profile': '/settings',
  '/web/settings/password': '/settings#password',
  '/web/settings/push': '/settings/push',
  '/web/settings/push/off': '/settings/push',
  '/web/settings/aliases': '/settings/moving#aliases',
  '/web/settings/move': '/settings/moving#move',
  '/web/security/app': '/settings/security/app',
  '/web/security/recovery-codes': '/settings/security#recovery',
  '/web/security/two-factor/disable': '/settings/security#disable',
  '/web/security/passkeys': '/settings/security#passkeys',
  '/web/security/passkeys/:id/name': '/settings/security/passkeys/:id',
  '/web/security/passkeys/:id/remove': '/settings/security/passkeys/:id',
  '/web/featured-tags': '/settings#featured-tags',
  '/web/home/read': '/',
  '/web/notifications/dismiss': '/notifications',
  '/web/notifications/policy': '/notifications/requests',
  '/web/lists': '/lists',
  '/web/lists/:id': '/lists/:id/settings',
  '/web/filters': '/filters',
  '/web/filters/:id': '/filters/:id',
  '/web/collections': '/collections',
  '/web/collections/:id/edit': '/collections/:id',
  '/web/collections/:id/items': '/collections/:id',
  '/web/scheduled/:id/time': '/scheduled',
};

export const formsByHand: readonly RawRoute<GatewayServices>[] = Object.entries(pages).map(([path, page]) =>
  formByHand(path, page),
);

export function formByHand(path: string, page: string): RawRoute<GatewayServices> {
  return rawRoute({
    method: 'GET',
    path,
    handler: ({ pathParameters }) => redirect(page.replace(':id', encodeURIComponent(pathParameters.id ?? '')), 303),
  });
}
