/**
 * Loads the options of the server. Weakest first: the defaults of the table, config/clients.json, config/default.json,
 * config/<profile>.json (MURMURATION_PROFILE or --profile), config/local.json, environment variables, arguments. Every
 * value is validated, even one that a stronger source overrides, and all problems are reported at once.
 */
import { readFileSync } from 'node:fs';
import {
  type RawValue,
  type ReadTextFile,
  readArgumentLayer,
  readEnvironmentLayer,
  readFileLayers,
  takeProfile,
} from './layers.ts';
import { optionLimits } from './limits.ts';
import { projectFile } from './project-files.ts';
import { allOptions, type Options } from './table.ts';

/** The configuration that comes with the program. */
export const packageConfigurationFolder = projectFile('config');

export interface LoadOptionsInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The operator's folder; a missing file is taken from the one that comes with the program. */
  readonly configurationFolder: string;
  /** Of the form `--port=4000` or `--port 4000`, stronger than the environment. */
  readonly arguments?: readonly string[];
  /** The text of a file, undefined when there is none. */
  readonly readTextFile?: ReadTextFile;
}

/** Its message has one sentence for each problem of the given options. */
export class OptionsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'OptionsError';
    this.problems = problems;
  }
}

/** Throws an OptionsError with all problems. Reads nothing but the files it asks `readTextFile` for. */
export function loadOptions(input: LoadOptionsInput): Options {
  const problems: string[] = [];
  const folders = [...new Set([input.configurationFolder, packageConfigurationFolder])];
  const { named, others } = takeProfile(input.arguments ?? []);
  const profile = named ?? (input.environment.MURMURATION_PROFILE || undefined);
  const given = [
    ...readFileLayers(folders, profile, input.readTextFile ?? readIfPresent, problems),
    ...readEnvironmentLayer(input.environment, problems),
    ...readArgumentLayer(others, problems),
  ];
  const values = parseValues(given, problems);
  if (problems.length > 0) throw new OptionsError(problems);
  return withDefaults(values);
}

function parseValues(given: readonly RawValue[], problems: string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { option, place, value } of given) {
    const parsed = option.schema.safeParse(value);
    if (parsed.success) values.set(option.name, parsed.data);
    else
      problems.push(
        `${place} must be ${option.schema.description}, ${option.isSecret ? 'which the given value is not' : `not ${shown(value)}`}.`,
      );
  }
  return values;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= optionLimits.shownCharactersMax ? text : `${text.slice(0, optionLimits.shownCharactersMax)}…`;
}

function withDefaults(values: Map<string, unknown>): Options {
  const fixed = allOptions.map(({ name, default: value }) => [name, values.has(name) ? values.get(name) : value]);
  const known = Object.fromEntries(fixed) as Options;
  const computed = fixed.map(([name, value]) => [name, typeof value === 'function' ? value(known) : value]);
  return Object.freeze(Object.fromEntries(computed)) as Options;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
