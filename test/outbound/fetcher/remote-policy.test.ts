import { describe, expect, it } from 'vitest';
import { parseRemoteUrl, type RemotePolicy } from '../../../src/outbound/fetcher/remote-policy.ts';

const production: RemotePolicy = {
  allowPrivate: false,
  allowHttp: false,
  isRefusedHost: (host) => host === 'home.example' || host === 'bad.example:8443',
};
const development: RemotePolicy = { ...production, allowPrivate: true, allowHttp: true };

function hrefOf(text: string, policy = production): string | undefined {
  const result = parseRemoteUrl(text, policy);
  return result.ok ? result.url.href : undefined;
}

describe('URLs in production', () => {
  it.each([
    ['https://away.example/users/alice', 'https://away.example/users/alice'],
    ['https://AWAY.example./a', 'https://away.example/a'],
    ['https://away.example:443/a#main-key', 'https://away.example/a'],
    ['https://away.example:8443/a?b=%2f', 'https://away.example:8443/a?b=%2f'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
    ['https://away.example:80/', 'https://away.example:80/'],
  ])('%s becomes %s', (text, href) => {
    expect(hrefOf(text)).toBe(href);
  });

  it.each([
    'http://away.example/',
    'ftp://away.example/',
    'javascript:alert(1)',
    'away.example',
    '',
    'https://alice@away.example/',
    'https://alice:secret@away.example/',
    'https://away.example:22/',
    'https://away.example:25/',
    'https://away.example:6379/',
    'https://away.example:11211/',
    'https://localhost/',
    'https://redis:8443/',
    'https://home.example/users/bob',
    'https://HOME.example.:443/',
    'https://bad.example:8443/',
    `https://away.example/${'a'.repeat(2_048)}`,
  ])('%s is refused', (text) => {
    expect(hrefOf(text)).toBeUndefined();
  });
});

describe('URLs in development', () => {
  it.each(['http://127.0.0.1:3000/', 'http://localhost:3000/', 'https://127.0.0.2/'])('%s is allowed', (text) => {
    expect(hrefOf(text, development)).toBe(text);
  });

  it.each(['http://127.0.0.1:22/', 'http://localhost:6379/', 'http://home.example/'])('%s is refused', (text) => {
    expect(hrefOf(text, development)).toBeUndefined();
  });
});
