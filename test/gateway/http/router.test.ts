import { describe, expect, test } from 'vitest';
import { patternNames, Router } from '../../../src/gateway/http/router.ts';

const patterns = [
  '/',
  '/api/v1/notifications/requests',
  '/api/v1/notifications/requests/:id',
  '/api/v1/notifications/:id',
  '/api/v1/notifications/:id/dismiss',
  '/api/v2/filters/:filter_id/keywords',
  '/api/v2/filters/keywords/:id',
  '/api/v2/filters/:id',
  '/@:name',
  '/@:name/:id',
  '/@@:odd',
  '/files/*path',
  '/files/list',
  '/document.json',
];

function routerOf(method: string, paths: readonly string[]): Router<string> {
  const router = new Router<string>();
  for (const path of paths) router.add(method, path, path);
  return router;
}

describe.each([
  ['as declared', patterns],
  ['the other way round', patterns.toReversed()],
])('patterns %s', (_order, paths) => {
  const router = routerOf('GET', paths);
  test.each<[string, string | undefined, string[]]>([
    ['/', '/', []],
    ['/api/v1/notifications/5', '/api/v1/notifications/:id', ['5']],
    ['/api/v1/notifications/5/', '/api/v1/notifications/:id', ['5']],
    ['/api/v1/notifications/requests', '/api/v1/notifications/requests', []],
    ['/api/v1/notifications/requests/', '/api/v1/notifications/requests', []],
    ['/api/v1/notifications/requests/5', '/api/v1/notifications/requests/:id', ['5']],
    ['/api/v1/notifications/requests/dismiss', '/api/v1/notifications/requests/:id', ['dismiss']],
    ['/api/v1/notifications/5/dismiss', '/api/v1/notifications/:id/dismiss', ['5']],
    ['/api/v1/notifications/', undefined, []],
    ['/api/v1/notifications', undefined, []],
    ['/api/v2/filters/keywords/7', '/api/v2/filters/keywords/:id', ['7']],
    ['/api/v2/filters/7/keywords', '/api/v2/filters/:filter_id/keywords', ['7']],
    ['/api/v2/filters/keywords', '/api/v2/filters/:id', ['keywords']],
    ['/@alice', '/@:name', ['alice']],
    ['/@alice/5', '/@:name/:id', ['alice', '5']],
    ['/@@alice', '/@@:odd', ['alice']],
    ['/@@alice/5', '/@:name/:id', ['@alice', '5']],
    ['/@', undefined, []],
    ['/files/a/b%2Fc.png', '/files/*path', ['a/b%2Fc.png']],
    ['/files/', '/files/*path', ['']],
    ['/files/list', '/files/list', []],
    ['/files/list/x', '/files/*path', ['list/x']],
    ['/api/v1/notifications/requests.json', '/api/v1/notifications/requests', []],
    ['/api/v1/notifications/5.json', '/api/v1/notifications/:id', ['5']],
    ['/@alice.json', '/@:name', ['alice']],
    ['/@alice/5.json', '/@:name/:id', ['alice', '5']],
    ['/@alice.json/5', '/@:name/:id', ['alice.json', '5']],
    ['/document.json', '/document.json', []],
    ['/files/list.json', '/files/list', []],
    ['/files/a.json', '/files/*path', ['a.json']],
    ['/@.json', '/@:name', ['.json']],
    ['/.json', '/', []],
    ['/nothing', undefined, []],
    ['//', '/', []],
    ['', undefined, []],
  ])('%s goes to %s', (path, target, values) => {
    const match = router.find('GET', path);
    expect(match?.target).toBe(target);
    expect(match?.values ?? []).toEqual(values);
  });
});

test('a path of one method does not hide that of another', () => {
  const router = routerOf('GET', ['/api/v1/notifications/:id']);
  router.add('POST', '/api/v1/notifications/clear', 'clear');
  expect(router.find('GET', '/api/v1/notifications/clear')?.target).toBe('/api/v1/notifications/:id');
  expect(router.methodsOf('/api/v1/notifications/clear').sort()).toEqual(['GET', 'POST']);
  expect(router.methodsOf('/nothing')).toEqual([]);
});

test.each(['/a', '/a/:id', '/a/*rest'])('%s cannot be declared twice', (pattern) => {
  const router = routerOf('GET', [pattern]);
  expect(() => router.add('GET', pattern, pattern)).toThrow(`GET ${pattern} is declared twice`);
  expect(() => router.add('POST', pattern, pattern)).not.toThrow();
});

test('a pattern begins with a slash, and its names are in order', () => {
  expect(() => routerOf('GET', ['a'])).toThrow('does not begin with a slash');
  expect(patternNames('/@:name/x/:id/*rest')).toEqual(['name', 'id', 'rest']);
});
