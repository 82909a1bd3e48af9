import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  badgeAddress,
  icon192Address,
  icon512Address,
  iconAddress,
  iconToCutAddress,
  scriptAddress,
  staffScriptAddress,
  staffStyleAddress,
  styleAddress,
} from '../../../src/gateway/pages/assets.ts';
import { defaultPath, defaultPaths } from '../../../src/services/media/default-pictures.ts';
import { Site } from './site.ts';

const forEver = 'public, max-age=31536000, immutable';
const forAnHour = 'public, max-age=3600';

test('crawlers are told where not to go, and those that train models to stay away', async () => {
  const { stranger } = new Site();
  const { status, headers, html: text } = await stranger.ask('/robots.txt');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('cache-control')).toBe(forAnHour);
  const groups = text.trim().split(/\n\n+/);
  expect(groups.map((group) => group.split('\n').filter((line) => !line.startsWith('#')))).toEqual([
    ['User-agent: GPTBot', 'Disallow: /'],
    ['User-agent: *', 'Disallow: /media_proxy/', 'Disallow: /interact/', 'Disallow: /web/'],
  ]);
});

test.each([
  ['the style', styleAddress, 'text/css; charset=utf-8', forEver],
  ['the script', scriptAddress, 'text/javascript; charset=utf-8', forEver],
  ['the style of staff', staffStyleAddress, 'text/css; charset=utf-8', forEver],
  ['the script of staff', staffScriptAddress, 'text/javascript; charset=utf-8', forEver],
  ['the script without its version', '/assets/app.js', 'text/javascript; charset=utf-8', forAnHour],
  ['the picture that apps show', '/assets/icon-192.png', 'image/png', forAnHour],
  ['the same for large places', '/assets/icon-512.png', 'image/png', forAnHour],
  ['the script of another version', '/assets/app.js?v=older', 'text/javascript; charset=utf-8', forAnHour],
  ['the picture of whoever has none', '/avatars/29.png', 'image/png', forEver],
  ['the header of whoever has none', '/headers/5.png', 'image/png', forEver],
  ['the icon of the app', icon192Address, 'image/png', forEver],
  ['its larger icon', icon512Address, 'image/png', forEver],
  ['the one that is cut', iconToCutAddress, 'image/png', forEver],
  ['its shape', badgeAddress, 'image/png', forEver],
  ['the icon that browsers ask for', '/favicon.ico', 'image/png', forAnHour],
])('%s may be kept as long as it stays the same', async (_, path, contentType, cacheControl) => {
  const { gateway } = new Site();
  const response = await gateway.fetch(path);
  const body = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(contentType);
  expect(response.headers.get('cache-control')).toBe(cacheControl);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(body.subarray(1, 4).toString() === 'PNG').toBe(contentType === 'image/png');
  expect(body.length).toBeLessThan(64_000);
});

test.each(['visitor', 'member'])('what the first page of a %s loads is small on the wire', async (who) => {
  const site = new Site();
  const { gateway } = site;
  const { html: text } = await (who === 'member' ? await site.person('alice') : site.stranger).ask('/');
  const loaded = [styleAddress, scriptAddress, iconAddress].map(async (path) => {
    const response = await gateway.fetch(path);
    return gzipSync(new Uint8Array(await response.arrayBuffer())).length;
  });
  const bytes = (await Promise.all(loaded)).reduce((sum, count) => sum + count, gzipSync(text).length);
  expect(bytes).toBeLessThan(60_000);
});

/** What is where it is in every language: the point of a picture that matters. */
const placed = ['left: var(--x, 50%);'];

test('no style says left or right: a page in a language written from the right is its mirror image', async () => {
  const { gateway } = new Site();
  const answers = await Promise.all([styleAddress, staffStyleAddress].map((path) => gateway.fetch(path)));
  const styles = await Promise.all(answers.map((answer) => answer.text()));
  const lines = styles.flatMap((style) => style.replace(/\/\*[\s\S]*?\*\//g, '').split('\n'));
  const found = lines.map((line) => line.trim()).filter((line) => isSided(line) && !placed.includes(line));
  expect(found).toEqual([]);
  expect(lines.length).toBeGreaterThan(1_000);
});

test('no style says a word: the pages have them, in the language of their reader', async () => {
  const { gateway } = new Site();
  const answers = await Promise.all([styleAddress, staffStyleAddress].map((path) => gateway.fetch(path)));
  const styles = await Promise.all(answers.map((answer) => answer.text()));
  const contents = [...styles.join('\n').matchAll(/\bcontent: ([^;]*);/g)].map(([, content]) => content!);
  expect(contents.filter((content) => /"[^"]*\p{L}[^"]*"/u.test(content.replaceAll(/\\[0-9a-f]+/g, '')))).toEqual([]);
  expect(contents).toContain('attr(data-show)');
});

/** Also by four values of which those of the two sides differ. */
function isSided(line: string): boolean {
  if (/(?:^|[-\s])(?:left|right)\b/.test(line)) return true;
  const [, property, given = ''] = /^(margin|padding|inset|border-width|border-radius): (.*);$/.exec(line) ?? [];
  const [first, second, third, fourth] = given.split(/\s+(?![^(]*\))/);
  if (fourth === undefined) return property === 'border-radius' && second !== undefined && third !== undefined;
  return property === 'border-radius' ? first !== second || third !== fourth : second !== fourth;
}

test('every account without pictures has two of those that are there, always the same', async () => {
  const { gateway } = new Site();
  const sizes = { avatar: { width: 400, height: 400 }, header: { width: 1_500, height: 500 } };
  const found = new Set<string>();
  for (let number = 0n; number < 30n; number += 1n) {
    for (const kind of ['avatar', 'header'] as const) {
      const path = defaultPath(number << 6n, kind);
      expect(defaultPath((number << 6n) + 1n, kind)).toBe(path);
      if (found.has(path)) continue;
      found.add(path);
      const picture = Buffer.from(await (await gateway.fetch(path)).arrayBuffer());
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', ...sizes[kind] });
    }
  }
  expect([...found].sort()).toEqual([...defaultPaths].sort());
});
