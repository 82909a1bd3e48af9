/**
 * Whatever people ask of the API, several at the same time, and whatever other servers tell meanwhile: no request fails
 * by a mistake of the server, what is stored agrees, a gateway that has kept what it read answers as one that has kept
 * nothing, answers agree with each other, and they are the same after the server was repartitioned. Seeded; a failure
 * prints its seed.
 */
import { expect, test } from 'vitest';
import { fixedSeeds, testFreshSeeds } from '../sim/seeds.ts';
import type { MemoryApi } from '../support/memory-api.ts';
import { assertSound } from '../support/sound.ts';
import { settleIn } from './lives/beginning.ts';
import { elsewhere } from './lives/elsewhere.ts';
import { answerOf, differenceBetween, paged, readsOf } from './lives/reads.ts';
import { LivesTown } from './lives/town.ts';
import { Truth } from './lives/truth.ts';
import { drawTastes, wish } from './lives/wishes.ts';

const rounds = 4;
const turnsPerRound = 30;
const minute = 60_000;
const pauses = [1_000, 1_000, 1_000, 10 * minute, 61 * minute, 25 * 60 * minute];
const readsPerTurn = 3;

async function expectTruth(town: LivesTown): Promise<void> {
  town.statuses();
  town.hear();
  assertSound(town.disks);
  expect(town.server.problems).toEqual([]);
  expect(town.deadLetters()).toEqual([]);
  await new Truth(town).expectAll();
  await expectSameAnswers(town, town.gateway());
}

async function expectSameAnswers(town: LivesTown, gateway: MemoryApi): Promise<void> {
  for (const viewer of [undefined, ...town.locals.filter((one) => town.isActive(one))]) {
    const chosen = readsOf(town, viewer).filter(() => town.random.chance(0.5));
    const reads = chosen.map((read) => paged(town, read));
    const difference = await differenceBetween(town.api, gateway, viewer, reads);
    if (difference !== undefined) throw new Error(difference);
  }
}

async function play(seed: number): Promise<LivesTown> {
  const town = new LivesTown(seed);
  const { random } = town;
  const tastes = drawTastes(random);
  await settleIn(town);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < turnsPerRound; turn += 1) {
      const begun: (() => Promise<void>)[] = [];
      for (let count = random.between(1, 3); count > 0; count -= 1)
        begun.push(random.chance(0.7) ? () => wish(town, tastes) : () => elsewhere(town));
      await town.finish(begun);
      if (random.chance(0.3)) await town.pass(random.pick(pauses));
      if (random.chance(0.3)) town.hear();
      town.statuses();
      const viewer = random.pick([undefined, ...town.locals.filter((one) => town.isActive(one))]);
      const reads = readsOf(town, viewer);
      for (let count = 0; count < readsPerTurn; count += 1)
        await answerOf(town.api, viewer, paged(town, random.pick(reads)));
    }
    await expectTruth(town);
  }
  const { api, disks } = town.repartitioned(random.pick([1, 2, 4]));
  assertSound(disks);
  await expectSameAnswers(town, api);
  return town;
}

test.each(fixedSeeds(2))('whatever happens, answers are true (seed %i)', async (seed) => {
  const { answered } = await play(seed);
  expect(answered.size).toBeGreaterThan(50);
});

testFreshSeeds('lives', play, { seconds: 180 });
