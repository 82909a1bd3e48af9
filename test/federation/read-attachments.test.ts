/** Attachments as other servers send them: which of several addresses, previews, durations, placeholders. */
import { expect, test } from 'vitest';
import { readAttachments, readFilm } from '../../src/federation/documents/read-attachments.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';

const at = (name: string) => `https://tube.example/${name}`;
const film = (height: number, size = 1_000) => ({
  type: 'Link',
  mediaType: 'video/mp4',
  href: at(`${height}.mp4`),
  height,
  size,
});
const page = { type: 'Link', mediaType: 'text/html', href: at('watch') };
const playlist = (...films: readonly JsonObject[]) => ({
  type: 'Link',
  mediaType: 'application/x-mpegURL',
  href: at('all.m3u8'),
  tag: [{ type: 'Infohash', name: 'x' }, ...films],
});

const links: [what: string, url: JsonObject['url'], chosen: string][] = [
  ['the sharpest up to 1080 lines', [page, film(480), film(1_080), film(2_160), film(720)], '1080.mp4'],
  ['the least sharp above that', [film(2_160), film(1_440)], '1440.mp4'],
  ['one that is not too large', [film(1_080, 500_000_000), film(720)], '720.mp4'],
  ['a film of a playlist', [page, playlist(film(360), film(720))], '720.mp4'],
  ['a plain address before a page', [page, at('plain.mp4')], 'plain.mp4'],
  ['the first of those that say nothing', [at('one'), at('two')], 'one'],
];

test.each(links)('of several addresses %s is taken', (_what, url, chosen) => {
  expect(readAttachments([{ type: 'Video', url }])).toMatchObject([{ url: at(chosen) }]);
});

test('a status that is a film is shown as one, with its picture and length; its name is no description', () => {
  const icon = [
    { type: 'Image', url: at('small.jpg'), width: 280 },
    { type: 'Image', url: at('large.jpg') },
  ];
  const video = { type: 'Video', name: 'A title', url: [page, film(720)], icon, duration: 'PT1H2M3S' };
  expect(readFilm(video)).toMatchObject([
    {
      type: 'video',
      url: at('720.mp4'),
      previewUrl: at('small.jpg'),
      duration: 3_723,
      description: undefined,
      height: 720,
    },
  ]);
  expect(readFilm({ ...video, url: [page] })).toMatchObject([{ type: 'image', url: at('small.jpg') }]);
  expect(readFilm({ ...video, type: 'Article' })).toMatchObject([{ type: 'image', url: at('small.jpg') }]);
});

const read = (more: JsonObject) => readAttachments([{ type: 'Document', url: at('a'), ...more }])[0];

test.each([
  ['PT5S', 5],
  ['PT1M30.25S', 90.25],
  ['P1DT1S', 86_401],
  ['PT0S', undefined],
  ['P1Y', undefined],
  ['5', undefined],
  [5, undefined],
])('the duration %s is %s', (duration, seconds) => {
  expect(read({ duration, mediaType: 'audio/mpeg' })?.duration).toBe(seconds);
});

test.each([
  [{ mediaType: 'image/png' }, 'image'],
  [{ mediaType: 'text/html' }, 'unknown'],
  [{ url: at('a.MP4?x=1') }, 'video'],
  [{ url: at('a.oga'), mediaType: 'application/octet-stream' }, 'audio'],
  [{ url: at('a.pdf') }, 'unknown'],
  [{ type: 'Audio' }, 'audio'],
])('%j is of the type %s', (more, type) => {
  expect(read(more)?.type).toBe(type);
});

test('a placeholder has at most 5 by 5 components', () => {
  const blurhash = (across: number, down: number) => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';
    return `${digits[across - 1 + (down - 1) * 9]}${'0'.repeat(3 + 2 * across * down)}`;
  };
  expect(read({ blurhash: blurhash(5, 5) })?.blurhash).toBe(blurhash(5, 5));
  expect(read({ blurhash: blurhash(6, 1) })?.blurhash).toBeUndefined();
  expect(read({ blurhash: blurhash(1, 6) })?.blurhash).toBeUndefined();
});
