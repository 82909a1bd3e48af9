/** Reads a scenario: one of those that come with the tool by its name, or a file; and makes it smaller or shorter. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nearestName } from '../../../src/options/nearest.ts';
import { LoadFailure } from '../failure.ts';
import { jsonOf } from '../json.ts';
import { loadLimits } from '../limits.ts';
import { partKinds } from '../parts.ts';
import type { Rate } from '../run/arrivals.ts';
import { problemsOf } from './problems.ts';
import { Scenario } from './scenario.ts';

const folder = join(import.meta.dirname, '../scenarios');
const ending = '.json';

/** Names of the scenarios that come with the tool. */
export function scenarioNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();
}

/** Throws a LoadFailure that says what is wrong with it. */
export function readScenario(nameOrPath: string): Scenario {
  const names = scenarioNames();
  const path = names.includes(nameOrPath) ? join(folder, nameOrPath + ending) : nameOrPath;
  if (!existsSync(path)) {
    const near = nearestName(nameOrPath, names);
    throw new LoadFailure(
      'scenarioInvalid',
      `There is no scenario and no file ${nameOrPath}.${near === undefined ? '' : ` Did you mean ${near}?`} There are ${names.join(', ')}.`,
    );
  }
  if (statSync(path).size > loadLimits.scenarioBytesMax)
    throw new LoadFailure('scenarioInvalid', `${path} is larger than ${loadLimits.scenarioBytesMax} bytes.`);
  return parseScenario(readFileSync(path, 'utf8'), path);
}

export function parseScenario(text: string, path: string): Scenario {
  const json = jsonOf(text);
  if (json === undefined) throw new LoadFailure('scenarioInvalid', `${path} is not JSON.`);
  const parsed = Scenario.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, knownNames);
  throw new LoadFailure('scenarioInvalid', `${path} is no scenario:\n${problems.map((one) => `  ${one}`).join('\n')}`);
}

const knownNames: readonly string[] = [
  ...Object.keys(Scenario.shape),
  ...new Set(Object.values(partKinds).flatMap(({ settings }) => Object.keys(settings.shape))),
];

/** `size`: of everything that grows with it; `seconds`: how long it takes then, its moments with it. */
export function resized(scenario: Scenario, size: number, seconds: number | undefined): Scenario {
  const time = seconds === undefined ? 1 : seconds / scenario.seconds;
  const parts = scenario.parts.map((part) => {
    const { grows, moments } = partKinds[part.kind] as { grows: readonly string[]; moments: readonly string[] };
    const changed = Object.entries(part).map(([name, value]) => {
      const factor = grows.includes(name) ? size : 1;
      if (name === 'rate') return [name, resizedRate(value as Rate, factor, time)];
      if (moments.includes(name)) return [name, (value as number) * time];
      return [name, factor === 1 ? value : resizedCount(value as number, factor)];
    });
    return Object.fromEntries(changed);
  });
  return Scenario.parse({
    ...scenario,
    seconds: scenario.seconds * time,
    warmUpSeconds: scenario.warmUpSeconds * Math.min(1, time),
    parts,
  });
}

function resizedCount(value: number, factor: number): number {
  return value === 0 ? 0 : Math.max(1, Math.round(value * factor));
}

function resizedRate(rate: Rate, size: number, time: number): Rate {
  if (typeof rate === 'number') return rate * size;
  return rate.map(([at, perSecond]) => [at * time, perSecond * size] as const);
}
