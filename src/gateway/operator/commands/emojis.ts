/** Commands about the custom emojis of this server. */
import type { StoredEmoji } from '../../../actors/instance/instance.messages.ts';
import { allEmojis, putEmoji, removeEmoji } from '../../../operations/administration/emojis.ts';
import { command } from './command.ts';
import { text } from './reading.ts';

const add = command({
  words: 'emojis add',
  argument: 'SHORTCODE',
  flags: {
    image: { value: 'URL', required: true, sentence: 'Address of the picture.' },
    'static-image': { value: 'URL', sentence: 'Address of a picture that does not move; by default the same.' },
    category: { value: 'NAME', sentence: 'Where it stands among the emojis to choose from.' },
    hidden: { sentence: 'It is not among the emojis to choose from, and can only be typed.' },
  },
  sentence: 'Adds a custom emoji, or replaces the one with this shortcode.',
  read: (shortcode, given) => ({
    shortcode,
    image: text(given, 'image') ?? '',
    staticImage: text(given, 'static-image'),
    category: text(given, 'category'),
    isHidden: given.hidden === true,
  }),
  mayComeFirst: true,
  operation: putEmoji,
  print: (_added, { shortcode }) => [`Added :${shortcode}:`],
});

const remove = command({
  words: 'emojis remove',
  argument: 'SHORTCODE',
  sentence: 'Removes a custom emoji; what was written with it keeps it.',
  read: (shortcode) => ({ shortcode }),
  operation: removeEmoji,
  print: (_removed, { shortcode }) => [`Removed :${shortcode}:`],
});

const list = command({
  words: 'emojis list',
  sentence: 'Lists the custom emojis of this server.',
  read: () => ({}),
  operation: allEmojis,
  print: (emojis) => (emojis.length === 0 ? ['There are no custom emojis.'] : emojis.map(lineOf)),
});

function lineOf({ shortcode, url, category, visibleInPicker }: StoredEmoji): string {
  const notes = [...(category === undefined ? [] : [category]), ...(visibleInPicker ? [] : ['hidden'])];
  return [`:${shortcode}:`, url, ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`])].join('  ');
}

export const emojiCommands = [add, remove, list];
