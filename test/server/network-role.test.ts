/** The registry of what network threads do. */
import { expect, onTestFinished, test } from 'vitest';
import { createNetworkRole } from '../../src/server/network-role.ts';
import { InboundBed } from '../federation/inbound-bed.ts';
import { declaredEffects } from '../support/declared-effects.ts';

const ignored = { attempted: () => undefined, waitShortened: () => undefined };

test('every effect that an actor asks for has a runner', async () => {
  const role = createNetworkRole(new InboundBed().network, {
    deliveries: ignored,
    pushes: { ...ignored, dropped: () => undefined },
    relay: { ...ignored, dropped: () => undefined },
    mails: { ...ignored, dropped: () => undefined },
    webhooks: { ...ignored, dropped: () => undefined },
    threads: { stepped: () => undefined },
    retention: { statusesForgotten: () => undefined },
    media: { mediaAsked: () => undefined, mediaEvicted: () => undefined },
  });
  onTestFinished(async () => {
    for (const task of role.tasks) await task.stop();
  });
  const declared = (await declaredEffects()).map(({ number }) => number);
  const byNumber = (one: number, other: number) => one - other;
  expect([...role.effects.keys()].sort(byNumber)).toEqual(declared.sort(byNumber));
});
