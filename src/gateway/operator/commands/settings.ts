/** Commands about settings: registrations, published lists, hashtags that are not proposed. */
import { audiences, invitationModes, registrationModes } from '../../../actors/instance/instance.messages.ts';
import { type FeedAccess, feedAccesses, ownTopicAccesses } from '../../../actors/policy/feed-access.ts';
import { changeSettings } from '../../../operations/administration/change-settings.ts';
import { changeThumbnail } from '../../../operations/administration/change-thumbnail.ts';
import {
  listDisallowedHashtags,
  setHashtagDisallowed,
} from '../../../operations/administration/disallowed-hashtags.ts';
import { optionLimits } from '../../../options/limits.ts';
import { command } from './command.ts';
import { pictureAt, text, wholeNumberOf, wordOf } from './reading.ts';

const registrations = command({
  words: 'settings registrations',
  argument: 'MODE',
  sentence: `Sets who may sign up: ${registrationModes.join(', ')}.`,
  read: (mode) => ({ registrations: wordOf(mode, registrationModes) }),
  mayComeFirst: true,
  operation: changeSettings,
  print: (_changed, { registrations: mode }) => [`Registrations: ${mode}`],
});

const invitations = command({
  words: 'settings invites',
  argument: 'MODE',
  sentence: `Sets who may invite people, besides those whose role says so: ${invitationModes.join(', ')}. With approval and free it is everybody; with free nobody who comes needs approval.`,
  read: (mode) => ({ invitations: wordOf(mode, invitationModes) }),
  mayComeFirst: true,
  operation: changeSettings,
  print: (_changed, { invitations: mode }) => [`Invites: ${mode}`],
});

const title = command({
  words: 'settings title',
  argument: 'TITLE',
  sentence: 'Sets the name of the server.',
  read: (given) => ({ title: given }),
  mayComeFirst: true,
  operation: changeSettings,
  print: (_changed, { title: set }) => [`Title: ${set}`],
});

const description = command({
  words: 'settings description',
  argument: 'TEXT',
  sentence: 'Sets the description of the server, a sentence or two.',
  read: (given) => ({ description: given }),
  mayComeFirst: true,
  operation: changeSettings,
  print: (_changed, { description: set }) => [`Description: ${set}`],
});

const contact = command({
  words: 'settings contact',
  argument: 'NAME',
  sentence: 'Sets the contact account of the server.',
  read: (username) => ({ contact: username }),
  operation: changeSettings,
  print: (_changed, { contact: username }) => [`Contact: ${username}`],
});

const thumbnail = command({
  words: 'settings thumbnail',
  argument: 'PATH',
  flags: { description: { value: 'TEXT', sentence: 'What the picture shows, for those who do not see it.' } },
  sentence: 'Sets the picture of the server, from a file: its middle is shown in 1200 by 630 pixels, and twice that.',
  read: (path, flags) => ({ picture: pictureAt(path, 'thumbnail'), description: text(flags, 'description') }),
  operation: changeThumbnail,
  print: () => ['The picture of the server is another now.'],
});

const noThumbnail = command({
  words: 'settings remove-thumbnail',
  sentence: 'Shows the built-in picture of the server again.',
  read: () => ({}),
  operation: changeThumbnail,
  print: () => ['The built-in picture of the server is shown again.'],
});

type FeedField = 'localLiveFeeds' | 'remoteLiveFeeds' | 'localTopicFeeds' | 'remoteTopicFeeds';

const onOff = ['on', 'off'] as const;

/** A list about the server that is public while switched on. */
function publication(word: string, field: 'publishPeers' | 'publishActivity', what: string) {
  return command({
    words: `settings ${word}`,
    argument: 'on|off',
    sentence: `Publishes ${what}, or stops publishing it.`,
    read: (given) => ({ [field]: wordOf(given, onOff) === 'on' }),
    mayComeFirst: true,
    operation: changeSettings,
    print: (_changed, changes) => [`Published: ${changes[field] === true ? 'yes' : 'no'}`],
  });
}

/** A list about the server, or a part of it, for everybody, for those who have signed in, or for nobody. */
function audience(name: string, field: 'domainBlocksFor' | 'domainBlockReasonsFor', what: string) {
  return command({
    words: `settings ${name}`,
    argument: audiences.join('|'),
    sentence: `Sets who sees ${what}.`,
    read: (given) => ({ [field]: wordOf(given, audiences) }),
    mayComeFirst: true,
    operation: changeSettings,
    print: (_changed, changes) => [`Shown to: ${changes[field]}`],
  });
}

/** Who reads a public timeline. */
function feed<Field extends FeedField>(name: string, field: Field, accesses: readonly FeedAccess[], what: string) {
  return command({
    words: `settings ${name}`,
    argument: accesses.join('|'),
    sentence: `Sets who reads ${what}: everybody, who has signed in, or only whose role says so.`,
    read: (given) => ({ [field]: wordOf(given, accesses) }),
    mayComeFirst: true,
    operation: changeSettings,
    print: (_changed, changes) => [`Read by: ${changes[field]}`],
  });
}

/** What the server does while it is switched on. */
function toggle(
  name: string,
  field: 'trends' | 'trendableByDefault' | 'reasonRequired' | 'emailSubscriptions',
  sentence: string,
) {
  return command({
    words: `settings ${name}`,
    argument: 'on|off',
    sentence,
    read: (given) => ({ [field]: wordOf(given, onOff) === 'on' }),
    mayComeFirst: true,
    operation: changeSettings,
    print: (_changed, changes) => [changes[field] === true ? 'On' : 'Off'],
  });
}

const remoteStatusDays = command({
  words: 'settings remote-status-days',
  argument: 'DAYS',
  sentence: 'Sets after how many days posts of other servers go that nobody here uses; 0 keeps all.',
  read: (days) => ({
    remoteStatusDays: days === '0' ? 0 : wholeNumberOf(days, optionLimits.remoteStatusDaysMax),
  }),
  mayComeFirst: true,
  operation: changeSettings,
  print: (_changed, { remoteStatusDays: days }) => [days === 0 ? 'All are kept' : `They go after ${days} days`],
});

const disallow = command({
  words: 'settings disallowed-hashtags add',
  argument: 'HASHTAG',
  sentence: 'Disallows a hashtag: nobody here posts with it, it does not trend, and searches do not suggest it.',
  read: (hashtag) => ({ hashtag, isDisallowed: true }),
  mayComeFirst: true,
  operation: setHashtagDisallowed,
  print: (name) => [`Disallowed: #${name}`],
});

const allow = command({
  words: 'settings disallowed-hashtags remove',
  argument: 'HASHTAG',
  sentence: 'Allows a disallowed hashtag again.',
  read: (hashtag) => ({ hashtag, isDisallowed: false }),
  operation: setHashtagDisallowed,
  print: (name) => [`Allowed: #${name}`],
});

const disallowed = command({
  words: 'settings disallowed-hashtags list',
  sentence: 'Lists the disallowed hashtags.',
  read: () => ({}),
  operation: listDisallowedHashtags,
  print: (names) => (names.length === 0 ? ['All hashtags are allowed.'] : names.map((name) => `#${name}`)),
});

export const settingsCommands = [
  registrations,
  invitations,
  title,
  description,
  contact,
  thumbnail,
  noThumbnail,
  publication('peers', 'publishPeers', 'the list of known servers'),
  publication('activity', 'publishActivity', 'the weekly activity statistics'),
  audience('domain-blocks', 'domainBlocksFor', 'the list of blocked servers'),
  audience('domain-block-reasons', 'domainBlockReasonsFor', 'the reasons in the list of blocked servers'),
  toggle('trends', 'trends', 'Shows what trends, or nothing.'),
  toggle(
    'trendable-by-default',
    'trendableByDefault',
    'Sets whether something trends that nobody has reviewed: a hashtag, a post, a link.',
  ),
  feed('local-live-feed', 'localLiveFeeds', feedAccesses, 'the timeline of public posts of this server'),
  feed('remote-live-feed', 'remoteLiveFeeds', feedAccesses, 'the timeline of public posts of other servers'),
  feed('local-topic-feed', 'localTopicFeeds', ownTopicAccesses, 'posts of this server with a hashtag or a link'),
  feed('remote-topic-feed', 'remoteTopicFeeds', feedAccesses, 'posts of other servers with a hashtag or a link'),
  remoteStatusDays,
  toggle('reason-required', 'reasonRequired', 'Sets whether whoever needs approval has to say why.'),
  toggle(
    'email-subscriptions',
    'emailSubscriptions',
    'Lets people subscribe by mail to accounts whose role has the permission manage_email_subscriptions, and that offer it.',
  ),
  disallow,
  allow,
  disallowed,
];
