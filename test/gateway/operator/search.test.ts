/** The index of posts as the operator sees it: `search status` and `search rebuild`. */
import { expect, test } from 'vitest';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import type { SearchState } from '../../../src/services/search/search.ts';
import { Callers } from '../../operations/callers.ts';

const whole: SearchState = { statuses: 3, bytes: 1_500_000, rebuilt: undefined, commitsBehind: 2, problem: undefined };

function run(words: string, state?: SearchState) {
  const { services } = new Callers();
  const answer = async () => state;
  if (state !== undefined) Object.assign(services, { search: { state: answer, rebuild: answer } });
  const command = commands.find((one) => one.words === words)!;
  return command.run!(services, command.read('', {}));
}

test('the state is told, with the reason why the index is left alone', async () => {
  expect((await run('search status', whole)).lines).toEqual([
    'Posts in the index: 3',
    'Size: 1.5 MB',
    'Commits that are not read yet: 2',
    'The index is complete.',
  ]);
  const { lines } = await run('search status', { ...whole, rebuilt: 0.257, problem: 'The disk is full.' });
  expect(lines.slice(3)).toEqual(['Built: 25 %', 'It is left alone for the moment: The disk is full.']);
});

test('a rebuild shows a bar until it is done', async () => {
  const half = await run('search rebuild', { ...whole, rebuilt: 0.5 });
  expect(half).toEqual({ lines: [`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %: 3 posts`], goesOn: true });
  expect(await run('search rebuild', whole)).toMatchObject({ goesOn: false });
  const { lines, goesOn } = await run('search rebuild', { ...whole, rebuilt: 0.5, problem: 'The disk is full.' });
  expect([lines.at(-1), goesOn]).toEqual(['It is left alone for the moment: The disk is full.', false]);
});

test('without an index there is nothing to tell', async () => {
  await expect(run('search status')).rejects.toThrow('MURMURATION_SEARCH=off');
});
