/** By which words an account is found. */
import { searchWords } from '../../text/search-words.ts';
import type { Profile } from './profile.records.ts';

/** The words by which an account is found. The user name is one word, whatever it contains. */
export function wordsOfNames({ username, displayName }: Profile): string[] {
  return [username.toLowerCase(), ...searchWords(username), ...searchWords(displayName)];
}
