/** How long the threads of a server ran without looking for new requests: what processes/stretches.ts writes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { WrittenStretches } from '../processes/stretches.ts';

type MeasuredRole = 'gateway' | 'owner';
const measuredRoles: readonly MeasuredRole[] = ['gateway', 'owner'];

/** Of all threads with a role, in milliseconds, longest first. */
export type Stretches = Readonly<
  Record<MeasuredRole, { readonly cpu: readonly number[]; readonly wall: readonly number[] }>
>;

export interface StretchFolder {
  readonly path: string;
  remove(): void;
}

export function stretchFolder(): StretchFolder {
  const path = mkdtempSync(join(tmpdir(), 'murmuration-stretches-'));
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Measures while `work` runs. `toggle` tells the server to begin and to end. */
export async function measureStretches(
  path: string,
  toggle: () => void,
  work: () => Promise<void>,
): Promise<Stretches> {
  for (const name of readdirSync(path)) rmSync(join(path, name));
  toggle();
  await until(() => measuredRoles.every((role) => readdirSync(path).some((name) => name.startsWith(role))));
  await work();
  toggle();
  await until(() => readdirSync(path).every((name) => name.endsWith('.json')));
  const of = (role: MeasuredRole) => {
    const written = readdirSync(path)
      .filter((name) => name.startsWith(role))
      .map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as WrittenStretches);
    const longestFirst = (values: readonly number[]) => values.toSorted((one, other) => other - one);
    return {
      cpu: longestFirst(written.flatMap(({ cpu }) => cpu)),
      wall: longestFirst(written.flatMap(({ wall }) => wall)),
    };
  };
  return { gateway: of('gateway'), owner: of('owner') };
}

const attemptsMax = 500;
const pauseMilliseconds = 10;

async function until(isSo: () => boolean): Promise<void> {
  for (let attempt = 0; !isSo(); attempt += 1) {
    if (attempt === attemptsMax) throw new Error('the threads of the server do not answer');
    await setTimeout(pauseMilliseconds);
  }
}
