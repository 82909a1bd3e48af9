/** What the effects of a partition were asked for that are not done: those that will run, and those that have failed for good. */
import { lettersOf } from './letters.ts';
import { effects, type PendingEffect } from './storage/machine.ts';
import type { Reader } from './storage/reader.ts';

/** Throws where a record is damaged. */
export function* requestsOfEffects(reader: Reader): Generator<Pick<PendingEffect, 'effect' | 'request'>> {
  for (const { value } of reader.range(effects, [])) yield value;
  for (const { effect } of lettersOf(reader)) if (effect !== undefined) yield effect;
}
