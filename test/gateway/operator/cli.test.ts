/** The operator's command line over memory partitions. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { notificationLimits } from '../../../src/actors/account/notifications/limits.ts';
import { findLocalAccount, loginStateOf } from '../../../src/actors/account/profile/logins.queries.ts';
import { nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { grantOfToken } from '../../../src/actors/session/session.queries.ts';
import { createAdminHandler } from '../../../src/gateway/operator/admin/handler.ts';
import { isCommand } from '../../../src/gateway/operator/cli/is-command.ts';
import { runCommand } from '../../../src/gateway/operator/cli/main.ts';
import { settingsOf } from '../../../src/operations/instance/settings.ts';
import { isPasswordOf } from '../../../src/operations/registration/passwords.ts';
import { software } from '../../../src/services/software.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { storedNotifications } from '../../support/stored-notifications.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;
let closed: number;

beforeEach(() => {
  gateway = startTestGateway({ endpoints: [] });
  closed = 0;
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const run = (line: string, running = false) =>
  typed(gateway.services, line, {
    running,
    closed: () => {
      closed += 1;
    },
  });

function account(username: string) {
  const id = accountIdOfName(gateway.actors.read, nameOfHandle(username, undefined));
  return id === undefined ? undefined : findLocalAccount(gateway.actors.read, id);
}

describe('accounts create', () => {
  test('prints the password that it drew, in the last line', async () => {
    const { code, printed } = await run('accounts create alice --email=alice@example.org --confirmed');
    expect(code).toBe(0);
    const password = /^New password: (\S{24})$/.exec(printed.at(-1)!)?.[1];
    expect(await isPasswordOf(password!, account('alice')?.login.passwordHash)).toBe(true);
    expect(account('alice')).toMatchObject({ login: { role: 'user', confirmed: true, approved: true } });
    expect(closed).toBe(1);
  });

  test('prints no password that it was given', async () => {
    const line = 'accounts create alice --email alice@example.org --password "a good password" --role admin';
    const { code, printed } = await run(line);
    expect([code, printed.join('\n').includes('password')]).toEqual([0, false]);
    expect(await isPasswordOf('a good password', account('alice')?.login.passwordHash)).toBe(true);
    expect(account('alice')).toMatchObject({ login: { role: 'admin' }, profile: { role: 'admin' } });
  });

  test('may take a name that strangers may not', async () => {
    expect((await run('accounts create admin --email admin@example.org')).code).toBe(0);
  });

  test('makes accounts wait where registrations need approval, unless they are approved', async () => {
    await run('settings registrations approval');
    await run('accounts create alice --email alice@example.org --confirmed');
    await run('accounts create bob --email bob@example.org --confirmed --approved');
    expect([account('alice'), account('bob')].map((one) => loginStateOf(one!))).toEqual(['pending', 'active']);
  });

  test('without a confirmed address it cannot sign in until the address is confirmed', async () => {
    const { printed } = await run('accounts create alice --email alice@example.org');
    expect(printed[1]).toContain('accounts modify alice --confirm');
    expect(loginStateOf(account('alice')!)).toBe('unconfirmed');
    expect((await run('accounts show alice')).printed).toContain('Confirmed: no');
    expect((await run('accounts modify alice --confirm')).code).toBe(0);
    expect(loginStateOf(account('alice')!)).toBe('active');
  });

  test.each([
    ['a taken name', 'ALICE --email other@example.org', 1, 'There is an account with the user name ALICE already.'],
    ['a taken address', 'bob --email Alice@Example.org', 1, 'address Alice@Example.org already.'],
    ['a name with a dot', 'a.b --email b@example.org', 1, 'A user name has 1 to 30 letters'],
    ['no real address', 'bob --email bob', 1, 'bob is not an e-mail address.'],
    ['a short password', 'bob --email b@example.org --password short', 1, 'A password has at least 8 characters'],
    ['no address', 'bob', 2, '--email is missing'],
    ['no name', '--email b@example.org', 2, 'NAME is missing'],
    ['two names', 'bob carol --email b@example.org', 2, '"carol" is unexpected'],
    ['an unknown role', 'bob --email b@example.org --role king', 1, 'There is no role king'],
    ['an unknown flag', 'bob --email b@example.org --king', 2, '--king'],
  ])('with %s is refused', async (_name, rest, code, sentence) => {
    await run('accounts create alice --email alice@example.org');
    const refused = await run(`accounts create ${rest}`);
    expect([refused.code, refused.printed]).toEqual([code, []]);
    expect(refused.complaints.join('\n')).toContain(sentence);
    expect(account('bob')).toBeUndefined();
  });
});

describe('accounts show and modify', () => {
  beforeEach(async () => {
    await run('accounts create alice --email alice@example.org --confirmed');
  });

  test('show what is known', async () => {
    const { printed } = await run('accounts show @Alice@social.example');
    expect(printed).toEqual([
      'User name: alice',
      `Id: ${account('alice')?.id}`,
      'E-mail address: alice@example.org',
      'Role: user',
      'Created: 2025-01-01T12:00:00.000Z',
      'Confirmed: yes',
      'Approved: yes',
      'Disabled: no',
      'Two-factor authentication: no',
      'Suspended: no',
    ]);
  });

  test.each([
    ['--suspend', 'disabled'],
    ['--suspend --role moderator', 'disabled'],
    ['--disable', 'disabled'],
    ['--confirm --approve', 'active'],
  ])('%s changes the state of the login', async (flags, state) => {
    expect((await run(`accounts modify alice ${flags}`)).code).toBe(0);
    expect(loginStateOf(account('alice')!)).toBe(state);
    await run('accounts modify alice --unsuspend --enable');
    expect(loginStateOf(account('alice')!)).toBe('active');
  });

  test('a new password ends the tokens', async () => {
    const { printed } = await run('tokens create alice --scopes read');
    await run('accounts modify alice --password "a new password"');
    expect(await isPasswordOf('a new password', account('alice')?.login.passwordHash)).toBe(true);
    expect(grantOfToken(gateway.actors.read, printed[0]!)).toBeUndefined();
  });

  test.each([
    ['modify alice', 1, 'Nothing was asked to be changed.'],
    ['modify nobody --suspend', 1, 'There is no account nobody.'],
    ['show nobody', 1, 'There is no account nobody.'],
    ['modify alice --suspend --unsuspend', 2, '--suspend and --unsuspend contradict each other.'],
  ])('%s is refused', async (rest, code, sentence) => {
    expect(await run(`accounts ${rest}`)).toEqual({ code, printed: [], complaints: [sentence] });
  });
});

describe('accounts warn', () => {
  beforeEach(async () => {
    await run('accounts create alice --email alice@example.org');
  });

  const warnings = () =>
    storedNotifications(gateway.actors.read, account('alice')!.id, {}, { limit: 10 }, (_id, { warning }) => warning)
      .items;

  test('stores the text without what no text should contain', async () => {
    const { warningCharactersMax } = notificationLimits;
    const longest = 'x'.repeat(warningCharactersMax);
    for (const text of [' Be\u0000 kind\r\nto all ', longest])
      expect(await run(`accounts warn alice --text "${text}"`)).toEqual({
        ...{ code: 0, printed: ['Warned the account alice.'], complaints: [] },
      });
    expect(warnings()).toEqual([longest, 'Be kind\nto all'].map((text) => ({ action: 'none', text })));
  });

  test('reaches an account that cannot sign in for now', async () => {
    await run('accounts modify alice --disable');
    expect((await run('accounts warn alice --text "Be kind"')).code).toBe(0);
    expect(warnings()).toMatchObject([{ action: 'none', text: 'Be kind' }, { action: 'disable' }]);
  });

  test.each([
    ['nobody --text "Be kind"', 1, 'There is no account nobody.'],
    ['alice@there.example --text "Be kind"', 1, 'There is no account alice@there.example.'],
    [`alice --text ${'x'.repeat(2_001)}`, 1, 'A warning has at most 2000 characters.'],
    ['alice', 2, '--text is missing: murmuration accounts warn NAME --text TEXT'],
    ['--text "Be kind"', 2, 'NAME is missing: murmuration accounts warn NAME --text TEXT'],
  ])('%s is refused', async (rest, code, sentence) => {
    expect(await run(`accounts warn ${rest}`)).toEqual({ code, printed: [], complaints: [sentence] });
    expect(warnings()).toEqual([]);
  });

  test('is listed, also once the account has dismissed it', async () => {
    expect((await run('accounts warnings alice')).printed).toEqual(['The account alice was not warned.']);
    await run('accounts warn alice --text "Be kind\nto all"');
    await gateway.actors.call(Account.clearNotifications.to(account('alice')!.id, {}));
    const at = new Date(gateway.actors.clock.now()).toISOString();
    expect(await run('accounts warnings alice')).toEqual({
      code: 0,
      printed: [`${at}  Be kind to all`],
      complaints: [],
    });
    expect((await run('accounts warnings nobody')).complaints).toEqual(['There is no account nobody.']);
  });

  test('refuses an account that is suspended', async () => {
    await run('accounts modify alice --suspend');
    const complaints = ['The account alice is suspended: it could not read the warning.'];
    expect(await run('accounts warn alice --text "Be kind"')).toEqual({ code: 1, printed: [], complaints });
    expect(warnings()).toMatchObject([{ action: 'suspend' }]);
  });
});

describe('tokens create', () => {
  beforeEach(async () => {
    await run('accounts create alice --email alice@example.org');
  });

  test.each([
    ['read write push', '', 'specification'],
    ['read write push', ' --dialect mastodon', 'mastodon'],
    ['read write follow', '', 'mastodon'],
    ['read write follow', ' --dialect specification', 'specification'],
  ])('prints the token alone: %s%s', async (scopes, flags, dialect) => {
    const { code, printed } = await run(`tokens create alice --scopes "${scopes}"${flags}`);
    expect([code, printed]).toEqual([0, [expect.stringMatching(/^[\w-]{43}$/)]]);
    const granted = grantOfToken(gateway.actors.read, printed[0]!)?.grant;
    expect(granted).toMatchObject({ accountId: account('alice')?.id, dialect });
    expect([...granted!.scopes].join(' ')).toBe(scopes);
  });

  test.each([
    ['alice --scopes "read everything"', 1, 'There is no scope everything.'],
    ['nobody --scopes read', 1, 'There is no account nobody.'],
    ['alice', 2, '--scopes is missing'],
    ['alice --scopes read --dialect klingon', 2, '--dialect must be one of specification, mastodon'],
  ])('%s is refused', async (rest, code, sentence) => {
    const refused = await run(`tokens create ${rest}`);
    expect([refused.code, refused.printed]).toEqual([code, []]);
    expect(refused.complaints.join('\n')).toContain(sentence);
  });
});

test.each(['open', 'approval', 'closed'])('settings registrations %s is stored', async (mode) => {
  expect(await run(`settings registrations ${mode}`)).toEqual({
    code: 0,
    printed: [`Registrations: ${mode}`],
    complaints: [],
  });
  const { options } = gateway.services;
  expect(settingsOf({ options, snapshots: gateway.actors.read }).registrations).toBe(mode);
});

describe('reports', () => {
  test('are listed, the newest first, until they are closed', async () => {
    expect((await run('reports list')).printed).toEqual(['There are no open reports.']);
    for (const name of ['alice', 'bob']) await run(`accounts create ${name} --email=${name}@users.test --confirmed`);
    const [alice, bob] = [account('alice')!, account('bob')!];
    for (const comment of ['first', 'second\n of \u001b[2Jtwo lines']) {
      gateway.actors.clock.advance(1_000);
      await gateway.actors.call(
        Account.fileReport.to(alice.id, {
          ...{ targetId: bob.id, statusIds: [5n, 6n], ruleIds: ['1'], category: 'violation', comment },
        }),
      );
    }
    const { printed } = await run('reports list --limit 1');
    const [id] = printed[0]!.split(' ');
    expect(printed).toEqual([
      `${id}  2025-01-01T12:00:02.000Z  @bob by @alice: violation; rules 1`,
      '  statuses: 5 6',
      '  second of [2Jtwo lines',
      '1 more are older.',
    ]);
    expect((await run(`reports resolve ${id}`)).printed).toEqual([`Closed the report ${id}.`]);
    expect((await run('reports list')).printed.at(-1)).toBe('  first');
    for (const unknown of ['1', 'word'])
      expect(await run(`reports resolve ${unknown}`)).toMatchObject({
        code: 1,
        complaints: [`There is no report ${unknown}.`],
      });
  });
});

test.each([
  ['settings registrations sometimes', 'It must be one of open, approval, closed, not sometimes.'],
  ['settings registrations', 'MODE is missing'],
  [
    'accounts',
    'There is no command "accounts". There is: accounts create, accounts show, accounts modify, accounts warn, accounts warnings, accounts disable-two-factor, accounts end-email-subscriptions, accounts sign-out, accounts reset-password, accounts rotate-keys, accounts refetch, accounts reject, accounts remove-data, accounts remove-pictures, accounts unblock-email, accounts sign-ins, accounts list, accounts notes list, accounts notes add, accounts notes remove.',
  ],
  ['accounts destroy alice', 'There is no command "accounts destroy". There is: accounts create, '],
  ['explode', 'There is no command "explode". --help lists them all.'],
  ['status now', '"now" is unexpected'],
  ['cluster repair --apply', '--copies is missing: say how many machines have a copy, such as --apply --copies 2'],
  ['cluster repair --apply --copies 0', '--copies must be a number from 1 to 1000, not 0.'],
  ['cluster repair --copies 2', '--copies belongs to --apply'],
  ['cluster repair --forget http://two --apply', '--forget stands alone'],
  ['rules add Title --hint', '--hint needs a value: murmuration rules add TEXT [--hint TEXT]'],
  ['rules add Title --hint -x', 'A value that begins with a dash is written as --hint=-x: murmuration rules add'],
  ['rules add -x', "Unknown option '-x'. "],
  [
    'status --data-dir=one',
    '--data-dir is an option of the server. A command takes it from the environment: MURMURATION_DATA_DIR=… murmuration status',
  ],
])('%s is not understood', async (line, sentence) => {
  const refused = await run(line);
  expect([refused.code, closed]).toEqual([2, 0]);
  expect(refused.complaints.join('\n')).toContain(sentence);
});

test.each([
  [true, 'The server is running.'],
  [false, 'The server is stopped.'],
])('status tells whether the server runs: %s', async (running, sentence) => {
  const { code, printed } = await run('status', running);
  expect([code, printed[0]]).toEqual([0, sentence]);
  expect(printed).toEqual(expect.arrayContaining(['Origin: https://social.example', 'Users: 0', 'Partitions: 2']));
});

test.each(['list', 'retry all'])('deliveries %s of a stopped server finds none', async (words) => {
  const sentence = 'There are no deliveries: the server is stopped.';
  expect(await run(`deliveries ${words}`)).toEqual({ code: 1, printed: [], complaints: [sentence] });
});

test('the help names every command and every option', async () => {
  for (const line of ['--help', 'help', '--port=4000 --help']) {
    const { code, printed } = await run(line);
    expect(code).toBe(0);
    expect(printed.join('\n')).toContain('murmuration accounts create NAME --email ADDRESS [--password PASSWORD]');
    expect(printed.join('\n')).toContain('MURMURATION_DATA_DIR');
  }
});

test.each([
  ['accounts create --help', ['murmuration accounts create NAME']],
  ['accounts create alice --help', ['murmuration accounts create NAME']],
  ['help poison', ['murmuration poison list', 'murmuration poison lift ID|all']],
])('%s is about those commands only', async (line, usages) => {
  const { code, printed } = await run(line);
  expect(code).toBe(0);
  const lines = printed.join('\n').split('\n');
  const shown = lines.filter((text) => text.startsWith('  murmuration'));
  expect(shown).toEqual(usages.map((usage) => expect.stringContaining(usage)));
});

test('the version is that of the package', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, printed: [software.version] });
});

test('a server that cannot be reached is told in a sentence', async () => {
  const complaints: string[] = [];
  const code = await runCommand(['status'], {
    openAdmin: () => Promise.reject(new Error('Another server is running.')),
    repartition: () => Promise.reject(new Error('the folder stays')),
    check: () => Promise.resolve({ sound: true, lines: [] }),
    complain: (line) => void complaints.push(line),
  });
  expect([code, complaints]).toEqual([1, ['Another server is running.']]);
});

test('a request of another version is refused', async () => {
  const handle = createAdminHandler(gateway.services);
  expect(await handle({ command: 'accounts explode', input: {} })).toMatchObject({ ok: false });
});

test.each([
  [['accounts', 'create'], true],
  [['--help'], true],
  [['--port=4000', '--help'], true],
  [['--version'], true],
  [['--port=4000'], false],
  [[], false],
])('%j is a command: %s', (programArguments, expected) => {
  expect(isCommand(programArguments)).toBe(expected);
});

test('accounts disable-two-factor switches it off', async () => {
  await run('accounts create alice --email alice@example.org --confirmed --approved');
  const { id } = account('alice')!;
  await gateway.actors.call(Account.enableTotp.to(id, { sealed: 'sealed', step: 1, recoveryCodes: [] }));
  expect((await run('accounts show alice')).printed).toContain('Two-factor authentication: yes');
  expect((await run('accounts disable-two-factor alice')).printed).toEqual([
    'Two-factor authentication of alice is off.',
  ]);
  expect((await run('accounts show alice')).printed).toContain('Two-factor authentication: no');
  expect((await run('accounts disable-two-factor nobody')).code).not.toBe(0);
});
