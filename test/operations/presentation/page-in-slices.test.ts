/** A page of statuses that nobody has been shown yet is read in slices, and decided about in the last one. */
import { beforeEach, expect, test } from 'vitest';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import { presentationLimits } from '../../../src/operations/presentation/limits.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { block } from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

const { readsPerSlice } = presentationLimits;
/** A reblog, its original, and their authors. */
const readsOfStatusMax = 24;

let people: People;
let services: GatewayServices;
let alice: Person;
let authors: Person[];
let ids: BigUint64Array;

beforeEach(async () => {
  people = new People();
  alice = people.local('alice');
  authors = Array.from({ length: 20 }, (_, number) => people.local(`author${number}`));
  const found: Id[] = [];
  for (const [number, author] of authors.entries()) {
    const post = await people.publish(author);
    found.push(post.id, (await people.reblog(authors[(number + 1) % authors.length]!, post)).id);
  }
  ids = BigUint64Array.from(found.reverse());
  services = presenting(people.server);
});

/** What is shown, and how much each slice reads. */
function inSlices(between: () => void = () => undefined) {
  const given = ids.slice();
  const steps = services.presenter.pageInSlices(given, alice.id, 'home');
  const reads: number[] = [];
  for (;;) {
    const before = people.server.read.readCount;
    const { done, value } = steps.next();
    reads.push(people.server.read.readCount - before);
    if (done) return { shown: value.map(({ status }) => status.id), reads };
    // Its buffer is used for the pages of others.
    given.fill(0n);
    between();
  }
}

test('each of them reads little, and all that is to be seen is shown', () => {
  const { shown, reads } = inSlices();
  expect(shown).toEqual([...ids]);
  expect(reads.length).toBeGreaterThan(3);
  // The last one reads what all of them are to the viewer.
  for (const count of reads.slice(0, -1)) expect(count).toBeLessThan(readsPerSlice + readsOfStatusMax);
  expect(inSlices().reads).toEqual([0]);
});

test('whoever is blocked meanwhile is not shown', () => {
  const { shown } = inSlices(() => people.say(block(alice, authors[0]!)));
  const theirs = services.presenter.page(ids, alice.id, 'home').map(({ status }) => status.id);
  expect(shown).toEqual(theirs);
  expect(shown.length).toBeLessThan(ids.length);
});
