/** Mail by a whole server over SMTP: it is killed while mails wait, or while one is under way, and sends each once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFormBrowser, type FormBrowser } from '../support/form-browser.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { SmtpReceiver } from '../support/smtp-receiver.ts';
import { openStream } from '../support/stream-readers.ts';
import { until } from '../support/until.ts';

const names = ['anna', 'ben', 'cleo', 'dora', 'emil', 'finn'] as const;
const addressOf = (name: string) => `${name}@${name}.example`;

let receiver: SmtpReceiver;
let smtpPort: number;
let server: RunningServer;

/** Its clock may be set forward. */
const environment = () => ({
  MURMURATION_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MURMURATION_CLOCK: `${new Date().toISOString().slice(0, 19)}Z`,
});

beforeAll(async () => {
  receiver = new SmtpReceiver();
  // It closes, and listens there again.
  smtpPort = await receiver.listen(await freePort());
  server = await startTestServer({ environment: environment() });
  const password = ['--password', 'correct horse battery', '--confirmed', '--approved'];
  for (const name of names) await server.run('accounts', 'create', name, '--email', addressOf(name), ...password);
});

afterAll(async () => {
  await server.stop();
  await receiver.close();
});

/** Each account is told once more than before. */
async function disable(name: string): Promise<void> {
  await server.run('accounts', 'modify', name, '--disable');
}

const subjectsTo = (name: string) =>
  receiver.mails.filter(({ to }) => to.includes(addressOf(name))).map(({ parsed }) => parsed.subject);
const pending = async () => {
  const lanes = (await server.run('mail', 'status')).matchAll(/(\d+) pending/g);
  return [...lanes].reduce((sum, [, count]) => sum + Number(count), 0);
};

async function killAndStart(): Promise<void> {
  await server.kill();
  const { dataDirectory, port } = server;
  server = await startTestServer({ dataDirectory, port, environment: environment() });
}

test('a mail that was under way when the server was killed is sent, and none that had arrived is sent again', async () => {
  receiver.behaviours.set(addressOf('anna'), 'hang');
  await disable('anna');
  await disable('ben');
  // The answer of the SMTP server was stored, which is the moment from which on nothing is repeated.
  await until(async () => (await server.run('mail', 'status')).includes('Sent 1,'), { description: 'the mail to ben' });
  receiver.behaviours.clear();
  await killAndStart();
  await until(() => subjectsTo('anna').length === 1, { description: 'the mail to anna' });
  // What comes after it in the same lane.
  await server.run('accounts', 'modify', 'ben', '--enable');
  await until(() => subjectsTo('ben').length === 2, { description: 'the next mail to ben' });
  expect(subjectsTo('ben')).toEqual(['Your account was disabled', 'Your account is open again']);
});

test('mails that wait for an SMTP server outlive the death of this one, and arrive once each', async () => {
  await receiver.close();
  const waiting = names.slice(2);
  for (const name of waiting) await disable(name);
  await until(async () => (await pending()) >= waiting.length, { description: 'the mails to wait' });
  await killAndStart();
  // Lanes are read after the start.
  await until(async () => (await pending()) >= waiting.length, { description: 'the mails to wait again' });
  receiver = new SmtpReceiver();
  expect(await receiver.listen(smtpPort)).toBe(smtpPort);
  await server.run('deliveries', 'retry', 'all');
  await until(() => waiting.every((name) => subjectsTo(name).length > 0), { description: 'all mails' });
  await until(async () => (await pending()) === 0, { description: 'nothing to wait any more' });
  expect(waiting.map((name) => subjectsTo(name))).toEqual(waiting.map(() => ['Your account was disabled']));
  expect(await server.run('accounts', 'show', 'anna')).not.toContain('refuses');
});

test('a mail server that refuses an address: it is counted, and shown to the operator', async () => {
  receiver.behaviours.set(addressOf('finn'), { at: 'recipient', code: 550 });
  await server.run('accounts', 'modify', 'finn', '--enable');
  await until(async () => /550/.test(await server.run('accounts', 'show', 'finn')), { description: 'the refusal' });
  expect(await server.run('mail', 'status')).toContain('refused for good 1');
});

test('an announcement is sent to everybody once, also when the server is killed meanwhile', async () => {
  const olga = await server.createUser('olga');
  await server.run('accounts', 'modify', 'olga', '--role', 'admin');
  const published = await server.run('announcements', 'publish', 'Tea at five');
  const [, id] = /announcement (\d+)/.exec(published)!;
  const path = `/api/murmuration/v1/admin/announcements/${id}/mail`;
  expect((await server.fetch(path, { method: 'POST', token: olga.token })).status).toBe(200);
  const isAnnouncement = ({ subject }: { subject?: string | undefined }) =>
    subject?.startsWith('Announcement of') === true;
  const announcements = () => receiver.mails.filter(({ parsed }) => isAnnouncement(parsed));
  await until(() => announcements().length > 0, { description: 'the first mails' });
  await killAndStart();
  await until(() => receiver.mails.some(({ to, parsed }) => to.includes(olga.email) && isAnnouncement(parsed)), {
    description: 'the mail to olga',
  });
  expect((await server.fetch(path, { method: 'POST', token: olga.token })).status).toBe(422);
  await expect(server.run('announcements', 'mail', id!)).rejects.toThrow(/already/);
  await until(async () => (await pending()) === 0, { description: 'nothing to wait any more' });
  // What was under way when the server died may come twice, with the same Message-ID: nothing else. Others are disabled.
  const told = Map.groupBy(announcements(), ({ to }) => to[0]!);
  expect(new Set(told.keys())).toEqual(new Set([addressOf('ben'), olga.email]));
  for (const mails of told.values()) expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
});

test('who has a stream open is told nothing by mail; who has none is, two minutes after it happened', async () => {
  const reader = await server.createUser('reader');
  const away = await server.createUser('away');
  const writer = await server.createUser('writer');
  const mention = async (text: string) => {
    const json = { status: `@reader @away ${text}` };
    expect((await server.fetch('/api/v1/statuses', { method: 'POST', token: writer.token, json })).status).toBe(200);
  };
  const mailsTo = ({ email }: { email: string }) => receiver.mails.filter(({ to }) => to.includes(email));
  const told = (who: { email: string }, text: string) => mailsTo(who).some(({ parsed }) => parsed.text?.includes(text));
  const later = () => server.run('clock', 'forward', '180');
  const stream = await openStream(server, 'server-sent events', { channel: 'user', token: reader.token });
  await mention('The first tide');
  await until(() => stream.events.some(({ event }) => event === 'notification'), { description: 'the notification' });
  await later();
  await until(() => told(away, 'first tide'), { description: 'the first mail' });
  await mention('The second tide');
  await later();
  await until(() => told(away, 'second tide'), { description: 'the second mail' });
  stream.close();
  await until(
    async () => {
      await mention('The third tide');
      await later();
      return told(reader, 'third tide');
    },
    { description: 'a mail to who has left' },
  );
  // The last that came while the stream was open may be decided about only now: it is not looked at.
  expect(told(reader, 'first tide')).toBe(false);
});

test('whoever subscribes to an account gets its posts by mail, until one click ends it', async () => {
  const herald = await server.createUser('herald');
  await server.run('accounts', 'modify', 'herald', '--role', 'owner');
  await server.run('settings', 'email-subscriptions', 'on');
  const zoe = 'zoe@zoe.example';
  const path = `/api/v1/accounts/${herald.id}/email_subscriptions`;
  const subscribe = async (email?: string) => (await server.fetch(path, { method: 'POST', json: { email } })).status;
  const offered = async () => {
    const answer = await server.fetch(`/api/v1/accounts/${herald.id}`);
    return ((await answer.json()) as { email_subscriptions?: boolean }).email_subscriptions;
  };
  expect([await offered(), await subscribe(zoe)]).toEqual([false, 404]);
  const open = (browser: FormBrowser, where: string) => browser.open(`${server.origin}${where}`);
  const [owner, visitor] = [createFormBrowser(), createFormBrowser()];
  expect((await open(visitor, '/@herald')).html).not.toContain('/email_subscriptions');
  const { email, password } = herald;
  await owner.submit(await open(owner, '/auth/sign_in'), '/auth/sign_in', { email, password });
  const switching = '/web/settings/email-subscriptions';
  await owner.submit(await open(owner, '/settings/mails'), switching, { email_subscriptions: '1' });
  expect([await offered(), await subscribe('zoe'), await subscribe()]).toEqual([true, 422, 422]);
  const asked = await visitor.submit(await open(visitor, '/@herald'), '/email_subscriptions', { email: zoe });
  expect([asked.status, asked.html]).toEqual([200, expect.stringContaining('Look into your mailbox')]);
  const mails = () => receiver.mails.filter(({ to }) => to.includes(zoe));
  const linkIn = (text: string | undefined) => {
    const [, found] = /(\/email_subscriptions\/\w+\?token=[\w.-]+)/.exec(text ?? '') ?? [];
    return found!;
  };
  await until(() => mails().length === 1, { description: 'the mail that asks' });
  const confirmation = linkIn(mails()[0]!.parsed.text);
  const confirming = await open(visitor, confirmation);
  expect(await server.run('accounts', 'show', 'herald')).not.toContain(zoe);
  const confirmed = await visitor.submit(confirming, '/email_subscriptions/confirmation', {});
  expect([confirmed.status, confirmed.html]).toEqual([200, expect.stringContaining('from now on')]);
  // Who has subscribed already is told the same, and sent nothing.
  expect(await subscribe(zoe)).toBe(200);
  expect((await open(owner, '/settings/mails')).html).toContain('1 person has subscribed.');
  const post = async (status: string) => {
    const json = { status };
    expect((await server.fetch('/api/v1/statuses', { method: 'POST', token: herald.token, json })).status).toBe(200);
  };
  await post('The wren is back');
  await server.run('clock', 'forward', '400');
  await until(() => mails().length === 2, { description: 'the post' });
  const { parsed } = mails()[1]!;
  expect([parsed.subject, parsed.text]).toEqual(['A new post by herald', expect.stringContaining('The wren is back')]);
  // As programs of mail send it.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const ending = linkIn(parsed.text);
  for (let time = 0; time < 2; time += 1)
    expect((await fetch(`${server.origin}${ending}`, { method: 'POST', body })).status).toBe(200);
  expect((await open(visitor, confirmation)).html).toContain('<button');
  expect((await fetch(`${server.origin}${confirmation}`, { method: 'POST', body })).status).toBe(403);
  expect((await open(owner, '/settings/mails')).html).toContain('0 people have subscribed.');
  await subscribe(zoe);
  await server.run('accounts', 'end-email-subscriptions', 'herald');
  expect([await offered(), await subscribe(zoe)]).toEqual([false, 404]);
  await server.run('settings', 'email-subscriptions', 'off');
  expect(await offered()).toBeUndefined();
});
