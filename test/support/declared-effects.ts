/** The effects that actors ask for: all that a file of this name exports, so that none can be left out of a list. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectType } from '../../src/runtime/effects.ts';

export async function declaredEffects(): Promise<EffectType<unknown, unknown>[]> {
  const folder = join(import.meta.dirname, '../../src/actors');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.effects.ts'),
  );
  const modules = (await Promise.all(files.map((file) => import(join(folder, file))))) as Record<string, object>[];
  const values = modules.flatMap((module) => Object.values(module));
  return values.filter((value): value is EffectType<unknown, unknown> => 'request' in value && 'number' in value);
}
