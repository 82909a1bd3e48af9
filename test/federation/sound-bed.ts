import { expect, onTestFinished } from 'vitest';
import { accountRules } from '../../src/actors/account/account.actor.ts';
import { assertSound } from '../support/sound.ts';
import { InboundBed } from './inbound-bed.ts';

/** A bed whose test fails at its end if anything was reported, or if stored records contradict each other. */
export function soundBed(): InboundBed {
  const bed = new InboundBed();
  onTestFinished(() => {
    expect(bed.gateway.actors.problems).toEqual([]);
    assertSound(bed.gateway.actors.disks, accountRules);
  });
  return bed;
}
