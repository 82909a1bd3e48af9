/** Appeals by command: listed, approved, rejected. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findWarning } from '../../../src/actors/account/moderation/warnings.queries.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addAccount } from '../../support/sign-up.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;

beforeAll(() => {
  gateway = startTestGateway({ endpoints: [] });
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const run = (line: string) => typed(gateway.services, line);

test.each([
  ['approve', 'Approved', true],
  ['reject', 'Rejected', false],
])('appeals %s', async (verb, said, isApproved) => {
  const id = await addAccount(gateway.actors, verb);
  const struck = Account.sanction.to(id, { action: 'silence', text: 'Be kind', tells: true });
  const { strikeId } = await gateway.actors.call(struck);
  const message = Account.appeal.to(id, { strikeId, text: 'I was\nkind', staffIds: [] });
  const { appealId } = await gateway.actors.call(message);
  const { printed } = await run('appeals list');
  expect(printed).toEqual([
    expect.stringMatching(new RegExp(`^${appealId}  .*  pending: account ${id}, silence of `)),
    '  it was told: Be kind',
    '  it says: I was kind',
  ]);
  expect(await run(`appeals ${verb} ${appealId}`)).toMatchObject({
    code: 0,
    printed: [`${said} the appeal ${appealId}.`],
  });
  expect(findWarning(gateway.actors.read, id, strikeId)?.appeal?.isApproved).toBe(isApproved);
  const again = await run(`appeals ${verb} ${appealId}`);
  expect(again).toMatchObject({ code: 1, complaints: [expect.stringContaining('already')] });
});

test.each([
  ['appeals approve x', 2],
  ['appeals reject 1', 1],
  ['appeals list --state odd', 2],
])('%s is refused', async (line, code) => {
  expect((await run(line)).code).toBe(code);
});
