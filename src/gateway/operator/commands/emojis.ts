/** Commands about the custom emojis of this server. */
import type { StoredEmoji } from '../../../actors/instance/instance.messages.ts';
import { allEmojis, changeEmoji, copyEmoji, putEmoji, removeEmoji } from '../../../operations/administration/emojis.ts';
import { command, type FlagValues } from './command.ts';
import { demandChange, either, pictureAt, text, UsageError } from './reading.ts';

const add = command({
  words: 'emojis add',
  argument: 'SHORTCODE',
  flags: {
    file: {
      value: 'PATH',
      sentence: 'The picture, as PNG, GIF, WebP or JPEG: it is kept with the media of this server.',
    },
    image: { value: 'URL', sentence: 'Address of the picture instead: it stays where it is.' },
    'static-image': { value: 'URL', sentence: 'Address of a picture that does not move; by default the same.' },
    category: { value: 'NAME', sentence: 'Where it stands among the emojis to choose from.' },
    hidden: { sentence: 'It is not among the emojis to choose from, and can only be typed.' },
  },
  sentence: 'Adds a custom emoji, or replaces the one with this shortcode.',
  read: (shortcode, given) => ({
    shortcode,
    ...source(given),
    staticImage: text(given, 'static-image'),
    category: text(given, 'category'),
    isHidden: given.hidden === true,
  }),
  mayComeFirst: true,
  operation: putEmoji,
  print: (_added, { shortcode }) => [`Added :${shortcode}:`],
});

/** Reads a file here: the server may run as another user. */
function source(given: FlagValues): { image?: string; picture?: string } {
  const [file, image] = [text(given, 'file'), text(given, 'image')];
  if ((file === undefined) === (image === undefined)) throw new UsageError('Either --file or --image is needed.');
  return file === undefined ? { image: image! } : { picture: pictureAt(file, 'emoji') };
}

const change = command({
  words: 'emojis change',
  argument: 'SHORTCODE',
  flags: {
    category: { value: 'NAME', sentence: 'Where it stands among the emojis to choose from; empty for nowhere.' },
    hidden: { sentence: 'It is not among the emojis to choose from.' },
    shown: { sentence: 'It is among them again.' },
    disabled: { sentence: 'Nobody can use it any more; what was written with it keeps it.' },
    enabled: { sentence: 'It can be used again.' },
  },
  sentence: 'Changes a custom emoji.',
  read(shortcode, given) {
    demandChange(given);
    const isHidden = either(given, 'hidden', 'shown');
    return { shortcode, category: text(given, 'category'), isHidden, isDisabled: either(given, 'disabled', 'enabled') };
  },
  operation: changeEmoji,
  print: (_changed, { shortcode }) => [`Changed :${shortcode}:`],
});

const copy = command({
  words: 'emojis copy',
  argument: 'SHORTCODE',
  flags: {
    from: { value: 'ADDRESS', required: true, sentence: 'A post or an account of another server that shows it.' },
    as: { value: 'SHORTCODE', sentence: 'Its name here; the same by default.' },
    category: { value: 'NAME', sentence: 'Where it stands among the emojis to choose from.' },
  },
  sentence: 'Takes over an emoji of another server: its picture is kept with the media of this one.',
  read: (shortcode, given) => ({
    shortcode,
    from: text(given, 'from') ?? '',
    name: text(given, 'as'),
    category: text(given, 'category'),
  }),
  operation: copyEmoji,
  print: ({ shortcode }) => [`Added :${shortcode}:`],
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

function lineOf({
  shortcode,
  url,
  category,
  visibleInPicker,
  isDisabled = false,
}: Omit<StoredEmoji, 'picture'>): string {
  const notes = [
    ...(category === undefined ? [] : [category]),
    ...(visibleInPicker ? [] : ['hidden']),
    ...(isDisabled ? ['disabled'] : []),
  ];
  return [`:${shortcode}:`, url, ...(notes.length === 0 ? [] : [`(${notes.join(', ')})`])].join('  ');
}

export const emojiCommands = [add, change, copy, remove, list];
