/** Parses a command line into a request, or into a sentence about its mistake. */
import { parseArgs } from 'node:util';
import { flagOf } from '../../../options/layers.ts';
import { allOptions } from '../../../options/table.ts';
import type { AdminRequest } from '../admin/requests.ts';
import type { Command, FlagValues } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import { UsageError } from '../commands/reading.ts';

export interface ParsedCommand {
  readonly request: AdminRequest;
  /** Whether it creates the data folder where it is missing. */
  readonly mayComeFirst: boolean;
}

/** Throws UsageError. */
export function parseCommand(words: readonly string[]): ParsedCommand {
  const command = commands.find((candidate) => startsWith(words, candidate.words));
  if (command === undefined) throw new UsageError(`There is no command "${shown(words)}". ${whatThereIs(words[0])}`);
  const rest = words.slice(command.words.split(' ').length);
  const { positionals, values } = parseFlags(command, rest);
  const expected = argumentsOf(command);
  const isReplaced = positionals.length === 0 && command.instead?.some((flag) => values[flag] === true) === true;
  const missing = isReplaced ? undefined : expected[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing: ${usage(command)}`);
  if (positionals.length > expected.length) {
    throw new UsageError(`"${positionals[expected.length]}" is unexpected: ${usage(command)}`);
  }
  for (const [flag, { required }] of Object.entries(command.flags)) {
    if (required === true && values[flag] === undefined)
      throw new UsageError(`--${flag} is missing: ${usage(command)}`);
  }
  const request = { command: command.words, input: command.read(positionals[0] ?? '', values, positionals[1]) };
  return { request, mayComeFirst: command.mayComeFirst === true };
}

/** The commands with the same first word, if any. */
function whatThereIs(first: string | undefined): string {
  const alike = commands.filter(({ words }) => words.split(' ')[0] === first).map(({ words }) => words);
  return alike.length === 0 ? '--help lists them all.' : `There is: ${alike.join(', ')}.`;
}

function startsWith(words: readonly string[], wanted: string): boolean {
  return wanted.split(' ').every((word, index) => words[index] === word);
}

function shown(words: readonly string[]): string {
  const flag = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, flag === -1 ? 2 : Math.min(flag, 2)).join(' ');
}

function parseFlags(command: Command, rest: readonly string[]): { positionals: string[]; values: FlagValues } {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, { value }]) => [
      flag,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  assertValues(command, rest);
  try {
    return parseArgs({ args: [...rest], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const ofServer = rest.map(optionOfServer).find((option) => option !== undefined);
    if (ofServer !== undefined) throw new UsageError(`${ofServer} murmuration ${command.words}`);
    throw new UsageError(`${firstSentence(error.message)} ${usage(command)}`);
  }
}

/** The begin of a sentence about a word that names an option of the server. */
function optionOfServer(word: string): string | undefined {
  const [flag] = word.split('=', 1);
  const option = allOptions.find((candidate) => flagOf(candidate) === flag);
  if (option === undefined) return undefined;
  return `${flag} is an option of the server. A command takes it from the environment: ${option.environment}=…`;
}

/** `parseArgs` takes no value that begins with a dash, unless it is joined to its flag. Throws UsageError. */
function assertValues(command: Command, rest: readonly string[]): void {
  for (const [index, word] of rest.entries()) {
    if (word === '--') return;
    if (!word.startsWith('--') || command.flags[word.slice(2)]?.value === undefined) continue;
    const next = rest[index + 1];
    if (next === undefined) throw new UsageError(`${word} needs a value: ${usage(command)}`);
    if (next.startsWith('-') && next !== '-')
      throw new UsageError(
        `${word} needs a value. A value that begins with a dash is written as ${word}=${next}: ${usage(command)}`,
      );
  }
}

function firstSentence(message: string): string {
  const end = message.search(/\.\s/);
  const sentence = end === -1 ? message : message.slice(0, end);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

/** `murmuration accounts show NAME` */
export function usage(command: Command): string {
  const { words, flags } = command;
  const parts = Object.entries(flags).map(([flag, { value, required }]) => {
    const shape = value === undefined ? `--${flag}` : `--${flag} ${value}`;
    return required === true ? shape : `[${shape}]`;
  });
  return ['murmuration', words, ...argumentsOf(command), ...parts].join(' ');
}

function argumentsOf({ argument }: Command): readonly string[] {
  if (argument === undefined) return [];
  return typeof argument === 'string' ? [argument] : argument;
}
