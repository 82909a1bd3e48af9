/** Commands about the mail of the server. */
import { mailState, testMail } from '../../../operations/administration/mail.ts';
import { command } from './command.ts';
import { describeLane } from './deliveries.ts';

const status = command({
  words: 'mail status',
  sentence: 'Shows where mail goes, what was sent since the start, and the hosts of addresses whose mail fails first.',
  read: () => ({}),
  operation: mailState,
  print: ({ to, counts, hosts, rest }) => [
    `Mail goes to ${to}.`,
    `Sent ${counts.sent}, failed attempts ${counts.failed}, refused for good ${counts.refused}, above the bound of an address ${counts.tooMany}, without room ${counts.overwritten}.`,
    ...hosts.map(describeLane),
    ...(rest > 0 ? [`${rest} more hosts are doing better.`] : []),
  ],
});

const test = command({
  words: 'mail test',
  argument: 'ADDRESS',
  sentence: 'Sends a mail to an address at once, and prints the dialogue with the SMTP server.',
  read: (email) => ({ email }),
  operation: testMail,
  print: ({ isSent, outcome, dialogue }) => [...dialogue, isSent ? `Sent: ${outcome}` : `Not sent: ${outcome}`],
});

export const mailCommands = [status, test];
