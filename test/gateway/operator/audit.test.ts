/** The command that shows the audit log, over memory partitions. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../../src/actors/directory/directory.queries.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;

const run = (line: string) => typed(gateway.services, line);
const lines = async (flags = '') => (await run(`audit list ${flags}`)).printed;

beforeEach(async () => {
  gateway = startTestGateway({ endpoints: [] });
  await run('accounts create alice --email alice@example.org');
  gateway.actors.clock.advance(1);
  await run('accounts modify alice --suspend');
  gateway.actors.clock.advance(1);
  await run('rules add "Be kind"');
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

test('shows what was decided, newest first', async () => {
  const id = accountIdOfName(gateway.actors.read, nameOfHandle('alice', undefined));
  expect(await lines()).toEqual([
    expect.stringMatching(/^\d+ {2}2025-01-01T12:00:00.002Z {2}command-line {2}addRule {2}rule:1 {2}Be kind$/),
    '  text: Be kind',
    '  hint: ',
    expect.stringContaining(`12:00:00.001Z  command-line  suspendAccount  account:${id}  alice`),
    '  suspended: false -> true',
    expect.stringContaining(`12:00:00.000Z  command-line  createAccount  account:${id}  alice`),
    '  role: user',
    '  email: alice@example.org',
    '  confirmed: false',
    '  approved: true',
    '  disabled: false',
    '  limited: false',
    '  sensitized: false',
    '  suspended: false',
  ]);
});

test.each([
  ['--about alice', ['suspendAccount', 'createAccount']],
  ['--by command-line --action addRule', ['addRule']],
  ['--by alice', []],
  ['--by server', []],
  ['--target rule:1', ['addRule']],
  ['--target account', ['suspendAccount', 'createAccount']],
])('%s', async (flags, actions) => {
  const found = (await lines(flags)).flatMap((line) => /^\d+ {2}\S+ {2}\S+ {2}(\S+)/.exec(line)?.[1] ?? []);
  expect(found).toEqual(actions);
  if (actions.length === 0) expect(await lines(flags)).toEqual(['There are no such entries.']);
});

test('continues behind a page', async () => {
  const page = await lines('--limit 1');
  const older = /^Older ones: --before (\d+)$/.exec(page.at(-1)!)?.[1];
  expect((await lines(`--before ${older} --limit 1`))[0]).toContain('suspendAccount');
});

test.each([
  ['--action jump', 2, '--action must be one of createAccount'],
  ['--target bird:1', 2, '--target must be one of account'],
  ['--about nobody', 1, 'There is no account nobody.'],
])('%s is refused', async (flags, code, sentence) => {
  const refused = await run(`audit list ${flags}`);
  expect([refused.code, refused.printed]).toEqual([code, []]);
  expect(refused.complaints.join(' ')).toContain(sentence);
});
