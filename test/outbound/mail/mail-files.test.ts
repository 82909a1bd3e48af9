/** Mail as files, where there is no SMTP server. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailLimits } from '../../../src/outbound/mail/limits.ts';
import { MailFiles } from '../../../src/outbound/mail/mail-files.ts';

let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'mails-'));
  folder = join(base, 'mails');
});

afterEach(() => rm(base, { recursive: true }));

const mail = (name: string) => ({ name, from: 'a@b.example', to: 'c@d.example', content: Buffer.from(`mail ${name}`) });

test('only the server can read them, and a mail that is written again is there once', async () => {
  const files = new MailFiles(folder);
  await Promise.all([files.send(mail('one')), files.send(mail('two')), files.send(mail('one'))]);
  expect((await readdir(folder)).sort()).toEqual(['one.eml', 'two.eml']);
  expect(await readFile(join(folder, 'one.eml'), 'utf8')).toBe('mail one');
  expect((await stat(join(folder, 'one.eml'))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('the oldest make room', async () => {
  const files = new MailFiles(folder);
  const names = Array.from({ length: mailLimits.filesMax + 2 }, (_, index) => String(index).padStart(6, '0'));
  await Promise.all(names.map((name) => files.send(mail(name))));
  const left = (await readdir(folder)).sort();
  expect([left.length, left[0]]).toEqual([mailLimits.filesMax, '000002.eml']);
});

test('a folder that cannot be made: the mail is tried again', async () => {
  const result = await new MailFiles('/dev/null/mails').send(mail('one'));
  expect(result).toMatchObject({ kind: 'unanswered', stage: 'content' });
});
