import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { usage } from '../../../src/gateway/operator/cli/parse.ts';
import { command, notUnderstood, ofTheMachine } from '../../../src/gateway/operator/commands/command.ts';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import { reads } from '../../../src/operations/audit.ts';
import { operation } from '../../../src/operations/operation.ts';
import { Callers } from '../../operations/callers.ts';

describe('a command', () => {
  const greeting = operation({
    input: z.object({ name: z.string(), loud: z.boolean() }),
    permission: 'operateMachine',
    audit: { nothing: 'a greeting' },
    run: async ({ caller }, { name }) => `${caller.kind} greets ${name}`,
  });
  const greet = command({
    words: 'greet',
    argument: 'NAME',
    flags: { loud: { sentence: 'Loudly.' } },
    sentence: 'Greets.',
    read: (name, flags) => ({ name, loud: flags.loud === true }),
    operation: greeting,
    print: (words, { loud }) => [loud ? words.toUpperCase() : words],
  });

  test('runs its operation for the operator with what was typed, and prints', async () => {
    const { services } = new Callers();
    expect(await greet.run!(services, greet.read('bob', { loud: true }))).toEqual({
      lines: ['OPERATOR GREETS BOB'],
      goesOn: false,
    });
    expect(usage(greet)).toBe('murmuration greet NAME [--loud]');
  });

  test.each([[{}], [{ name: 1, loud: false }], [undefined]])('is not run with %j', async (input) => {
    const { services } = new Callers();
    await expect(greet.run!(services, input)).rejects.toMatchObject({ code: 'validation', message: notUnderstood });
  });
});

test('no two commands are typed alike, nor does one begin another', () => {
  const words = commands.map((one) => one.words);
  expect(words.filter((one) => words.some((other) => other !== one && `${other} `.startsWith(`${one} `)))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});

test('what commands decide is written to the audit log; others say why there is nothing to write', async () => {
  const operations = new Map<unknown, string>();
  for await (const path of glob('src/operations/**/*.ts'))
    for (const [name, value] of Object.entries((await import(resolve(path))) as Record<string, unknown>))
      operations.set(value, name);
  const deciding = commands.filter(({ audit }) => typeof audit === 'string');
  // For the command line they are called, and their entries read, in test/operations/staff.test.ts.
  expect(deciding.filter(({ operation: called }) => !operations.has(called)).map(({ words }) => words)).toEqual([]);
  const others = commands.filter(({ audit }) => typeof audit !== 'string' && audit !== reads && audit !== ofTheMachine);
  expect(others.map(({ words }) => words).sort()).toEqual(
    [
      // Each of their decisions writes an entry of its own.
      ...['accounts modify', 'accounts rotate-keys', 'demo'],
      // What they ask for would be asked for in any case, or can be had again.
      ...[
        'accounts refetch',
        'deliveries retry',
        'relay doctor',
        'mail test',
        'media prune',
        'media refresh',
        'media move',
      ],
      ...['search rebuild', 'dead-letters retry', 'dead-letters drop', 'dead-letters delete-record'],
    ].sort(),
  );
});
