import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { parseHostMeta, parseJrd } from '../../src/federation/webfinger/jrd.ts';
import { home, InboundBed } from './inbound-bed.ts';

describe('discovery', () => {
  it.each([
    'acct:alice@social.example',
    'ACCT:Alice@Social.Example',
    'alice@social.example',
    '@alice@social.example',
    `${home}/users/alice`,
    `${home}/@alice`,
  ])('finds %s', async (resource) => {
    const bed = new InboundBed();
    await bed.local('alice');
    const response = await bed.gateway.fetch(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/jrd\+json/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(parseJrd(Buffer.from(await response.arrayBuffer()))).toEqual({
      subject: 'acct:alice@social.example',
      actorUrl: `${home}/users/alice`,
    });
  });

  it.each([
    [400, ''],
    [404, 'acct:nobody@social.example'],
    [404, 'acct:alice@other.example'],
    [404, 'alice'],
    [404, 'https://other.example/users/alice'],
    [200, 'acct:dave@social.example'],
  ])('answers %d to %j', async (status, resource) => {
    const bed = new InboundBed();
    await bed.local('alice');
    const dave = await bed.local('dave');
    await bed.gateway.actors.call(Account.changeLogin.to(dave, { suspended: true }));
    const query = resource === '' ? '' : `?resource=${encodeURIComponent(resource)}`;
    expect((await bed.gateway.fetch(`/.well-known/webfinger${query}`)).status).toBe(status);
  });

  it('points to itself in host-meta', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const response = await bed.gateway.fetch('/.well-known/host-meta');
    expect(response.headers.get('content-type')).toMatch(/^application\/xrd\+xml/);
    const template = `${home}/.well-known/webfinger?resource={uri}`;
    expect(parseHostMeta(await response.text())).toBe(template);
    const inJson = await bed.gateway.fetch('/.well-known/host-meta.json');
    expect(inJson.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await inJson.json()).toEqual({ links: [{ rel: 'lrdd', template }] });
  });
});
