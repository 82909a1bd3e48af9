/**
 * The sources of options: configuration files, environment variables and arguments, each read into a layer of raw
 * values. Problems are collected as sentences, so that an operator sees all of them at once.
 */
import { join } from 'node:path';
import { nearestName } from './nearest.ts';
import { type AnyOption, allOptions } from './table.ts';
import { onOff } from './values.ts';

/** One raw value, and the place where it was found, for sentences. */
export interface RawValue {
  readonly option: AnyOption;
  readonly place: string;
  readonly value: unknown;
}

export type ReadTextFile = (path: string) => string | undefined;

const environmentPrefix = 'MURMURATION_';

/** Variables with our prefix that are not options: one selects the files, one makes the tests run longer. */
const otherVariables = ['MURMURATION_PROFILE', 'MURMURATION_LONG_TESTS'];

/** What replaces removed options, by their bare names. */
const replacedOptions: ReadonlyMap<string, string> = new Map(
  ['TRUST_PROXY', 'trustProxy', 'trust-proxy'].map((name) => [
    name,
    'was replaced: give trustedProxies (MURMURATION_TRUSTED_PROXIES, --trusted-proxies) the number of proxies in front of the server.',
  ]),
);

const profilePattern = /^[a-z][a-z0-9-]{0,63}$/;

const byName = new Map(allOptions.map((option) => [option.name, option]));
const byEnvironment = new Map<string, AnyOption>(allOptions.map((option) => [option.environment, option]));
const byFlag = new Map(allOptions.map((option) => [flagOf(option), option]));

/** `--data-dir` for `MURMURATION_DATA_DIR`. */
export function flagOf(option: AnyOption): string {
  return `--${option.environment.slice(environmentPrefix.length).toLowerCase().replaceAll('_', '-')}`;
}

/** The first existing one of the files, in the order of the folders. */
interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The values of clients.json, default.json, the profile's file and local.json, weakest first. A file that is missing in
 * the first folder is taken from the next; only the file of a profile must exist.
 */
export function readFileLayers(
  folders: readonly string[],
  profile: string | undefined,
  readTextFile: ReadTextFile,
  problems: string[],
): RawValue[] {
  const find = (name: string): ConfigurationFile | undefined => {
    for (const folder of folders) {
      const path = join(folder, name);
      const text = readTextFile(path);
      if (text !== undefined) return { path, text };
    }
    return undefined;
  };
  const files = [find('clients.json'), find('default.json')];
  if (profile !== undefined) {
    const file = profilePattern.test(profile) ? find(`${profile}.json`) : undefined;
    if (file === undefined) problems.push(profileProblem(profile, folders));
    files.push(file);
  }
  files.push(find('local.json'));
  return files.flatMap((file) => (file === undefined ? [] : readFileLayer(file, problems)));
}

function profileProblem(profile: string, folders: readonly string[]): string {
  if (!profilePattern.test(profile)) {
    return `MURMURATION_PROFILE must be a name of lower-case letters, digits and hyphens, not ${JSON.stringify(profile)}.`;
  }
  return `MURMURATION_PROFILE names the profile "${profile}", but there is no ${profile}.json in ${folders.join(' or ')}.`;
}

/** Keys that begin with two slashes are comments. */
function readFileLayer({ path, text }: ConfigurationFile, problems: string[]): RawValue[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    problems.push(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`);
    return [];
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`${path} must hold one JSON object with options by their names.`);
    return [];
  }
  const entries = Object.entries(content).filter(([key]) => !key.startsWith('//'));
  return entries.flatMap(([key, value]) => {
    const option = byName.get(key);
    if (option !== undefined) return [{ option, place: `${path}: "${key}"`, value }];
    problems.push(unknownName(`${path}: "${key}"`, key, byName, (name) => `"${name}"`));
    return [];
  });
}

/** Every variable with our prefix; an empty one counts as unset. */
export function readEnvironmentLayer(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): RawValue[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    if (!variable.startsWith(environmentPrefix) || otherVariables.includes(variable)) return [];
    const option = byEnvironment.get(variable);
    if (option === undefined) problems.push(unknownName(variable, variable, byEnvironment, (name) => name));
    return option === undefined || value === undefined || value === '' ? [] : [{ option, place: variable, value }];
  });
}

/** The profile that arguments name, which wins over the environment, and the other arguments. */
export function takeProfile(programArguments: readonly string[]): { named?: string; others: readonly string[] } {
  const at = programArguments.findIndex((argument) => argument === '--profile' || argument.startsWith('--profile='));
  if (at < 0) return { others: programArguments };
  const attached = programArguments[at]!.slice('--profile='.length);
  const isAttached = programArguments[at]!.includes('=');
  const named = isAttached ? attached : (programArguments[at + 1] ?? '');
  return { named, others: programArguments.toSpliced(at, isAttached ? 1 : 2) };
}

/** Arguments of the form `--port=4000` or `--port 4000`; a switch without a value, as `--trust-proxy`, switches on. */
export function readArgumentLayer(programArguments: readonly string[], problems: string[]): RawValue[] {
  const values: RawValue[] = [];
  for (let index = 0; index < programArguments.length; index += 1) {
    const argument = programArguments[index]!;
    const [, flag = argument, attached] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const option = byFlag.get(flag);
    if (option === undefined) {
      problems.push(flag.startsWith('-') ? unknownName(flag, flag, byFlag, (name) => name) : commandBehind(argument));
      continue;
    }
    const next = programArguments[index + 1];
    const hasNext = attached === undefined && next !== undefined && !next.startsWith('-');
    if (hasNext) index += 1;
    const value = attached ?? (hasNext ? next : isSwitch(option) ? 'on' : undefined);
    if (value === undefined) problems.push(`${flag} needs a value: ${flag}=….`);
    else values.push({ option, place: flag, value });
  }
  return values;
}

function isSwitch({ schema }: AnyOption): boolean {
  return schema === onOff;
}

function commandBehind(word: string): string {
  return `${word} is not an option. A command comes first, and takes its options from the environment: MURMURATION_DATA_DIR=… murmuration ${word}`;
}

function unknownName(
  place: string,
  given: string,
  known: ReadonlyMap<string, AnyOption>,
  show: (name: string) => string,
): string {
  // Shared prefixes would make all names look similar.
  const bare = (name: string) => name.replace(/^(MURMURATION_|--)/, '');
  const replacement = replacedOptions.get(bare(given));
  if (replacement !== undefined) return `${place} ${replacement}`;
  const names = new Map([...known.keys()].map((name) => [bare(name), name]));
  const nearest = nearestName(bare(given), [...names.keys()]);
  const advice = nearest === undefined ? '--help lists them all' : `did you mean ${show(names.get(nearest)!)}?`;
  return `${place} is not an option; ${advice}${nearest === undefined ? '.' : ''}`;
}
