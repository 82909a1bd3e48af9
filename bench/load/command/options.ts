/** Options of the load commands: those of every run, and the settings of a part as `--stream-at-seconds=10`. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { nearestName } from '../../../src/options/nearest.ts';
import { LoadFailure } from '../failure.ts';
import { jsonOf } from '../json.ts';
import { loadLimits } from '../limits.ts';
import { problemsOf } from '../scenario/problems.ts';

export const RunOptions = z.strictObject({
  server: z
    .url({ protocol: /^https?$/, error: 'an address such as http://localhost:3000' })
    .describe('address of the server under test'),
  token: z.string().min(1).optional().describe('of an account to act as'),
  tokens: z.string().optional().describe('file with one token a line'),
  header: z
    .string()
    .regex(/^[\w-]+: *\S/, { error: 'a header is written as "Name: value"' })
    .optional()
    .describe('sent with every request, such as "X-Forwarded-Proto: https" in place of a proxy'),
  pid: z.number().int().positive().optional().describe('process of the server, to measure its CPU and memory'),
  seconds: z.number().positive().max(loadLimits.secondsMax).optional().describe('how long to measure'),
  warmUpSeconds: z.number().min(0).max(loadLimits.warmUpSecondsMax).optional().describe('before that'),
  size: z
    .number()
    .positive()
    .max(100)
    .default(1)
    .describe('factor for sessions, streams and servers of a scenario: 0.1 is a tenth'),
  report: z.string().min(1).optional().describe('file for an HTML page with plots'),
  iRunThisServer: z.boolean().default(false).describe('allows a server that is not on this machine'),
});
export type RunOptions = z.output<typeof RunOptions>;

export type Flags = Readonly<Record<string, z.ZodType>>;

/** Throws a LoadFailure (`usage`) that names every problem. */
export function parseFlags<Shape extends z.ZodRawShape>(
  args: readonly string[],
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const names = Object.keys(schema.shape);
  const { tokens, positionals } = parseArgs({ args: [...args], strict: false, tokens: true, allowPositionals: true });
  if (positionals.length > 0) throw new LoadFailure('usage', `"${positionals[0]}" is not understood.`);
  const values = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = names.find((known) => flagOf(known) === token.rawName);
    if (name === undefined) {
      const near = nearestName(token.rawName, names.map(flagOf));
      throw new LoadFailure(
        'usage',
        `There is no option ${token.rawName}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    }
    values.set(name, readValue(token.value ?? 'true'));
  }
  const parsed = schema.safeParse(textsKept(Object.fromEntries(values), schema));
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, names, ([name, ...rest]) => [flagOf(String(name)), ...rest].join(' '));
  throw new LoadFailure('usage', problems.join('\n'));
}

/** `stormAtSeconds` is --storm-at-seconds. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * What a text on the command line stands for: a number, yes or no, a list of points, proportions as
 * "scroll=4,post=1", or itself.
 */
function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^\[[\d\s.,[\]-]*\]$/.test(text)) return jsonOf(text) ?? text;
  if (/^[^=,]+=\d+(?:\.\d+)?(?:,[^=,]+=\d+(?:\.\d+)?)*$/.test(text))
    return Object.fromEntries(text.split(',').map((one) => [one.split('=')[0]!.trim(), Number(one.split('=')[1])]));
  return text;
}

/** A text that looks like a number stays one where a text is asked for. */
function textsKept<Shape extends z.ZodRawShape>(values: Record<string, unknown>, schema: z.ZodObject<Shape>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const asText = String(value);
      const field = schema.shape[name] as unknown as z.ZodType;
      const isText = typeof value !== 'object' && !field.safeParse(value).success && field.safeParse(asText).success;
      return [name, isText ? asText : value];
    }),
  );
}

/** Throws a LoadFailure for a file without tokens. */
export function readTokens({ token, tokens }: Pick<RunOptions, 'token' | 'tokens'>): string[] {
  if (tokens === undefined) return token === undefined ? [] : [token];
  if (!existsSync(tokens)) throw new LoadFailure('usage', `There is no file ${tokens}.`);
  const lines = readFileSync(tokens, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new LoadFailure('usage', `There is no token in ${tokens}.`);
  return [...(token === undefined ? [] : [token]), ...lines].slice(0, loadLimits.tokensMax);
}
