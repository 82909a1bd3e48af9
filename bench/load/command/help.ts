/** What --help says, from the declarations of commands and settings. */
import type { z } from 'zod';
import { partKindNames, partKinds } from '../parts.ts';
import { scenarioNames } from '../scenario/read-scenario.ts';
import { flagOf, RunOptions } from './options.ts';

const column = 26;

export function helpText(command: string | undefined): string {
  const kind = partKindNames.find((name) => name === command);
  const commands = [
    ...partKindNames.map(
      (name) => `  murmuration load ${name} --server=URL [OPTION …]\n      ${partKinds[name].summary}`,
    ),
    `  murmuration load run SCENARIO --server=URL [OPTION …]\n      several of these at once, as a scenario says: ${scenarioNames().join(', ')}, or a file`,
  ];
  return [
    'Loads a server with the Mastodon API, yours or any other, and measures it from outside. Rates are kept whatever the',
    'server does (open loop), and latencies count from the moment at which something was due. Prints one line of JSON.',
    '',
    ...(kind === undefined ? commands : [`  murmuration load ${kind}\n      ${partKinds[kind].summary}`]),
    '',
    'Options of every run:',
    ...describe(RunOptions.shape),
    ...(kind === undefined ? [] : ['', `Options of ${kind}:`, ...describe(partKinds[kind].settings.shape)]),
    '',
    'docs/benchmarking says how to compare servers fairly, and what a scenario contains.',
  ].join('\n');
}

function describe(shape: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.entries(shape).map(([name, field]) => {
    const byDefault = field.safeParse(undefined);
    const value =
      byDefault.success && byDefault.data !== undefined && byDefault.data !== false ? byDefault.data : undefined;
    const said = value === undefined ? '' : ` (default ${written(value)})`;
    return `  ${flagOf(name).padEnd(column)} ${field.description ?? ''}${said}`;
  });
}

function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}=${String(one)}`)
    .join(',');
}
