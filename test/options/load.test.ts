import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadOptions, OptionsError, packageConfigurationFolder } from '../../src/options/load.ts';
import { type Options, optionTable } from '../../src/options/table.ts';

const folder = '/etc/murmuration';

interface Given {
  files?: Record<string, string | Record<string, unknown>>;
  packageFiles?: Record<string, Record<string, unknown>>;
  environment?: Record<string, string>;
  arguments?: string[];
}

function load({ files = {}, packageFiles = {}, environment = {}, arguments: programArguments = [] }: Given): Options {
  const texts = new Map<string, string>();
  const add = (where: string, name: string, content: unknown) =>
    texts.set(join(where, name), typeof content === 'string' ? content : JSON.stringify(content));
  for (const [name, content] of Object.entries(packageFiles)) add(packageConfigurationFolder, name, content);
  for (const [name, content] of Object.entries(files)) add(folder, name, content);
  return loadOptions({
    environment,
    configurationFolder: folder,
    arguments: programArguments,
    readTextFile: (path) => texts.get(path),
  });
}

function problemsOf(given: Given): readonly string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof OptionsError) return error.problems;
    throw error;
  }
  return [];
}

describe('where a value comes from', () => {
  test('nothing given: every option has its default', () => {
    const options = load({});
    expect(Object.keys(options).sort()).toEqual(optionTable.map(({ name }) => name).sort());
    expect(options).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      origin: 'http://localhost:3000',
      dataDirectory: './data',
      registrations: 'open',
      rateLimits: true,
      trustedProxies: 0,
      dialect: 'automatic',
      mastodonClients: [],
      streamingOrigin: undefined,
      memory: 0,
      feedRings: 0,
    });
  });

  const places: [string, Given][] = [
    ['clients.json', { files: { 'clients.json': { port: 1 } } }],
    ['default.json', { files: { 'default.json': { port: 2 } } }],
    ['the profile', { files: { 'relay.json': { port: 3 } }, environment: { MURMURATION_PROFILE: 'relay' } }],
    ['local.json', { files: { 'local.json': { port: 4 } } }],
    ['the environment', { environment: { MURMURATION_PORT: '5' } }],
    ['an argument', { arguments: ['--port=6'] }],
  ];
  test.each(places.map(([name], index) => ({ name, index })))('$name wins over all places before it', ({ index }) => {
    const given = places.slice(0, index + 1).map(([, place]) => place);
    const options = load({
      files: Object.assign({}, ...given.map((place) => place.files ?? {})),
      environment: Object.assign({}, ...given.map((place) => place.environment ?? {})),
      arguments: given.flatMap((place) => place.arguments ?? []),
    });
    expect(options.port).toBe(index + 1);
  });

  test("a file that the operator's folder lacks comes from the program's", () => {
    const options = load({
      packageFiles: { 'clients.json': { mastodonClients: ['Tusky'] }, 'default.json': { port: 1 } },
      files: { 'default.json': { title: 'Birds' } },
    });
    expect(options).toMatchObject({ mastodonClients: ['Tusky'], port: 3000, title: 'Birds' });
  });

  test('the origin follows the port unless it is given', () => {
    expect(load({ environment: { MURMURATION_PORT: '4000' } }).origin).toBe('http://localhost:4000');
    const environment = { MURMURATION_PORT: '4000', MURMURATION_ORIGIN: 'https://birds.example' };
    expect(load({ environment }).origin).toBe('https://birds.example');
  });

  test('comment keys, empty variables and the variables of others are passed over', () => {
    const options = load({
      files: { 'local.json': { '// port': 'anything', '//': 1 } },
      environment: { MURMURATION_ORIGIN: '', MURMURATION_PROFILE: '', MURMURATION_LONG_TESTS: '1', PORT: '9' },
    });
    expect(options).toMatchObject({ port: 3000, origin: 'http://localhost:3000' });
  });

  test('the options cannot be changed', () => {
    expect(Object.isFrozen(load({}))).toBe(true);
  });
});

describe('what a variable may say', () => {
  const accepted: [string, string, Partial<Options>][] = [
    ['MURMURATION_PORT', '0', { port: 0 }],
    ['MURMURATION_HOST', '::', { host: '::' }],
    ['MURMURATION_ORIGIN', 'https://Birds.Example:443', { origin: 'https://birds.example' }],
    ['MURMURATION_ORIGIN', 'https://bücher.example', { origin: 'https://xn--bcher-kva.example' }],
    ['MURMURATION_ORIGIN', 'http://[::1]:3000', { origin: 'http://[::1]:3000' }],
    ['MURMURATION_STREAMING_ORIGIN', 'wss://stream.birds.example', { streamingOrigin: 'https://stream.birds.example' }],
    ['MURMURATION_DATA_DIR', '/var/lib/murmuration', { dataDirectory: '/var/lib/murmuration' }],
    ['MURMURATION_RATE_LIMITS', 'off', { rateLimits: false }],
    ['MURMURATION_RATE_LIMITS', 'false', { rateLimits: false }],
    ['MURMURATION_RATE_LIMITS', '0', { rateLimits: false }],
    ['MURMURATION_RATE_LIMITS', 'on', { rateLimits: true }],
    ['MURMURATION_RATE_LIMITS', 'true', { rateLimits: true }],
    ['MURMURATION_RATE_LIMITS', '1', { rateLimits: true }],
    ['MURMURATION_TRUSTED_PROXIES', '2', { trustedProxies: 2 }],
    ['MURMURATION_OTLP_ENDPOINT', 'http://127.0.0.1:4318/', { otlpEndpoint: 'http://127.0.0.1:4318' }],
    ['MURMURATION_OTLP_ENDPOINT', 'https://example.org/otlp', { otlpEndpoint: 'https://example.org/otlp' }],
    [
      'MURMURATION_OTLP_HEADERS',
      'authorization=Bearer%20a%2Cb==, x-scope = one',
      { otlpHeaders: { authorization: 'Bearer a,b==', 'x-scope': 'one' } },
    ],
    ['MURMURATION_OTLP_RATIO', '0.05', { otlpRatio: 0.05 }],
    ['MURMURATION_OTLP_RATIO', '1', { otlpRatio: 1 }],
    ['MURMURATION_DOMAIN', 'Birds.Example', { domain: 'birds.example' }],
    ['MURMURATION_DOMAIN', 'bücher.example:8443', { domain: 'xn--bcher-kva.example:8443' }],
    ['MURMURATION_MASTODON_CLIENTS', 'Tusky, Ice Cubes,', { mastodonClients: ['Tusky', 'Ice Cubes'] }],
    ['MURMURATION_REGISTRATIONS', 'approval', { registrations: 'approval' }],
    ['MURMURATION_CONTACT_EMAIL', 'alice@example.org', { contactEmail: 'alice@example.org' }],
    ['MURMURATION_MEDIA_S3_PUBLIC', 'signed', { mediaS3Public: 'signed' }],
    ['MURMURATION_MEDIA_S3_PUBLIC', 'https://CDN.example/media/', { mediaS3Public: 'https://cdn.example/media' }],
  ];
  test.each(accepted)('%s=%s', (variable, value, expected) => {
    expect(load({ environment: { [variable]: value } })).toMatchObject(expected);
  });

  const refused: [string, string, string][] = [
    ['MURMURATION_PORT', '65536', 'a whole number from 0 to 65535'],
    ['MURMURATION_PORT', '3e3', 'a whole number from 0 to 65535'],
    ['MURMURATION_PORT', '-1', 'a whole number from 0 to 65535'],
    ['MURMURATION_HOST', 'http://localhost', 'an address such as 127.0.0.1 or ::, or a host name'],
    ['MURMURATION_FEED_RINGS', '-1', 'a whole number from 0 to 1048576'],
    ['MURMURATION_TRUSTED_PROXIES', 'on', 'a whole number from 0 to 16'],
    [
      'MURMURATION_DOMAIN',
      'https://birds.example',
      'a domain such as example.org, without a scheme, a path or a slash',
    ],
    ['MURMURATION_OTLP_RATIO', '1.1', 'a number from 0 to 1 such as 0.05'],
    ['MURMURATION_OTLP_RATIO', '5%', 'a number from 0 to 1 such as 0.05'],
    ['MURMURATION_RATE_LIMITS', 'yes', 'on or off'],
    ['MURMURATION_REGISTRATIONS', 'Open', 'one of open, approval, closed'],
    ['MURMURATION_CONTACT_EMAIL', 'alice', 'an e-mail address such as alice@example.org'],
    [
      'MURMURATION_MEDIA_S3_PUBLIC',
      'cdn.example',
      '"signed", or an address such as https://media.example.org or https://s3.example.org/media',
    ],
    ['MURMURATION_TITLE', 'two\nlines', 'one line of 1 to 500 characters'],
  ];
  test.each(refused)('%s=%s is refused', (variable, value, rule) => {
    expect(problemsOf({ environment: { [variable]: value } })).toEqual([
      `${variable} must be ${rule}, not ${JSON.stringify(value)}.`,
    ]);
  });

  test.each([
    'authorization',
    '=x',
    'a b=c',
    'x=%',
    'x=%0a',
    'content-length=1',
    'Host=example.org',
  ])('MURMURATION_OTLP_HEADERS=%s is refused, and not repeated', (value) => {
    expect(problemsOf({ environment: { MURMURATION_OTLP_HEADERS: value } })).toEqual([
      'MURMURATION_OTLP_HEADERS must be headers such as authorization=Bearer%20TOKEN, with commas between them, which the given value is not.',
    ]);
  });

  test.each([
    'birds.example',
    'https://birds.example/',
    'https://birds.example/social',
    'https://birds.example?x',
    'https://birds.example#x',
    'https://alice:secret@birds.example',
    'ftp://birds.example',
    'https://birds example',
    'https://birds.example:99999',
  ])('MURMURATION_ORIGIN=%s is refused', (value) => {
    expect(problemsOf({ environment: { MURMURATION_ORIGIN: value } })).toHaveLength(1);
  });
});

describe('the sentences of a refusal', () => {
  const path = `${folder}/local.json`;
  const cases: [string, Given, string][] = [
    [
      'a variable with a slip',
      { environment: { MURMURATION_PROT: '1' } },
      'MURMURATION_PROT is not an option; did you mean MURMURATION_PORT?',
    ],
    [
      'the beginning of a name',
      { files: { 'local.json': { dataDir: 'x' } } },
      `${path}: "dataDir" is not an option; did you mean "dataDirectory"?`,
    ],
    [
      'a variable that was replaced',
      { environment: { MURMURATION_TRUST_PROXY: 'on' } },
      'MURMURATION_TRUST_PROXY was replaced: give trustedProxies (MURMURATION_TRUSTED_PROXIES, --trusted-proxies) the number of proxies in front of the server.',
    ],
    ['an argument with a slip', { arguments: ['--prt=1'] }, '--prt is not an option; did you mean --port?'],
    [
      'nothing near',
      { environment: { MURMURATION_XYLOPHONE: '1' } },
      'MURMURATION_XYLOPHONE is not an option; --help lists them all.',
    ],
    [
      'a bad value in a file',
      { files: { 'local.json': { mastodonClients: ['Tusky', 3] } } },
      `${path}: "mastodonClients" must be a list of names, with commas between them, not ["Tusky",3].`,
    ],
    [
      'an argument without its value',
      { arguments: ['--port', '--oauth-password-grant'] },
      '--port needs a value: --port=….',
    ],
    [
      'a command behind an option',
      { arguments: ['--port=4000', 'status'] },
      'status is not an option. A command comes first, and takes its options from the environment: MURMURATION_DATA_DIR=… murmuration status',
    ],
    ['an array', { files: { 'local.json': '[]' } }, `${path} must hold one JSON object with options by their names.`],
    [
      'a profile without a file',
      { environment: { MURMURATION_PROFILE: 'relai' } },
      `MURMURATION_PROFILE names the profile "relai", but there is no relai.json in ${folder} or ${packageConfigurationFolder}.`,
    ],
    [
      'a profile outside the folder',
      { environment: { MURMURATION_PROFILE: '../secret' } },
      'MURMURATION_PROFILE must be a name of lower-case letters, digits and hyphens, not "../secret".',
    ],
  ];
  test.each(cases)('%s', (_name, given, sentence) => {
    expect(problemsOf(given)).toEqual([sentence]);
  });

  test('a file that is not JSON', () => {
    expect(problemsOf({ files: { 'local.json': '{ "port": 1, }' } })).toEqual([
      expect.stringContaining(`${path} is not valid JSON: `),
    ]);
  });

  test('all problems at once, also of values that a stronger place overrides', () => {
    const problems = problemsOf({
      files: { 'default.json': { port: 'x' }, 'local.json': { titel: 'Birds' } },
      environment: { MURMURATION_PORT: '80', MURMURATION_DIALECT: 'klingon' },
    });
    expect(problems).toEqual([
      `${path}: "titel" is not an option; did you mean "title"?`,
      `${folder}/default.json: "port" must be a whole number from 0 to 65535, not "x".`,
      'MURMURATION_DIALECT must be one of automatic, specification, mastodon, not "klingon".',
    ]);
  });

  test('a long value is shortened', () => {
    const [problem] = problemsOf({ environment: { MURMURATION_DIALECT: 'x'.repeat(10_000) } });
    expect(problem!.length).toBeLessThan(200);
  });
});

test.each([
  'smtp//user:hunter2@mail.example',
  'smtp://user:hunter2@mail.example/path',
  'smtp://user@mail.example',
])('an SMTP server that is none: %s is not repeated', (given) => {
  const loading = () => load({ environment: { MURMURATION_SMTP_URL: given } });
  expect(loading).toThrow(/^MURMURATION_SMTP_URL must be an address such as smtps:.*, which the given value is not\.$/);
  expect(loading).not.toThrow(/hunter2/);
});

test('the value of an argument may stand behind it, and a switch needs none', () => {
  const programArguments = ['--port', '4100', '--oauth-password-grant', '--host=::1', '--rate-limits', 'off'];
  expect(load({ arguments: programArguments })).toMatchObject({
    port: 4100,
    origin: 'http://localhost:4100',
    oauthPasswordGrant: true,
    host: '::1',
    rateLimits: false,
  });
});

test.each([
  ['--profile=relay', '--port=4100'],
  ['--port=4100', '--profile', 'relay'],
])('an argument names the profile: %s %s', (...programArguments) => {
  const loaded = loadOptions({
    environment: { MURMURATION_PROFILE: 'single' },
    configurationFolder: 'config',
    arguments: programArguments,
    readTextFile: (path) => (path.endsWith('local.json') ? undefined : readFileSync(path, 'utf8')),
  });
  expect(loaded).toMatchObject({ relay: 'only', registrations: 'closed', port: 4100 });
});

describe('the configuration that comes with the program', () => {
  test.each([
    { profile: undefined, registrations: 'open', feedRings: 0 },
    { profile: 'single', registrations: 'approval', feedRings: 0 },
    { profile: 'relay', registrations: 'closed', relay: 'only', feedRings: 64 },
  ])('profile $profile', ({ profile, ...expected }) => {
    const options = loadOptions({
      environment: profile === undefined ? {} : { MURMURATION_PROFILE: profile },
      configurationFolder: packageConfigurationFolder,
      // A developer's own local.json must not matter here.
      readTextFile: (path) =>
        path.endsWith('local.json') || !existsSync(path) ? undefined : readFileSync(path, 'utf8'),
    });
    expect(options).toMatchObject(expected);
    expect(options.mastodonClients).toContain('Mastodon for Android');
  });
});
