import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  activityAccept,
  fetchActivityDocument,
  isActivityType,
  isSameDocument,
} from '../../src/federation/fetch-activity-document.ts';
import {
  answerJson,
  createTestNetwork,
  type RemoteHost,
  startRemoteHost,
  type TestNetwork,
} from '../outbound/fetcher/remote-host.ts';

let network: TestNetwork;
let away: RemoteHost;
let evil: RemoteHost;

beforeEach(async () => {
  network = createTestNetwork({ policy: { isRefusedHost: (host) => host === 'home.example' } });
  const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();
  [away, evil] = await Promise.all([startRemoteHost(nothing), startRemoteHost(nothing)]);
});

afterEach(async () => {
  await network.connections.close();
  await Promise.all([away.close(), evil.close()]);
});

/** Serves documents by path; a string is a redirect. */
function serve(remote: RemoteHost, paths: Record<string, object | string>): void {
  remote.answer((request, response) => {
    const found = paths[request.url ?? ''];
    if (found === undefined) response.writeHead(404).end();
    else if (typeof found === 'string') response.writeHead(302, { location: found }).end();
    else answerJson(response, found);
  });
}

const fetchDocument = (url: string) => fetchActivityDocument(network.fetcher, { url });

describe('a document is taken', () => {
  it('from the URL that it names as its id', async () => {
    const alice = { id: `${away.origin}/users/alice`, type: 'Person' };
    serve(away, { '/users/alice': alice });
    expect(await fetchDocument(`${away.origin}/users/alice#main-key`)).toEqual({
      ok: true,
      id: alice.id,
      document: alice,
    });
    expect(away.requests[0]!.headers.accept).toBe(activityAccept);
    expect(away.requests).toHaveLength(1);
  });

  it.each([
    ['a trailing slash', '/users/alice', '/users/alice/'],
    ['a fragment in the id', '/note', '/note#it'],
  ])('that differs from its id by %s', async (_name, path, idPath) => {
    serve(away, { [path]: { id: away.origin + idPath } });
    expect((await fetchDocument(away.origin + path)).ok).toBe(true);
    expect(away.requests).toHaveLength(1);
  });

  it('from its id, when it was found elsewhere', async () => {
    const alice = { id: `${away.origin}/users/alice` };
    serve(away, { '/@alice': { ...alice, preliminary: true }, '/users/alice': alice });
    expect(await fetchDocument(`${away.origin}/@alice`)).toEqual({ ok: true, id: alice.id, document: alice });
    expect(away.requests.map(({ url }) => url)).toEqual(['/@alice', '/users/alice']);
  });

  it('behind a redirect that ends at its id, also at another host', async () => {
    serve(away, { '/@alice': `${evil.origin}/users/alice` });
    serve(evil, { '/users/alice': { id: `${evil.origin}/users/alice` } });
    expect(await fetchDocument(`${away.origin}/@alice`)).toMatchObject({ ok: true, id: `${evil.origin}/users/alice` });
  });

  it('behind a redirect of its id within the host', async () => {
    serve(away, { '/note': '/note.json', '/note.json': { id: `${away.origin}/note` } });
    expect((await fetchDocument(`${away.origin}/note`)).ok).toBe(true);
    expect(away.requests).toHaveLength(2);
  });

  it('from the true host, when another one shows a copy', async () => {
    const note = { id: `${away.origin}/note`, content: 'true' };
    serve(evil, { '/copy': { ...note, content: 'false' } });
    serve(away, { '/note': note });
    expect(await fetchDocument(`${evil.origin}/copy`)).toMatchObject({ ok: true, document: note });
  });
});

describe('a document is refused', () => {
  it('that another host serves through an open redirect', async () => {
    serve(away, { '/go': `${evil.origin}/forged` });
    serve(evil, { '/forged': { id: `${away.origin}/go`, attributedTo: `${away.origin}/users/alice` } });
    expect(await fetchDocument(`${away.origin}/go`)).toMatchObject({
      ok: false,
      kind: 'invalid',
      detail: 'the document is not found under its id',
    });
  });

  it('that points from id to id', async () => {
    serve(away, {
      '/1': { id: `${away.origin}/2` },
      '/2': { id: `${away.origin}/3` },
      '/3': { id: `${away.origin}/3` },
    });
    expect(await fetchDocument(`${away.origin}/1`)).toMatchObject({ ok: false, kind: 'invalid' });
    expect(away.requests).toHaveLength(2);
  });

  it('that claims an id of ours', async () => {
    serve(away, { '/note': { id: 'http://home.example/note' } });
    expect(await fetchDocument(`${away.origin}/note`)).toMatchObject({ ok: false, kind: 'blocked' });
  });

  it('whose id does not exist', async () => {
    serve(away, { '/note': { id: `${away.origin}/gone` } });
    expect(await fetchDocument(`${away.origin}/note`)).toMatchObject({ ok: false, kind: 'notFound' });
  });

  it.each([
    ['without an id', '{"type":"Note"}', 'application/activity+json'],
    ['with an id that is no URL', '{"id":"urn:uuid:1"}', 'application/activity+json'],
    ['with several ids', '{"id":["https://a.example/"]}', 'application/activity+json'],
    ['that is a list', '[]', 'application/activity+json'],
    ['that is not JSON', '<p>', 'application/activity+json'],
    ['nested too deep', `{"id":${'['.repeat(32)}${']'.repeat(32)}}`, 'application/activity+json'],
    ['of plain JSON type', '{"id":"ITSELF"}', 'application/json'],
    ['of HTML type', '{"id":"ITSELF"}', 'text/html'],
    ['of JSON-LD type without profile', '{"id":"ITSELF"}', 'application/ld+json'],
    ['of no type', '{"id":"ITSELF"}', ''],
  ])('%s', async (_name, body, contentType) => {
    const url = `${away.origin}/note`;
    away.answer((_request, response) => {
      response
        .writeHead(200, contentType === '' ? {} : { 'content-type': contentType })
        .end(body.replace('ITSELF', url));
    });
    expect(await fetchDocument(url)).toMatchObject({ ok: false, kind: 'invalid' });
  });

  it('that is larger than the caller wants', async () => {
    serve(away, { '/note': { id: `${away.origin}/note`, content: 'x'.repeat(1_000) } });
    const request = { url: `${away.origin}/note`, bytesMax: 500 };
    expect(await fetchActivityDocument(network.fetcher, request)).toMatchObject({ ok: false, kind: 'invalid' });
  });
});

it.each([
  ['application/activity+json', true],
  ['Application/Activity+JSON; charset=utf-8', true],
  ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', true],
  ['application/ld+json; charset=utf-8; profile=https://www.w3.org/ns/activitystreams', true],
  ['application/ld+json;profile="https://a.example/ https://www.w3.org/ns/activitystreams"', true],
  ['application/ld+json; profile="https://a.example/"', false],
  ['application/ld+json', false],
  ['application/activity+jsonx', false],
  ['text/html; x="application/activity+json"', false],
  ['', false],
])('content type %s: %s', (contentType, expected) => {
  expect(isActivityType(contentType)).toBe(expected);
});

it.each([
  ['https://a.example/1', 'https://a.example/1', true],
  ['https://a.example/1', 'https://A.example.:443/1/#x', true],
  ['https://a.example/1', 'https://a.example/2', false],
  ['https://a.example/1', 'http://a.example/1', false],
  ['https://a.example/1', 'https://a.example:8443/1', false],
  ['https://a.example/1', 'https://a.example/1?a', false],
  ['https://a.example/a', 'https://a.example/A', false],
  ['nonsense', 'https://a.example/', false],
  ['nonsense', 'other', false],
])('%s and %s: %s', (one, other, expected) => {
  expect(isSameDocument(one, other)).toBe(expected);
});
