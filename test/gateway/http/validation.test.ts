import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { integer, list, required, text, textUpTo } from '../../../src/gateway/http/parameter-types.ts';
import { validate } from '../../../src/gateway/http/validation.ts';

describe('sentences', () => {
  test.each<[string, z.ZodObject, unknown, string]>([
    ['one field', z.object({ title: required(text) }), {}, "Title can't be blank"],
    [
      'several fields',
      z.object({ scheduled_at: required(text), limit: integer }),
      { limit: 'x' },
      "Scheduled at can't be blank, Limit is not a number",
    ],
    [
      'a field in a list',
      z.object({ fields_attributes: list(z.object({ name: textUpTo(1) })) }),
      { fields_attributes: [{ name: 'ab' }] },
      'Fields attributes name is too long (maximum is 1 characters)',
    ],
    [
      'too many of a list',
      z.object({ options: z.array(z.string()).max(1) }),
      { options: ['a', 'b'] },
      'Options has the wrong length (maximum is 1)',
    ],
    [
      'words of the schema',
      z.object({ agreement: z.literal('1', 'must be accepted') }),
      { agreement: '0' },
      'Agreement must be accepted',
    ],
    [
      'the whole',
      z.object({ a: text }).refine(() => false, 'Media and poll exclude each other'),
      {},
      'Media and poll exclude each other',
    ],
  ])('about %s', (_case, schema, value, sentence) => {
    expect(() => validate(schema, value)).toThrow(sentence);
  });

  test('are not endless', () => {
    const schema = z.object({ numbers: list(z.number()) });
    const refuse = () => validate(schema, { numbers: Array.from({ length: 100 }, () => 'x') });
    expect(refuse).toThrow(/^(?:Numbers is not a number(?:, )?){10}$/);
  });
});

test('unknown parameters are ignored', () => {
  expect(validate(z.object({ a: text }), { a: '1', b: '2' })).toEqual({ a: '1' });
});
