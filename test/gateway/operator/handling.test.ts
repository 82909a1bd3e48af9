/** The commands by which reports are looked after and accounts signed out, over memory partitions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findReport } from '../../../src/actors/account/reports/reports.queries.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addAccount, addWithToken } from '../../support/sign-up.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;
let reportId: Id;
let monaId: Id;
let bob: { readonly id: Id; readonly token: string };

const run = (line: string) => typed(gateway.services, line);
const report = () => findReport(gateway.actors.read, reportId)!;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  monaId = await addAccount(gateway.actors, 'mona', { role: 'moderator' });
  bob = await addWithToken(gateway, 'bob');
  const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'spam' as const, comment: '' };
  ({ reportId } = await gateway.actors.call(Account.fileReport.to(monaId, said)));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

test('a report is assigned, unassigned, closed and opened again', async () => {
  expect((await run(`reports assign ${reportId} --to mona`)).printed).toEqual([
    `mona looks after the report ${reportId}.`,
  ]);
  expect(report().assignedToId).toBe(monaId);
  expect((await run(`reports unassign ${reportId}`)).printed).toEqual([`Nobody looks after the report ${reportId}.`]);
  expect(report().assignedToId).toBeUndefined();
  await run(`reports resolve ${reportId}`);
  expect(report().resolvedAt).toBeDefined();
  expect((await run(`reports reopen ${reportId}`)).printed).toEqual([`Opened the report ${reportId} again.`]);
  expect(report().resolvedAt).toBeUndefined();
});

test('moderators keep notes about accounts, reports and servers', async () => {
  for (const [words, about] of [
    ['accounts', 'bob'],
    ['reports', String(reportId)],
    ['domains', 'Rude.example'],
  ]) {
    expect((await run(`${words} notes list ${about}`)).printed).toEqual(['There are no notes.']);
    const [added = ''] = (await run(`${words} notes add ${about} --text "Look at this"`)).printed;
    const id = /^Added the note (\d+)\.$/.exec(added)?.[1];
    expect((await run(`${words} notes list ${about}`)).printed).toEqual([
      expect.stringMatching(new RegExp(`^${id}  \\S+Z  command-line: Look at this$`)),
    ]);
    expect((await run(`${words} notes remove ${about} ${id}`)).printed).toEqual([`Removed the note ${id}.`]);
    expect((await run(`${words} notes remove ${about} ${id}`)).complaints).toEqual(['Record not found']);
  }
  expect((await run('accounts notes remove bob x')).complaints).toEqual(['NOTE must be the number of a note, not x.']);
  expect((await run('accounts notes add nobody --text Look')).complaints).toEqual(['Record not found']);
  expect((await run('accounts notes add bob --text ""')).code).toBe(1);
});

test('the history of a report tells what was decided about both sides', async () => {
  const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'other' as const, comment: '' };
  const other = await gateway.actors.call(Account.fileReport.to(monaId, said));
  await run('accounts warn bob --text "Be kind"');
  const { printed } = await run(`reports history ${reportId}`);
  expect(printed).toEqual([
    'Decisions about @bob:',
    expect.stringMatching(/^ {2}\d+ {2}\S+Z {2}none: Be kind$/),
    'Other reports about @bob:',
    expect.stringMatching(new RegExp(`^  ${other.reportId}  \\S+Z  other  `)),
    'Other reports by @mona:',
    expect.stringMatching(new RegExp(`^  ${other.reportId}  `)),
  ]);
  expect((await run('reports history 1')).complaints).toEqual(['Record not found']);
});

test.each([
  ['reopen x', 'ID must be the number of a report, not x.'],
  ['assign 1 --to mona', 'Record not found'],
  ['unassign 1', 'Record not found'],
])('reports %s is refused', async (line, complaint) => {
  expect((await run(`reports ${line}`)).complaints).toEqual([complaint]);
});

test('who does not handle reports gets none', async () => {
  expect((await run(`reports assign ${reportId} --to bob`)).code).not.toBe(0);
  expect(report().assignedToId).toBeUndefined();
});

test('an account is signed out, and its password ends', async () => {
  const verify = () => gateway.json('/api/v1/accounts/verify_credentials', { token: bob.token });
  expect((await verify()).status).toBe(200);
  expect((await run('accounts sign-out bob')).printed).toEqual(['Signed bob out everywhere.']);
  gateway.actors.settle();
  expect((await verify()).status).toBe(401);
  expect((await run('accounts reset-password bob')).code).toBe(0);
  expect((await run('accounts sign-out nobody')).complaints).toEqual(['There is no account nobody.']);
});

test('a report is shown and sorted, and its posts are deleted', async () => {
  const rob = await addWithToken(gateway, 'rob');
  const text = { method: 'POST', token: rob.token, json: { status: 'Buy this' } };
  const { id } = (await gateway.json<{ id: string }>('/api/v1/statuses', text)).body;
  const said = { targetId: rob.id, statusIds: [BigInt(id)], ruleIds: [], category: 'spam' as const, comment: 'Look' };
  const { reportId: about } = await gateway.actors.call(Account.fileReport.to(monaId, said));
  expect((await run(`reports show ${about}`)).printed).toEqual([
    expect.stringMatching(new RegExp(`^${about}  \\S+Z  @rob by @mona: spam$`)),
    `  statuses: ${id}`,
    '  Look',
    '  looked after by: nobody',
    '  open',
  ]);
  expect((await run(`reports modify ${about} --category legal`)).printed).toEqual([`The report ${about}: legal`]);
  expect((await run(`reports modify ${about}`)).complaints).toEqual(['Nothing was asked to be changed.']);
  expect((await run(`reports modify ${about} --rules 9`)).code).toBe(1);
  expect((await run(`reports mark-sensitive ${about}`)).complaints).toEqual([
    'There are no posts that this could be done to.',
  ]);
  const done = [`Deleted its posts, and closed the report ${about}.`];
  expect((await run(`reports delete-posts ${about} --text "No adverts"`)).printed).toEqual(done);
  expect((await run(`reports show ${about}`)).printed.at(-1)).toMatch(/^ {2}closed \S+Z by the command line$/);
  expect((await gateway.json(`/api/v1/statuses/${id}`)).status).toBe(404);
});

test('posts that nobody has reported are deleted', async () => {
  const { token } = await addWithToken(gateway, 'rolf');
  const text = { method: 'POST', token, json: { status: 'Buy that' } };
  const { id } = (await gateway.json<{ id: string }>('/api/v1/statuses', text)).body;
  expect((await run('posts delete first')).complaints).toEqual(['first is not the number of a post.']);
  expect((await run(`posts mark-sensitive ${id}`)).code).toBe(1);
  expect((await run(`posts delete ${id} --text "No adverts"`)).printed).toEqual([`Deleted: ${id}`]);
  expect((await run(`posts delete ${id}`)).complaints).toEqual(['Record not found']);
});

test('accounts are rejected, and lose their pictures and what they have left here', async () => {
  await addAccount(gateway.actors, 'newcomer', { approved: false });
  expect((await run('accounts reject newcomer')).printed).toEqual(['Rejected newcomer.']);
  expect((await run('accounts reject bob')).code).toBe(1);
  const dan = await addAccount(gateway.actors, 'dan');
  const avatarPicture = { file: { name: 'avatar.png', bytes: 9 } };
  await gateway.actors.call(Account.changeProfile.to(dan, { avatarPicture }));
  expect((await run('accounts remove-pictures dan')).complaints).toEqual(['It takes --avatar, --header, or both.']);
  expect((await run('accounts remove-pictures dan --header')).complaints).toEqual(['The account has no such picture.']);
  expect((await run('accounts remove-pictures dan --avatar --header')).printed).toEqual(['Removed pictures of dan.']);
  expect((await run('accounts sign-ins dan')).printed).toEqual([]);
  expect((await run('accounts unblock-email dan')).code).toBe(1);
  await run('accounts modify dan --suspend');
  expect((await run('accounts unblock-email dan')).printed).toEqual(['The address of dan may sign up again.']);
  expect((await run('accounts remove-data dan')).printed).toEqual(['What dan left here is being removed.']);
  expect((await run('accounts remove-data dan')).code).toBe(1);
});

test('sign-ins are listed', async () => {
  const until = gateway.actors.clock.now() + 1_000;
  const signIn = { way: 'password' as const, succeeded: false, address: '192.0.2.7', userAgent: 'A\nbrowser', until };
  await gateway.actors.call(Account.signedIn.to(bob.id, signIn));
  expect((await run('accounts sign-ins bob')).printed[0]).toMatch(
    /Z {2}password, failed {2}192\.0\.2\.7 {2}A browser$/,
  );
});

test('a rule for another server is changed, by the name of its domain', async () => {
  await run('domains block rude.example --severity silence --reject-media --comment Rude');
  const modified = await run('domains modify rude.example --severity suspend --accept-media');
  expect(modified.printed).toEqual(['rude.example  suspend  (Rude)']);
  expect((await run('domains modify rude.example')).complaints).toEqual(['Nothing was asked to be changed.']);
  expect((await run('domains modify kind.example --obfuscate')).code).toBe(1);
});
