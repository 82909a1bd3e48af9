import { expect, test } from 'vitest';
import { isClient } from '../../src/operations/applications/client-names.ts';

test.each([
  ['Elk', 'Elk', true],
  ['Elk (canary)', 'Elk', true],
  ['elk (dev)', 'Elk', true],
  ['Elkhorn', 'Elk', false],
  ['Phanpy (dev)', 'Phanpy', true],
  ['IceCubesApp', 'Ice Cubes', true],
  ['Ice Cubes', 'Ice Cubes', true],
  ['toot - a Mastodon CLI client', 'toot', true],
  ['Tooting', 'toot', false],
  ['SubwayTooter', 'Subway Tooter', true],
  ['tut-tui', 'Tut', true],
  ['Mastodon for Android', 'Mastodon for iOS', false],
  ['', 'Elk', false],
])('%s is %s: %s', (application, client, expected) => {
  expect(isClient(application, client)).toBe(expected);
});
