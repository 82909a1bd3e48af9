import { beforeEach, describe, expect, test } from 'vitest';
import { getMarkers, postMarkers } from '../../../src/gateway/rest/markers/markers.endpoints.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

let { api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ api, alice, bob } = await newPeople());
});

const post = (given: object) => api.ask(postMarkers, alice, given as Record<string, unknown>);
const get = async (person: Person, timeline?: unknown) =>
  (await api.ask(getMarkers, person, timeline === undefined ? {} : { timeline })).body;
const marker = (id: string, version: number) => ({ last_read_id: id, version, updated_at: expect.any(String) });

describe('markers', () => {
  test('are answered as they were written, with a version that goes up', async () => {
    expect((await post({ home: { last_read_id: '12' } })).body).toEqual({ home: marker('12', 1) });
    const both = { home: { last_read_id: 13 }, notifications: { last_read_id: '99999999999999999999' } };
    expect((await post(both)).body).toEqual({
      home: marker('13', 2),
      notifications: marker('9223372036854775807', 1),
    });
    await post({ home: { last_read_id: '14' } });
    expect(await get(alice, ['home', 'notifications'])).toMatchObject({
      home: marker('14', 3),
      notifications: { version: 1 },
    });
  });

  test.each([
    ['nothing', undefined, []],
    ['one', ['home'], ['home']],
    ['one by a single word', 'notifications', ['notifications']],
    ['a timeline that there is not', ['public', '__proto__'], []],
  ])('are those that were asked for: %s', async (_what, timeline, names) => {
    await post({ home: { last_read_id: '12' }, notifications: { last_read_id: '13' } });
    expect(Object.keys(await get(alice, timeline))).toEqual(names);
    expect(await get(bob, timeline)).toEqual({});
  });

  test('of nothing write nothing', async () => {
    expect((await post({})).body).toEqual({});
    for (const given of [{ public: { last_read_id: '12' } }, { home: '12' }])
      expect((await post(given)).body).toEqual({});
    expect(await get(alice, ['home', 'notifications'])).toEqual({});
  });

  test.each([
    ['a word', { last_read_id: 'word' }, 'Home last read id is not an id'],
    ['nothing', { last_read_id: '' }, "Home last read id can't be blank"],
    ['another name', { id: '12' }, "Home last read id can't be blank"],
    ['a list', { last_read_id: ['1', '2'] }, 'Home last read id is invalid'],
  ])('that lead to %s are refused, and none is moved', async (_what, home, words) => {
    const refused = post({ notifications: { last_read_id: '12' }, home });
    await expect(refused).rejects.toMatchObject({ code: 'validation', message: `Validation failed: ${words}` });
    expect(await get(alice, ['home', 'notifications'])).toEqual({});
  });
});
