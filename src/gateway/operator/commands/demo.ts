/** The command that fills a server for the development of applications. */
import { dialects } from '../../../actors/session/session.messages.ts';
import { createDemo } from '../../../operations/administration/create-demo.ts';
import { command } from './command.ts';
import { word } from './reading.ts';

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

export const demoCommands = [demo];
