/** Mail over SMTP to a real server that accepts, refuses, hangs and drops. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { envelopeAddress } from '../../../src/actors/policy/email-address.ts';
import { buildMail } from '../../../src/outbound/mail/build-mail.ts';
import type { MailFrame, MailText } from '../../../src/outbound/mail/mail-text.ts';
import { readMailResult } from '../../../src/outbound/mail/read-result.ts';
import { Smtp } from '../../../src/outbound/mail/smtp.ts';
import { smtpServer } from '../../../src/outbound/mail/smtp-options.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { SmtpReceiver } from '../../support/smtp-receiver.ts';

const words = new Languages().source;
const frame = { words, name: 'alice', handle: '@alice@here.example', server: 'here.example' };
const hello: MailText = {
  subject: 'Grüße\r\nBcc: eve@evil.example',
  paragraphs: ['One <b>line</b>', 'שלום'],
  quoted: 'a\nb',
  action: { label: 'Look', address: 'https://here.example/x?a=1&b=2' },
};

function mailTo(to: string, text = hello, list?: MailFrame['list']) {
  const headers = { name: 'one', messageId: '<1@here.example>', at: 0, from: 'no-reply@here.example', to };
  return buildMail(headers, text, { ...frame, list });
}

let receiver: SmtpReceiver;
let port: number;
let smtp: Smtp;

/** `waitMilliseconds`: for each answer. */
function smtpTo(address: string, waitMilliseconds = 60_000): Smtp {
  const server = smtpServer(address, 'here.example');
  return new Smtp({ ...server, connection: { ...server.connection, socketTimeout: waitMilliseconds } });
}

beforeEach(async () => {
  receiver = new SmtpReceiver();
  port = await receiver.listen();
  smtp = smtpTo(`smtp://127.0.0.1:${port}`);
});

afterEach(async () => {
  smtp.close();
  await receiver.close();
});

test('a mail arrives with both texts, in the language of the account, and asks programs for no answer', async () => {
  const list = { topic: 'mention', unsubscribe: 'https://here.example/u/1' };
  const result = await smtp.send(await mailTo('alice@example.org', { ...hello, threadId: 7n }, list));
  expect(result).toEqual({ kind: 'sent', response: '250 taken' });
  const [{ parsed, from, to }] = receiver.mails as [(typeof receiver.mails)[number]];
  expect([from, to]).toEqual(['no-reply@here.example', ['alice@example.org']]);
  expect(parsed.text).toContain('One <b>line</b>');
  expect(parsed.text).toContain('> a\n> b');
  expect(parsed.text).toContain('https://here.example/x?a=1&b=2');
  expect(parsed.html).toContain('<html lang="en" dir="ltr">');
  expect(parsed.html).toContain('One &lt;b&gt;line&lt;/b&gt;');
  expect(parsed.html).toContain('<p dir="auto" style="margin:0 0 16px">שלום</p>');
  expect(parsed.html).not.toMatch(/<img|<link|src=|url\(/);
  expect(parsed.messageId).toBe('<1@here.example>');
  expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
  expect(parsed.inReplyTo).toBe('<thread-7@here.example>');
  expect(parsed.references).toBe('<thread-7@here.example>');
  expect(receiver.mails[0]!.raw).toMatch(/^List-ID: <mention\.alice\.here\.example>\r?$/im);
  expect(receiver.mails[0]!.raw).toMatch(/^List-Unsubscribe: <https:\/\/here\.example\/u\/1>\r?$/m);
  expect(receiver.mails[0]!.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
});

test('neither a text nor an address adds a header', async () => {
  await smtp.send(await mailTo('alice@example.org'));
  const [{ parsed, raw }] = receiver.mails as [(typeof receiver.mails)[number]];
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  expect([...parsed.headers.keys()]).not.toContain('bcc');
  expect(parsed.subject).toContain('Grüße');
});

test('an address with a host outside ASCII is sent to in ASCII', async () => {
  const to = envelopeAddress('alice@bücher.example')!;
  expect(to).toBe('alice@xn--bcher-kva.example');
  const lines: string[] = [];
  expect(await smtp.send(await mailTo(to), (line) => void lines.push(line))).toMatchObject({ kind: 'sent' });
  expect(lines).toContain(`C: RCPT TO:<${to}>`);
});

describe('what the server says', () => {
  test.each([
    ['recipient', 550, 'dropped', true],
    ['recipient', 450, 'failed', false],
    ['content', 554, 'dropped', false],
    ['content', 451, 'failed', false],
    ['sender', 550, 'failed', false],
    ['sender', 421, 'failed', false],
  ] as const)('%s %i: the mail is %s', async (at, code, verdict, isBounce) => {
    receiver.behaviours.set(at === 'sender' ? '*' : 'bob@example.org', { at, code });
    const result = await smtp.send(await mailTo('bob@example.org'));
    expect(result).toMatchObject({ kind: 'refused', stage: at, code });
    expect(readMailResult(result)).toMatchObject({ outcome: { verdict, status: code }, isBounce });
    expect(receiver.mails).toEqual([]);
  });

  test.each(['hang', 'drop'] as const)('a server that makes it %s: the mail is tried again', async (behaviour) => {
    receiver.behaviours.set('bob@example.org', behaviour);
    if (behaviour === 'hang') smtp = smtpTo(`smtp://127.0.0.1:${port}`, 300);
    const result = await smtp.send(await mailTo('bob@example.org'));
    expect(result).toMatchObject({ kind: 'unanswered', stage: 'content' });
    expect(readMailResult(result).outcome).toMatchObject({ verdict: 'failed', isPerhapsTheEntry: true });
  });

  test('no server at all', async () => {
    await receiver.close();
    const result = await smtp.send(await mailTo('bob@example.org'));
    expect(result).toMatchObject({ kind: 'unanswered', stage: 'connection' });
    expect(readMailResult(result).outcome).toMatchObject({ verdict: 'failed', isPerhapsTheEntry: false });
    receiver = new SmtpReceiver();
    await receiver.listen();
  });
});

test('few connections at a time, however many mails there are', async () => {
  const mail = await mailTo('alice@example.org');
  const results = await Promise.all(Array.from({ length: 20 }, () => smtp.send(mail)));
  expect(results.every(({ kind }) => kind === 'sent')).toBe(true);
  expect(receiver.mails).toHaveLength(20);
  expect(receiver.sessionsMax).toBeLessThanOrEqual(5);
});

describe('signing in', () => {
  beforeEach(async () => {
    await receiver.close();
    receiver = new SmtpReceiver({
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        username === 'user' && password === 'a secret/word'
          ? callback(null, { user: 1 })
          : callback(new Error('wrong')),
    });
    port = await receiver.listen();
  });

  test('with the user and the password of the address, which the dialogue does not show', async () => {
    smtp = smtpTo(`smtp://user:a%20secret%2Fword@127.0.0.1:${port}`);
    const lines: string[] = [];
    expect(await smtp.send(await mailTo('alice@example.org'), (line) => void lines.push(line))).toMatchObject({
      kind: 'sent',
    });
    expect(lines.some((line) => line.startsWith('C: RCPT TO:<alice@example.org>'))).toBe(true);
    expect(lines.some((line) => line.startsWith('S: 235'))).toBe(true);
    const secret = Buffer.from('\0user\0a secret/word').toString('base64');
    expect(lines.join('\n')).not.toContain(secret);
    expect(lines.join('\n')).not.toContain('secret/word');
  });

  test('a wrong password is a fault of this server: the mail waits', async () => {
    smtp = smtpTo(`smtp://user:wrong@127.0.0.1:${port}`);
    const result = await smtp.send(await mailTo('alice@example.org'));
    expect(result).toMatchObject({ kind: 'refused', stage: 'sign-in', code: 535 });
    expect(readMailResult(result).outcome).toMatchObject({ verdict: 'failed', isPerhapsTheEntry: false });
  });
});

test.each([
  ['smtp://mail.example', { port: 587, secure: false, requireTLS: false, tls: { rejectUnauthorized: false } }],
  ['smtp://a:b@mail.example', { port: 587, secure: false, requireTLS: true, tls: { rejectUnauthorized: true } }],
  ['smtps://a:b@mail.example', { port: 465, secure: true, requireTLS: false, tls: { rejectUnauthorized: true } }],
  ['smtp://a:b@localhost:25', { port: 25, secure: false, requireTLS: false, tls: { rejectUnauthorized: false } }],
])('%s: a password goes over verified TLS, except on this machine', (address, expected) => {
  expect(smtpServer(address, 'here.example').connection).toMatchObject(expected);
});
