/** Imports, archives and the rule for old posts, through the API. */
import { beforeEach, describe, expect, test } from 'vitest';
import { archiveEndpoints } from '../../../src/gateway/rest/own-data/archive.ts';
import { importEndpoints } from '../../../src/gateway/rest/own-data/imports.ts';
import { cleanupEndpoints } from '../../../src/gateway/rest/own-data/statuses-cleanup.ts';
import { newPeople } from '../../support/api-people.ts';

const [getImports, postImport, getImport, deleteImport, getFailures, postArchive] = importEndpoints;
const [getCleanup, patchCleanup] = cleanupEndpoints;
const [getArchive, askForArchive, getArchiveFile] = archiveEndpoints;

type Entity = Record<string, unknown> & { id: string };

let { api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ api, alice, bob } = await newPeople());
});

describe('an import', () => {
  const begin = async (given: object = {}) =>
    (
      await api.ask(postImport!, alice, {
        list: 'follows',
        csv: 'Account address\nfar@far.example\nnobody at all\n',
        ...given,
      })
    ).body as Entity;

  test('begins with a file, tells how far it is, and is ended by whoever began it', async () => {
    const begun = await begin();
    expect(begun).toMatchObject({ list: 'follows', mode: 'merge', state: 'running', rows: 2, ended_at: null });
    const { id } = begun;
    expect((await api.ask(getImports!, alice, {})).body).toMatchObject([{ id }]);
    expect((await api.ask(getImports!, bob, {})).body).toEqual([]);
    for (const one of [getImport, deleteImport, getFailures])
      await expect(api.ask(one!, bob, { id })).rejects.toMatchObject({ code: 'notFound' });
    expect((await api.ask(deleteImport!, alice, { id })).body).toMatchObject({ id, state: 'cancelled' });
    expect((await api.ask(getImport!, alice, { id })).body).toMatchObject({ state: 'cancelled' });
    await expect(api.ask(deleteImport!, alice, { id })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('tells which rows could not be read, from a line on', async () => {
    const { id } = await begin();
    const failures = async (given: object = {}) => (await api.ask(getFailures!, alice, { id, ...given })).body;
    expect(await failures()).toEqual([{ line: 3, values: ['nobody at all'], reason: 'unreadable' }]);
    expect(await failures({ after_line: 3 })).toEqual([]);
  });

  test.each([
    ['of a list that there is not', { list: 'friends' }, 'validation'],
    ['without a row that can be read', { csv: 'Account address\nnobody at all\n' }, 'validation'],
    ['without a file', { csv: undefined }, 'validation'],
  ])('%s is refused', async (_what, given, code) => {
    await expect(begin(given)).rejects.toMatchObject({ code });
    expect((await api.ask(getImports!, alice, {})).body).toEqual([]);
  });

  test('of posts takes no file that is no archive, and needs one', async () => {
    await expect(api.ask(postArchive!, alice, {})).rejects.toMatchObject({ code: 'validation' });
    expect((await api.ask(getImports!, alice, {})).body).toEqual([]);
  });

  test('waits for no other: there is one at a time', async () => {
    await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the rule for old posts', () => {
  test('is offered, changed in part, and ended', async () => {
    const read = async () => (await api.ask(getCleanup!, alice, {})).body;
    expect(await read()).toMatchObject({ enabled: false, min_age: 1_209_600, keep_pinned: true, min_reblogs: null });
    const change = async (given: Record<string, unknown>) => (await api.ask(patchCleanup!, alice, given)).body;
    const rule = { enabled: true, min_age: 2_592_000, keep_polls: true, min_favourites: 5 };
    expect(await change(rule)).toMatchObject({ ...rule, keep_pinned: true });
    expect(await change({ min_favourites: 0, keep_pinned: false })).toMatchObject({
      ...{ enabled: true, min_age: 2_592_000, keep_polls: true },
      ...{ min_favourites: null, keep_pinned: false },
    });
    await expect(change({ min_age: 5 })).rejects.toMatchObject({ code: 'validation' });
    expect(await change({ enabled: false })).toMatchObject({ enabled: false });
    expect(await read()).toMatchObject({ enabled: false, min_age: 1_209_600 });
  });
});

describe('an archive', () => {
  test('is asked for once a week, and there is no file before it is ready', async () => {
    const nothing = { state: 'none', requested_at: null, ready_at: null, expires_at: null, size: null };
    expect((await api.ask(getArchive!, alice, {})).body).toEqual(nothing);
    await expect(api.ask(getArchiveFile!, alice, {})).rejects.toMatchObject({ code: 'notFound' });
    expect((await api.ask(askForArchive!, alice, {})).body).toMatchObject({
      state: 'building',
      requested_at: expect.any(String),
    });
    await expect(api.ask(askForArchive!, alice, {})).rejects.toMatchObject({ code: 'conflict' });
    expect((await api.ask(getArchive!, bob, {})).body).toEqual(nothing);
  });
});
