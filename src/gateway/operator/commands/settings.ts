/** Commands about settings: registrations, published lists, hashtags that are not proposed. */
import { registrationModes } from '../../../actors/instance/instance.messages.ts';
import { changeSettings } from '../../../operations/administration/change-settings.ts';
import {
  listDisallowedHashtags,
  setHashtagDisallowed,
} from '../../../operations/administration/disallowed-hashtags.ts';
import { command } from './command.ts';
import { wordOf } from './reading.ts';

const registrations = command({
  words: 'settings registrations',
  argument: 'MODE',
  sentence: `Decides who may sign up: ${registrationModes.join(', ')}.`,
  read: (mode) => ({ registrations: wordOf(mode, registrationModes) }),
  operation: changeSettings,
  print: (_changed, { registrations: mode }) => [`Registrations: ${mode}`],
});

const title = command({
  words: 'settings title',
  argument: 'TITLE',
  sentence: 'Names the server.',
  read: (given) => ({ title: given }),
  operation: changeSettings,
  print: (_changed, { title: set }) => [`Title: ${set}`],
});

const description = command({
  words: 'settings description',
  argument: 'TEXT',
  sentence: 'Says in a sentence or two what the server is.',
  read: (given) => ({ description: given }),
  operation: changeSettings,
  print: (_changed, { description: set }) => [`Description: ${set}`],
});

const contact = command({
  words: 'settings contact',
  argument: 'NAME',
  sentence: 'Names the account that answers for the server.',
  read: (username) => ({ contact: username }),
  operation: changeSettings,
  print: (_changed, { contact: username }) => [`Contact: ${username}`],
});

const onOff = ['on', 'off'] as const;

/** A list about the server that is public while switched on. */
function publication(word: string, field: 'publishPeers' | 'publishActivity' | 'publishDomainBlocks', what: string) {
  return command({
    words: `settings ${word}`,
    argument: 'on|off',
    sentence: `Decides whether everybody may read ${what}.`,
    read: (given) => ({ [field]: wordOf(given, onOff) === 'on' }),
    operation: changeSettings,
    print: (_changed, changes) => [`Published: ${changes[field] === true ? 'yes' : 'no'}`],
  });
}

const disallow = command({
  words: 'settings disallowed-hashtags add',
  argument: 'HASHTAG',
  sentence: 'Keeps a hashtag from being proposed: it does not trend, and no search completes it.',
  read: (hashtag) => ({ hashtag, isDisallowed: true }),
  operation: setHashtagDisallowed,
  print: (name) => [`Disallowed: #${name}`],
});

const allow = command({
  words: 'settings disallowed-hashtags remove',
  argument: 'HASHTAG',
  sentence: 'Takes that back.',
  read: (hashtag) => ({ hashtag, isDisallowed: false }),
  operation: setHashtagDisallowed,
  print: (name) => [`Allowed: #${name}`],
});

const disallowed = command({
  words: 'settings disallowed-hashtags list',
  sentence: 'Shows the hashtags that are not proposed.',
  read: () => ({}),
  operation: listDisallowedHashtags,
  print: (names) => (names.length === 0 ? ['All hashtags are allowed.'] : names.map((name) => `#${name}`)),
});

export const settingsCommands = [
  registrations,
  title,
  description,
  contact,
  publication('peers', 'publishPeers', 'which servers this one knows'),
  publication('activity', 'publishActivity', 'how much happened here in each week'),
  publication('domain-blocks', 'publishDomainBlocks', 'which servers are blocked here'),
  disallow,
  allow,
  disallowed,
];
