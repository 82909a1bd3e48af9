import { describe, expect, it } from 'vitest';
import { examineRequest, parseHttpDate } from '../../../src/outbound/signatures/examine-request.ts';
import { body, type Draft, keyId, now, ownHosts, signedRequest, withHeaders } from './requests.ts';

const minute = 60_000;
const second = now / 1000;
const postHeaders = '(request-target) host date digest';

function examine(draft: Draft, at = now) {
  const result = examineRequest(signedRequest(draft), { now: at, ownHosts });
  return result.ok ? 'passes' : result.refusal;
}

describe('what can be checked without a key', () => {
  it('gives the keyId to look up', () => {
    const result = examineRequest(signedRequest(), { now, ownHosts });
    expect(result.ok && result.signature.keyId).toBe(keyId);
  });

  it.each([
    ['host date digest', true],
    ['(request-target) date digest', false],
  ])('tells whether it is for this host: %s', (signedHeaders, isForHost) => {
    expect(examineRequest(signedRequest({ signedHeaders }), { now, ownHosts })).toMatchObject({ isForHost });
  });

  it.each<[string, Draft, string]>([
    ['a POST', {}, 'passes'],
    ['a GET', { method: 'GET' }, 'passes'],
    ['a POST with more covered', { signedHeaders: `${postHeaders} content-type` }, 'passes'],
    ['a POST without the request target, as its digest is covered', { signedHeaders: 'host date digest' }, 'passes'],
    ['a POST whose digest is not covered', { signedHeaders: '(request-target) host date' }, 'coverageTooSmall'],
    ['a POST without a covered host, as Mastodon takes it', { signedHeaders: 'date digest' }, 'passes'],
    ['a POST with its target and no host', { signedHeaders: '(request-target) date digest' }, 'passes'],
    ['a GET without a covered host', { method: 'GET', signedHeaders: '(request-target) date' }, 'coverageTooSmall'],
    ['a POST without a covered time', { signedHeaders: '(request-target) host digest' }, 'coverageTooSmall'],
    ['a GET of anything', { method: 'GET', signedHeaders: 'host date' }, 'coverageTooSmall'],
    ['a GET with the date alone', { method: 'GET', signedHeaders: 'date' }, 'coverageTooSmall'],
    ['a POST for another host', { headers: { host: 'other.example' } }, 'hostForeign'],
    ['a POST for our host in capitals', { headers: { host: 'HOME.example' } }, 'passes'],
    ['a POST for our host with the default port', { headers: { host: 'home.example:443' } }, 'passes'],
    ['a POST for another port', { headers: { host: 'home.example:8443' } }, 'hostForeign'],
    ['a POST with another body', { body: Buffer.from('{}') }, 'digestMismatch'],
    ['a POST whose body got lost', { body: undefined }, 'digestMismatch'],
    ['a POST with an unknown digest', { headers: { digest: 'MD5=abcd' } }, 'digestUnsupported'],
    ['a POST with a broken digest', { headers: { digest: '?' } }, 'digestMalformed'],
    ['a GET with a body and no digest', { method: 'GET', body }, 'coverageTooSmall'],
    ['a date in another form', { headers: { date: '2026-11-20T12:00:00Z' } }, 'dateInvalid'],
  ])('%s', (_name, draft, expected) => {
    expect(examine(draft)).toBe(expected);
  });

  it.each([
    [0, 'passes'],
    [65 * minute, 'passes'],
    [65 * minute + 1, 'dateOutsideWindow'],
    [-60 * minute, 'passes'],
    [-60 * minute - 1, 'dateOutsideWindow'],
  ])('a date %i ms old', (age, expected) => {
    expect(examine({}, now + age)).toBe(expected);
  });

  const created = (parameters: string): Draft => ({
    signedHeaders: '(request-target) host (created) digest',
    parameters,
  });
  const expiring = (parameters: string): Draft => ({
    signedHeaders: '(request-target) host (created) (expires) digest',
    parameters,
  });

  it.each<[string, Draft, string]>([
    ['created now', created(`algorithm="hs2019",created=${second}`), 'passes'],
    ['created now without an algorithm', created(`created=${second}`), 'passes'],
    ['created two hours ago', created(`created=${second - 7_200}`), 'dateOutsideWindow'],
    ['created in two hours', created(`created=${second + 7_200}`), 'dateOutsideWindow'],
    ['created covered but not said', created('algorithm="hs2019"'), 'dateInvalid'],
    ['created under rsa-sha256', created(`algorithm="rsa-sha256",created=${second}`), 'malformed'],
    ['a long life', expiring(`created=${second - 7_200},expires=${second + 60}`), 'passes'],
    ['a life over', expiring(`created=${second - 7_200},expires=${second - 7_000}`), 'dateOutsideWindow'],
    ['a life of days', expiring(`created=${second - 14 * 3_600},expires=${second + 86_400}`), 'dateOutsideWindow'],
    ['expires covered but not said', expiring(`created=${second}`), 'headerAbsent'],
    [
      'a long life that is not covered',
      created(`created=${second - 7_200},expires=${second + 60}`),
      'dateOutsideWindow',
    ],
  ])('%s', (_name, draft, expected) => {
    expect(examine(draft)).toBe(expected);
  });

  it.each([
    ['no signature', { signature: undefined }, 'unsigned'],
    ['a broken signature', { signature: 'keyId=' }, 'malformed'],
    ['no digest', { digest: undefined }, 'headerAbsent'],
    ['no host', { host: undefined }, 'headerAbsent'],
    ['no date', { date: undefined }, 'dateInvalid'],
  ])('%s', (_name, changes, expected) => {
    const result = examineRequest(withHeaders(signedRequest(), changes), { now, ownHosts });
    expect(result).toEqual({ ok: false, refusal: expected });
  });

  it('takes the signature from Authorization', () => {
    const request = signedRequest();
    const moved = withHeaders(request, {
      signature: undefined,
      authorization: `Signature ${request.headers.get('signature')}`,
    });
    expect(examineRequest(moved, { now, ownHosts }).ok).toBe(true);
  });
});

describe('HTTP dates', () => {
  it.each([
    ['Fri, 20 Nov 2026 12:00:00 GMT', now],
    ['Fri, 31 Foo 2026 12:00:00 GMT', undefined],
    ['Fri, 20 Nov 2026 12:00:00 +0000', undefined],
    ['2026', undefined],
    [undefined, undefined],
  ])('%s', (text, expected) => {
    expect(parseHttpDate(text)).toBe(expected);
  });
});
