import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { usage } from '../../../src/gateway/operator/cli/parse.ts';
import { command, notUnderstood } from '../../../src/gateway/operator/commands/command.ts';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
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
