/** How far somebody has read at home: the marker that apps move too. */
import { expect, test } from 'vitest';
import { Site } from './site.ts';
import { expectStrict } from './strict.ts';

test('a home shows where its reader was, and leads there from further up', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await bob.act(`/web/accounts/${alice.id}/follow`);
  const home = async (path = '/') => (await bob.ask(path)).html;
  const read = (html: string) => /\/web\/home\/read\?newest=\d+/.exec(html)?.[0];
  const entries = (html: string) =>
    [...html.matchAll(/<li class="entry" id="status-(\d+)"|<li class="here"/g)].map(([, id]) => id ?? 'here');
  expect(read(await home())).toBeUndefined();

  const first = await alice.write('One');
  const before = await home();
  expect(before).toMatch(/data-read="now" hidden>/);
  expect((await bob.act(read(before)!)).location).toBe('/');
  expect([read(await home()), entries(await home())]).toEqual([undefined, [first]]);
  const second = await alice.write('Two');
  const after = await bob.ask('/');
  expectStrict(after);
  expect(after.html).toContain('<span>You were here</span><button class="quiet" form="acts"');
  expect(entries(after.html)).toEqual([second, 'here', first]);

  const later: string[] = [];
  for (let count = 0; count < 24; count += 1) later.unshift(await alice.write(`Later ${count}`));
  const far = await home();
  expect([entries(far), far.includes('data-read')]).toEqual([later.slice(0, 20), false]);
  const path = /href="(\/\?min_id=\d+)#here">Continue where you were/.exec(far)![1]!;
  const there = await home(path);
  expect(entries(there)).toEqual([...later.slice(-18), second, 'here', first]);
  const up = /<a rel="prev" href="(\?min_id=\d+)">Newer posts/.exec(there)![1]!;
  const top = await home(`/${up}`);
  expect([entries(top), top.includes('rel="prev"')]).toEqual([later.slice(0, 6), false]);
  expect(top).toContain(`max_id=${later[5]}">Older posts`);
  const down = await home(`/?max_id=${later[5]}`);
  expect(down).toContain(`min_id=${later[6]}">Newer posts`);
  expect([entries(down), read(down)]).toEqual([
    [...later.slice(6), second, 'here', first],
    `/web/home/read?newest=${later[6]}`,
  ]);

  const further = /<a rel="next" href="(\?top=\d+&amp;max_id=\d+)"/.exec(far)![1]!.replace('&amp;', '&');
  const below = await home(`/${further}`);
  expect([entries(below), read(below)]).toEqual([[...later.slice(20), second, 'here', first], read(far)]);
  await bob.act(read(far)!);
  expect(read(await home())).toBeUndefined();
  // An older page does not move it back.
  await bob.act(read(there)!);
  expect(read(await home())).toBeUndefined();
  expect((await bob.act('/web/home/read?newest=x')).status).toBe(404);
});
