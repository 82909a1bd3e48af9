import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventFiles } from '../../src/actors/events.ts';

const actors = join(import.meta.dirname, '../../src/actors');

test('the events of every actor are in the list of all', async () => {
  const files = globSync('**/*.events.ts', { cwd: actors });
  const modules = await Promise.all(files.map((file) => import(join(actors, file)) as Promise<object>));
  expect(new Set(eventFiles)).toEqual(new Set(modules));
});
