/** The mail of the server, as the operator sees and tests it: `mail status` and `mail test`. */
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import { createMail } from '../../../src/outbound/mail/create-mail.ts';
import type { LaneReport } from '../../../src/services/delivery-lanes.ts';
import type { MailState } from '../../../src/services/mail.ts';
import { networkMail } from '../../../src/services/network-mail.ts';
import { Callers } from '../../operations/callers.ts';
import { roomyCaches } from '../../support/caches.ts';
import { only } from '../../support/only.ts';
import { SmtpReceiver } from '../../support/smtp-receiver.ts';

const fine: LaneReport = {
  host: 'fine.example',
  state: 'healthy',
  pending: 0,
  hasMore: false,
  failures: 0,
  failingSince: undefined,
  nextAttemptAt: undefined,
  lastAnswerAt: undefined,
  refusals: 0,
  lastRefusal: undefined,
  lastError: undefined,
  lastDeliveredAt: undefined,
  waitingSince: undefined,
  isHeld: false,
};
const counts = { sent: 2, failed: 1, refused: 1, tooMany: 0, overwritten: 0 };
const ignored = { attempted: () => undefined, waitShortened: () => undefined, dropped: () => undefined };

test('what the threads have sent is added up', async () => {
  const { services } = new Callers();
  const states: MailState[] = [
    { to: 'mail.example:25', lanes: [fine], counts },
    { to: 'mail.example:25', lanes: [{ ...fine, host: 'far.example', pending: 3 }], counts },
  ];
  const ask = async (index: number) => states[index] as never;
  Object.assign(services, { mail: networkMail(ask, { isOn: true, networkThreads: 2 }) });
  const status = commands.find(({ words }) => words === 'mail status')!;
  expect((await status.run!(services, status.read('', {}))).lines).toEqual([
    'Mail goes to mail.example:25.',
    'Sent 4, failed attempts 2, refused for good 2, above the bound of an address 0, without room 0.',
    'far.example  healthy, 3 pending, no answer yet',
    'fine.example  healthy, 0 pending, no answer yet',
  ]);
});

test('a test mail is sent at once, and the dialogue is shown', async () => {
  const receiver = new SmtpReceiver();
  receiver.behaviours.set('bob@example.org', { at: 'recipient', code: 550 });
  const port = await receiver.listen();
  const { services } = new Callers();
  const options = { ...services.options, smtpUrl: `smtp://127.0.0.1:${port}` };
  const thread = {
    ...services,
    options,
    caches: roomyCaches('network'),
    index: 0,
    count: 1,
    mailFolder: 'mails',
    trace: undefined,
  };
  const role = createMail(only('network services', thread), ignored);
  onTestFinished(async () => {
    role.close();
    await receiver.close();
  });
  const ask = (_index: number, topic: string, request: unknown) =>
    new Map(role.answerers).get(topic)!(request) as never;
  Object.assign(services, { mail: networkMail(ask, { isOn: true, networkThreads: 1 }) });
  const command = commands.find(({ words }) => words === 'mail test')!;
  const run = async (address: string) => (await command.run!(services, command.read(address, {}))).lines;
  const taken = await run('alice@example.org');
  expect(taken).toContain('C: RCPT TO:<alice@example.org>');
  expect(taken.at(-1)).toBe('Sent: 250 taken');
  expect(receiver.mails[0]!.parsed.subject).toBe('A test of the mail of here.example');
  expect((await run('bob@example.org')).at(-1)).toBe('Not sent: 550 refused by the recipient');
  await expect(run('nobody')).rejects.toThrow('nobody is not an e-mail address.');
});
