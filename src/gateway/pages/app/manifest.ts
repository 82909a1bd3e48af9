/** GET /manifest.webmanifest: the pages as an app that can be installed (W3C Web Application Manifest). */
import type { GatewayServices } from '../../gateway-services.ts';
import { bytes } from '../../http/answers.ts';
import { rawRoute } from '../../route.ts';
import { icon192Address, icon512Address, iconAddress, iconToCutAddress } from '../assets.ts';
import { type Visit, visitWithoutForms } from '../visit.ts';
import { colours } from './colours.ts';

/** Browsers ask for it without cookies: it is in the language that they ask for. */
const headers = { 'Cache-Control': 'no-cache', Vary: 'Accept-Language, Cookie' };

export const manifestRoute = rawRoute<GatewayServices>({
  method: 'GET',
  path: '/manifest.webmanifest',
  handler: (context) =>
    bytes(JSON.stringify(manifestOf(visitWithoutForms(context, undefined))), {
      contentType: 'application/manifest+json; charset=utf-8',
      headers,
    }),
});

function manifestOf({ settings, words }: Visit) {
  const { site, notifications } = words;
  const { code, direction } = words.language;
  const icons = [{ src: icon192Address, sizes: '192x192', type: 'image/png' }];
  const shortcut = (name: string, url: string) => ({ name, url, icons });
  return {
    id: '/',
    name: settings.title,
    short_name: settings.title,
    description: settings.description === '' ? site.defaultDescription : settings.description,
    lang: code,
    dir: direction,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: colours.light,
    background_color: colours.light,
    categories: ['social'],
    icons: [
      { src: iconAddress, sizes: 'any', type: 'image/svg+xml' },
      ...icons,
      { src: icon512Address, sizes: '512x512', type: 'image/png' },
      { src: iconToCutAddress, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      shortcut(site.shortcuts.write, '/share'),
      shortcut(notifications.title, '/notifications'),
      shortcut(notifications.conversations.title, '/conversations'),
      shortcut(site.search, '/web/find'),
    ],
    share_target: { action: '/share', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
  };
}
