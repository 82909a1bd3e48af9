/** Lists and posts that people take over from elsewhere. */
import { forms } from '../message.ts';

export const imports = {
  title: 'Bring lists and posts along',
  introduction:
    'Files that another server has exported, as comma-separated values. You can have up to {rows} rows in one.',
  list: 'What is in it',
  file: 'The file',
  mode: 'What you have here already',
  merge: 'stays, and what is in the file is added',
  overwrite: 'is replaced: what is not in the file is removed',
  begin: 'Import',
  names: {
    follows: 'Whom you follow',
    blocks: 'Whom you block',
    mutes: 'Whom you mute',
    domainBlocks: 'Servers that you hide',
    lists: 'Your lists',
    bookmarks: 'Your bookmarks',
    filters: 'Your filters',
    posts: 'Your posts',
  },
  past: 'Your imports',
  keptFor: 'What became of each row is kept for {days} days.',
  progress: '{tried} of {rows} rows are done',
  states: {
    running: 'It is running.',
    cancelled: 'It was cancelled.',
    failed: 'It could not go on.',
    ended: 'It has ended.',
  },
  taken: forms({ one: '{count} row was taken over.', other: '{count} rows were taken over.' }),
  failed: forms({ one: '{count} row was not taken over:', other: '{count} rows were not taken over:' }),
  row: 'Row {line}: {reason}',
  results: {
    unreadable: 'this is no row of such a list, or no post',
    unknown: 'not found',
    unreachable: 'its server does not answer',
    refused: 'not possible here',
    boost: 'a boost, which is left out',
    direct: 'a direct message, which is left out',
    foreign: 'by somebody else',
    undated: 'without a date that can be',
    withoutMedia: 'taken over without some of its files',
  },
  failures: 'All of these rows as a file',
  posts: {
    title: 'Your posts',
    introduction:
      'The archive that another server has made of your account (zip or tar.gz). Your posts come here with their dates, pictures, content warnings and audience, and nobody is notified; bookmarks in it come too. Boosts, favourites and direct messages are left out. The other account must be <link>an alias</link> of this one.',
    file: 'The archive',
    begin: 'Import posts',
    reading: 'The archive is being read.',
  },
  cancel: 'Cancel',
  noFile: 'Please choose a file.',
} as const;
