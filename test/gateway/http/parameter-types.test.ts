import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { textOf } from '../../../src/gateway/http/failures.ts';
import {
  boolean,
  choice,
  demanded,
  file,
  group,
  groupList,
  id,
  idList,
  integer,
  integerWithin,
  limit,
  list,
  offsetUpTo,
  optionalId,
  pageParameters,
  readUpTo,
  required,
  text,
  textList,
  textUpTo,
  wordList,
} from '../../../src/gateway/http/parameter-types.ts';
import { RepeatedValues, UploadedFile } from '../../../src/gateway/http/parameters/tree.ts';
import { validate } from '../../../src/gateway/http/validation.ts';
import { Failure } from '../../../src/runtime/errors.ts';

const missing = Symbol('missing');

/** The value of one parameter after validation, or the sentence of the refusal. */
function read(schema: z.ZodType, value: unknown): unknown {
  const given = value === missing ? {} : { it: value };
  try {
    return (validate(z.object({ it: schema }), given) as { it?: unknown }).it;
  } catch (error) {
    if (error instanceof Failure) return textOf(error);
    throw error;
  }
}

/** As forms and queries give what came several times under one name. */
const repeated = (...values: string[]) => RepeatedValues.from(values);
const invalid = 'It is invalid';

const photo = new UploadedFile('a.png', 'image/png', '/nowhere', 1);

describe.each<[string, z.ZodType, [unknown, unknown][]]>([
  [
    'boolean',
    boolean,
    [
      ['f', false],
      ['F', false],
      ['0', false],
      ['false', false],
      ['FALSE', false],
      ['False', false],
      ['off', false],
      ['OFF', false],
      ['true', true],
      ['True', true],
      ['1', true],
      ['on', true],
      ['no', true],
      ['', undefined],
      [null, undefined],
      [missing, undefined],
      [true, true],
      [false, false],
      [0, false],
      [1, true],
      [repeated('true', 'false'), false],
      [['true'], invalid],
      [[], invalid],
      [{}, invalid],
      [photo, invalid],
    ],
  ],
  [
    'boolean with a default',
    boolean.default(true),
    [
      ['', true],
      [missing, true],
      ['0', false],
    ],
  ],
  [
    'integer',
    integer,
    [
      ['12', 12],
      ['-3', -3],
      [' 7 ', 7],
      [7, 7],
      ['', undefined],
      [null, undefined],
      [missing, undefined],
      [repeated('1', '2'), 2],
      [['1'], invalid],
      [{}, invalid],
      ['x', 'It is not a number'],
      ['1.5', 'It is not a number'],
      ['99999999999999999999', 'It is not a number'],
    ],
  ],
  [
    'integer within bounds',
    integerWithin(300, 2_629_746),
    [
      ['300', 300],
      [299, 'It must be greater than or equal to 300'],
      ['2629747', 'It must be less than or equal to 2629746'],
    ],
  ],
  [
    'text',
    text,
    [
      ['a', 'a'],
      ['', ''],
      [5, '5'],
      [true, 'true'],
      [null, undefined],
      [missing, undefined],
      [repeated('a', 'b'), 'b'],
      [['a', 'b'], invalid],
      [[], invalid],
      [{ a: 1 }, invalid],
      [photo, invalid],
    ],
  ],
  [
    'text of bounded length',
    textUpTo(3),
    [
      ['abc', 'abc'],
      ['abcd', 'It is too long (maximum is 3 characters)'],
    ],
  ],
  [
    'choice',
    choice(['public', 'private']),
    [
      ['public', 'public'],
      ['', undefined],
      ['secret', 'It is not included in the list'],
      [repeated('private', 'public'), 'public'],
      [['public'], invalid],
      [{ 0: 'public' }, invalid],
    ],
  ],
  [
    'id',
    id,
    [
      ['109', 109n],
      [109, 109n],
      ['1x', 'Record not found'],
      ['-1', 'Record not found'],
      ['', 'Record not found'],
      ['9223372036854775808', 'Record not found'],
      [missing, "It can't be blank"],
    ],
  ],
  [
    'optionalId',
    optionalId,
    [
      ['109', 109n],
      ['', undefined],
      [null, undefined],
      [missing, undefined],
      ['x', 'Record not found'],
      [repeated('108', '109'), 109n],
      [['109'], invalid],
      [{ id: '109' }, invalid],
    ],
  ],
  [
    'idList',
    idList,
    [
      [
        ['1', '2'],
        [1n, 2n],
      ],
      ['1', [1n]],
      [
        [3, '2'],
        [3n, 2n],
      ],
      [
        ['x', '2'],
        [0n, 2n],
      ],
      [{ 0: '5', 1: '6' }, [5n, 6n]],
      [repeated('5', '6'), [5n, 6n]],
      ['', undefined],
      [missing, undefined],
    ],
  ],
  [
    'textList',
    textList,
    [
      [
        ['a', 1],
        ['a', '1'],
      ],
      ['a', ['a']],
      [missing, undefined],
    ],
  ],
  [
    'wordList',
    wordList,
    [
      [
        ['a', '', 1],
        ['a', '1'],
      ],
      ['a', ['a']],
      [[''], undefined],
      [[], undefined],
      [missing, undefined],
    ],
  ],
  [
    'list of hashes',
    list(z.object({ name: text })),
    [
      [[{ name: 'a' }], [{ name: 'a' }]],
      [{ 0: { name: 'a' }, 1: { name: 'b' } }, [{ name: 'a' }, { name: 'b' }]],
      [{ name: 'a' }, [{ name: 'a' }]],
    ],
  ],
  [
    'file',
    file({ bytesMax: 10 }),
    [
      [photo, photo],
      ['https://cdn.example/old.png', undefined],
      [RepeatedValues.of<string | UploadedFile>('https://cdn.example/old.png', photo), photo],
      [missing, undefined],
    ],
  ],
  [
    'limit',
    limit(20, 40),
    [
      ['10', 10],
      [10, 10],
      ['0', 1],
      ['-5', 1],
      ['41', 40],
      ['9999999999999999', 40],
      ['x', 20],
      ['', 20],
      [missing, 20],
      [repeated('5', '6'), 6],
      [['5'], invalid],
      [{}, invalid],
      ['2.5', 20],
    ],
  ],
  [
    'cursor',
    pageParameters(20, 40).max_id,
    [
      ['109', 109n],
      ['0', 0n],
      ['', undefined],
      [missing, undefined],
      ['99999999999999999999999', (1n << 63n) - 1n],
      ['null', 0n],
      ['-1', 0n],
      ['12abc', 12n],
      ['1.5', 1n],
      [repeated('1', '109'), 109n],
      [['109'], invalid],
      [{}, invalid],
    ],
  ],
  [
    'position that was read',
    readUpTo,
    [
      ['109', 109n],
      [missing, undefined],
      ['99999999999999999999999', (1n << 63n) - 1n],
      ['x', 'It is not an id'],
      ['-1', 'It is not an id'],
    ],
  ],
  [
    'offset',
    offsetUpTo(100),
    [
      ['100', 100],
      ['null', 0],
      ['', undefined],
      [missing, undefined],
      ['-1', 'It must be greater than or equal to 0'],
      ['101', 'It must be less than or equal to 100'],
      [['1'], invalid],
    ],
  ],
  [
    'group',
    group({ one: text }),
    [
      [{ one: 'a', two: 'b' }, { one: 'a' }],
      [{}, {}],
      [missing, undefined],
      [null, undefined],
      ['', undefined],
      ['a', undefined],
      [['a'], undefined],
    ],
  ],
  [
    'list of groups',
    groupList({ one: text }),
    [
      [
        [{ one: 'a' }, 'b', { two: 'c' }],
        [{ one: 'a' }, {}],
      ],
      [{ 0: { one: 'a' } }, [{ one: 'a' }]],
      ['undefined', []],
      [missing, undefined],
    ],
  ],
  [
    'required text',
    required(text),
    [
      ['a', 'a'],
      ['', "It can't be blank"],
      [missing, "It can't be blank"],
    ],
  ],
  [
    'required list',
    required(idList),
    [
      [['1'], [1n]],
      [missing, "It can't be blank"],
    ],
  ],
  [
    'demanded text',
    demanded('it', text),
    [
      ['a', 'a'],
      [missing, 'param is missing or the value is empty: it'],
      ['', 'param is missing or the value is empty: it'],
    ],
  ],
])('%s', (_name, schema, table) => {
  test.each(table)('%j', (value, expected) => {
    expect(read(schema, value)).toEqual(expected);
  });
});
