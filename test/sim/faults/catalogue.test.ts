/** The planted faults apply to the sources of today: `npm run test:faults` shows that each is found. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { plantedFaults } from './catalogue.ts';
import { faultKinds, type PlantedFault, withFault } from './fault.ts';

const root = join(import.meta.dirname, '../../..');

test.each(plantedFaults)('$name', (fault) => {
  const source = readFileSync(join(root, fault.file), 'utf8');
  const faulty = withFault(fault, source);
  expect(faulty).not.toBe(source);
  // What cannot be loaded would be found by anything.
  expect(() => transformSync(faulty, { loader: 'ts' })).not.toThrow();
  expect(existsSync(join(root, fault.foundBy))).toBe(true);
});

test('there are forty and more, each of a name of its own, and one of each kind at least', () => {
  expect(plantedFaults.length).toBeGreaterThanOrEqual(40);
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
  expect(faultKinds.filter((kind) => !plantedFaults.some((fault) => fault.kind === kind))).toEqual([]);
});

describe('a fault is refused', () => {
  const fault: PlantedFault = {
    name: 'nobody is counted',
    kind: 'bounds',
    file: 'a.ts',
    original: 'count += 1;',
    replacement: '',
    foundBy: 'a.test.ts',
  };

  test.each([
    ['that has no place', fault, 'count -= 1;', '0 places'],
    ['that has two', fault, 'count += 1; count += 1;', '2 places'],
    ['that changes nothing', { ...fault, replacement: 'count += 1;' }, 'count += 1;', 'changes nothing'],
  ])('%s', (_name, planted, source, complaint) => {
    expect(() => withFault(planted, source)).toThrow(complaint);
  });

  test('and the others are planted as they stand', () => {
    expect(withFault({ ...fault, replacement: '$& $1' }, 'a; count += 1; b;')).toBe('a; $& $1 b;');
  });
});
