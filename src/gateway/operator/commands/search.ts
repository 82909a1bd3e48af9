/** Commands about the search in posts. */
import { rebuildSearch, searchState } from '../../../operations/administration/search-index.ts';
import type { SearchState } from '../../../services/search/search.ts';
import { command } from './command.ts';

const barCharacters = 30;

function linesOf({ statuses, bytes, rebuilt, commitsBehind, problem }: SearchState): string[] {
  return [
    `Posts in the index: ${statuses}`,
    `Size: ${(bytes / 1_000_000).toFixed(1)} MB`,
    `Commits that are not read yet: ${commitsBehind}`,
    rebuilt === undefined ? 'The index is complete.' : `Built: ${percentOf(rebuilt)}`,
    ...(problem === undefined ? [] : [`It is left alone for the moment: ${problem}`]),
  ];
}

function progressLine(rebuilt: number, statuses: number): string {
  const bar = '#'.repeat(Math.floor(rebuilt * barCharacters)).padEnd(barCharacters, '.');
  return `[${bar}] ${percentOf(rebuilt)}: ${statuses} posts`;
}

function percentOf(part: number): string {
  return `${Math.floor(100 * part)} %`;
}

const status = command({
  words: 'search status',
  sentence: 'Shows the state of the index for searching in posts.',
  read: () => ({}),
  operation: searchState,
  print: linesOf,
});

const rebuild = command({
  words: 'search rebuild',
  sentence:
    'Builds the index for searching in posts anew, while it is used. Interrupting the command does not end that: the next call shows how far it is, and a restart of the server goes on.',
  read: () => ({}),
  operation: rebuildSearch,
  goesOn: ({ rebuilt, problem }) => rebuilt !== undefined && problem === undefined,
  print: (state) =>
    state.rebuilt === undefined || state.problem !== undefined
      ? linesOf(state)
      : [progressLine(state.rebuilt, state.statuses)],
});

export const searchCommands = [status, rebuild];
