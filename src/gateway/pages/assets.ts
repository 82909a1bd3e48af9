/**
 * The assets of pages: the style sheet, the script, the built-in pictures and what crawlers read, from files in assets/.
 * An address that contains the hash of its content may be cached for ever, and so may the default pictures of accounts.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { assetFile } from '../../options/project-files.ts';
import { defaultPaths } from '../../services/media/default-pictures.ts';
import type { Services } from '../../services/services.ts';
import { bytes } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { rawRoute } from '../route.ts';
import { webLimits } from './limits.ts';

interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Hash of the content: changed content has another address. */
  readonly version: string;
}

function asset(path: string, files: readonly string[], contentType: string, library?: string): Asset {
  const own = files.map(assetFile);
  const all = library === undefined ? own : [library, ...own];
  const content = Buffer.concat(all.map((file) => readFileSync(file)));
  return { path, contentType, content, version: hash('sha256', content, 'base64url').slice(0, 12) };
}

/** In this order: later rules win over earlier ones. */
const styleFiles = [
  ...['base.css', 'frame.css', 'columns.css', 'people.css', 'profiles.css', 'lists.css', 'notifications.css'],
  ...['posts.css', 'previews.css', 'media.css', 'post-actions.css', 'threads.css', 'polls.css'],
  ...['writing.css', 'emojis.css', 'attachments.css', 'settings.css', 'shortcuts.css'],
];

const style = asset('/assets/style.css', styleFiles, 'text/css; charset=utf-8');
/** One module: they share what the first one declares. */
const scriptFiles = [
  'app.js',
  'times.js',
  'gallery.js',
  'attachments.js',
  'completion.js',
  'emojis.js',
  'reading.js',
  'opening.js',
  'scrolling.js',
  'searching.js',
  'drafts.js',
  'shortcuts.js',
  'installed.js',
  'copying.js',
];

const scriptType = 'text/javascript; charset=utf-8';
const script = asset('/assets/app.js', scriptFiles, scriptType);
/** What only the pages of staff need. */
const staffStyle = asset('/assets/staff.css', ['staff.css'], 'text/css; charset=utf-8');
const staffScript = asset('/assets/staff.js', ['staff.js'], scriptType);

/** One file of the package, which declares a global object also where it is part of a module. */
const webauthn = join(
  dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
);
const passkeys = asset('/assets/passkeys.js', ['passkeys.js'], scriptType, webauthn);
const crop = asset('/assets/crop.js', ['crop.js'], scriptType);
const push = asset('/assets/push.js', ['push.js'], scriptType);
const icon = asset('/assets/icon.svg', ['icon.svg'], 'image/svg+xml');
/** Of the installed app: browsers ask for pictures of points for some places, and cut the last one as they like. */
const icon192 = asset('/assets/icon-192.png', ['icon-192.png'], 'image/png');
const icon512 = asset('/assets/icon-512.png', ['icon-512.png'], 'image/png');
const iconToCut = asset('/assets/icon-maskable.png', ['icon-maskable.png'], 'image/png');
/** Its shape alone, for the bars of phones. */
const badge = asset('/assets/badge.png', ['badge.png'], 'image/png');
const robots = asset('/robots.txt', ['robots.txt'], 'text/plain; charset=utf-8');
const picture = asset('/favicon.ico', ['icon.png'], 'image/png');
const ofAccounts = defaultPaths.map((path) => asset(path, [path], 'image/png'));

function addressOf({ path, version }: Asset): string {
  return `${path}?v=${version}`;
}

/** Addresses for pages, including the version. */
export const styleAddress = addressOf(style);
export const scriptAddress = addressOf(script);
export const staffStyleAddress = addressOf(staffStyle);
export const staffScriptAddress = addressOf(staffScript);
/** For pages with passkeys only. */
export const passkeysAddress = addressOf(passkeys);
/** For the page with the pictures of a profile. */
export const cropAddress = addressOf(crop);
/** For the page on which push messages are asked for. */
export const pushAddress = addressOf(push);
export const iconAddress = addressOf(icon);
export const icon192Address = addressOf(icon192);
export const icon512Address = addressOf(icon512);
export const iconToCutAddress = addressOf(iconToCut);
export const badgeAddress = addressOf(badge);

/** Entities of accounts have these addresses; their content never changes. */
const fixed: ReadonlySet<Asset> = new Set(ofAccounts);

const forEver = `public, max-age=${webLimits.assetAgeSeconds}, immutable`;
const forAWhile = `public, max-age=${webLimits.unversionedAssetAgeSeconds}`;

function assetRoute(one: Asset) {
  const versioned = `v=${one.version}`;
  return rawRoute<Services>({
    method: 'GET',
    path: one.path,
    handler({ request }: RawContext<Services>) {
      const cacheControl = fixed.has(one) || request.query === versioned ? forEver : forAWhile;
      const headers = { 'Cache-Control': cacheControl };
      return bytes(one.content, { contentType: one.contentType, headers, isKept: true });
    },
  });
}

const icons = [icon, icon192, icon512, iconToCut, badge, picture];
const assets = [style, script, staffStyle, staffScript, passkeys, crop, push, ...icons, robots, ...ofAccounts];
export const assetRoutes = assets.map(assetRoute);
