/** What authors say of media. */
import { describe, expect, test } from 'vitest';
import { describedMedia } from '../../../src/operations/media/described-media.ts';

describe('the focal point', () => {
  test.each([
    ['0.25,-0.75', { focusX: 0.25, focusY: -0.75 }],
    [' 1 , 1 ', { focusX: 1, focusY: 1 }],
    ['7,-7', { focusX: 1, focusY: -1 }],
    ['0.5', { focusX: 0.5, focusY: 0 }],
    ['left,top', { focusX: 0, focusY: 0 }],
    ['0.1,0.2,0.3', { focusX: 0.1, focusY: 0.2 }],
    ['', {}],
    [undefined, {}],
  ])('%j: %j', (focus, expected) => {
    expect(describedMedia({ focus })).toEqual(expected);
  });
});

describe('the description', () => {
  test.each([
    [undefined, {}],
    ['', { description: '' }],
    ['  A bird \n', { description: 'A bird' }],
    ['x'.repeat(10_000), { description: 'x'.repeat(10_000) }],
  ])('%#', (description, expected) => {
    expect(describedMedia({ description })).toEqual(expected);
  });

  test('has a length', () => {
    expect(() => describedMedia({ description: 'x'.repeat(10_001) })).toThrow(/too long \(maximum is 10000/);
  });
});
