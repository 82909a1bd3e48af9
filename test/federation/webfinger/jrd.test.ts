import { describe, expect, it } from 'vitest';
import { parseHostMeta, parseJrd } from '../../../src/federation/webfinger/jrd.ts';
import { expectLinear } from '../../support/cost.ts';

const self = { rel: 'self', type: 'application/activity+json', href: 'https://away.example/users/alice' };
const jrd = (value: unknown) => parseJrd(Buffer.from(JSON.stringify(value)));

describe('JRD', () => {
  it.each([
    ['a usual one', { subject: 'acct:a@b.example', links: [{ rel: 'http://webfinger.net/rel/profile-page' }, self] }],
    [
      'one with two self links',
      { subject: 'acct:a@b.example', links: [self, { ...self, href: 'https://x.example/' }] },
    ],
    [
      'one whose first self link is of another type',
      { subject: 'acct:a@b.example', links: [{ ...self, type: 'text/html', href: 'https://x.example/' }, self] },
    ],
    [
      'one of JSON-LD type',
      {
        subject: 'acct:a@b.example',
        links: [{ ...self, type: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' }],
      },
    ],
  ])('%s', (_name, value) => {
    expect(jrd(value)).toEqual({ subject: 'acct:a@b.example', actorUrl: self.href });
  });

  it.each([
    ['no links', {}, { subject: undefined, actorUrl: undefined }],
    ['links that are none', { subject: 7, links: [null, 'x', 7, []] }, { subject: undefined, actorUrl: undefined }],
    ['links as one object', { links: self }, { subject: undefined, actorUrl: undefined }],
    [
      'more links than are read',
      { links: [...Array(100).fill({}), self] },
      { subject: undefined, actorUrl: undefined },
    ],
    ['a list', [], undefined],
    ['a string', 'x', undefined],
  ])('%s', (_name, value, expected) => {
    expect(jrd(value)).toEqual(expected);
  });
});

describe('host-meta', () => {
  const template = 'https://social.example/.well-known/webfinger?resource={uri}';
  it.each([
    ['as Mastodon writes it', `<XRD><Link rel="lrdd" type="application/xrd+xml" template="${template}"/></XRD>`],
    ['in single quotes, other order', `<Link template='${template}' rel='lrdd' ></Link>`],
    ['with a namespace', `<xrd:Link rel="lrdd" template="${template}"/>`],
    [
      'after other links',
      `<Link rel="x" template="y{uri}"/><Link rel="lrdd"/><Link rel="lrdd" template="${template}"/>`,
    ],
  ])('%s', (_name, xml) => {
    expect(parseHostMeta(xml)).toBe(template);
  });

  it('with escapes', () => {
    expect(parseHostMeta('<Link rel="lrdd" template="https://a.example/?a=1&amp;r={uri}"/>')).toBe(
      'https://a.example/?a=1&r={uri}',
    );
  });

  it.each([
    '',
    '<html>',
    '<Link rel="lrdd" template="https://a.example/"/>',
    '<Link rel="lrdd" template="{uri}',
  ])('nothing in %s', (xml) => {
    expect(parseHostMeta(xml)).toBeUndefined();
  });

  it.each([
    ['open links', '<Link ', ''],
    ['letters', 'a', '<Link '],
    ['blanks', ' ', '<Link a'],
    ['open quotes', 'a="', '<Link a="'],
  ])('is read in linear time though it is made of %s', (_name, unit, start) => {
    expectLinear(240_000, (size) =>
      expect(parseHostMeta(`${start}${unit.repeat(size / unit.length)}>`)).toBeUndefined(),
    );
  });
});
