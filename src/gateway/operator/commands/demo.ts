/** Commands for the development of applications: they fill a server, and move its clock. */
import { dialects } from '../../../actors/session/session.messages.ts';
import { createDemo } from '../../../operations/administration/create-demo.ts';
import { clockSecondsMax } from '../admin/requests.ts';
import { command, threadCommand } from './command.ts';
import { wholeNumberOf, word } from './reading.ts';

const demo = command({
  words: 'demo',
  flags: { dialect: { value: 'DIALECT', sentence: `Dialect of the tokens: ${dialects.join(' or ')}.` } },
  sentence:
    'Creates alice and bob, who follow each other, with posts and a token each; for developers of applications.',
  read: (_argument, flags) => ({ dialect: word(flags, 'dialect', dialects) }),
  mayComeFirst: true,
  operation: createDemo,
  print: (people) =>
    people.map(({ username, email, password, token }) => `${username}: ${email}, password ${password}, token ${token}`),
});

const forward = threadCommand({
  words: 'clock forward',
  argument: 'SECONDS',
  sentence:
    'Sets the clock of a server forward that was started with MURMURATION_CLOCK; for developers of applications.',
  read: (seconds) => ({ seconds: wholeNumberOf(seconds, clockSecondsMax, 'The seconds') }),
});

export const demoCommands = [demo, forward];
