/** Deliveries that staff stop, restart, and forget the failures of. */
import { describe, expect, it } from 'vitest';
import { create, createLanes, follow, nextId, remove, status } from './delivery/lanes-bed.ts';

const inbox = 'https://far.example/inbox';
const below = 'https://social.far.example/inbox';
const minute = 60_000;

describe('a server that staff have stopped deliveries to', () => {
  it('gets nothing, other servers do, and gets everything in order once they are restarted', async () => {
    const bed = await createLanes();
    bed.decide('far.example', 'stopped');
    const written = [nextId(), nextId()];
    for (const id of written) bed.tell(create(id), { to: [inbox, below, 'https://near.example/inbox'] });
    await bed.advance(30 * minute);
    expect(bed.sent.map(({ host }) => host)).toEqual(['near.example', 'near.example']);
    const waitingSince = bed.now() - 30 * minute;
    expect(bed.lane('far.example')).toMatchObject({ pending: 2, isHeld: true, failures: 0, waitingSince });
    bed.decide('far.example', 'restarted');
    await bed.settle();
    for (const host of ['far.example', 'social.far.example'])
      expect(bed.sentTo(host).map(({ about }) => about)).toEqual(written);
    expect(bed.lane('far.example')).toMatchObject({ pending: 0, isHeld: false, lastDeliveredAt: bed.now() });
  });

  it('stays so when the threads start again, and whatever is heard of it or asked for', async () => {
    const bed = await createLanes();
    bed.decide('far.example', 'stopped');
    bed.tell(create(), { to: [inbox] });
    await bed.crash();
    bed.hearFrom('far.example');
    bed.retry('far.example');
    bed.loseOwner();
    await bed.advance(60 * minute);
    expect([bed.sent.length, bed.logged()]).toEqual([0, 1]);
    bed.decide('far.example', 'restarted');
    await bed.settle();
    expect(bed.sent.length).toBe(1);
  });

  it('gets nothing that is too old by then', async () => {
    const bed = await createLanes();
    bed.decide('far.example', 'stopped');
    bed.tell(create(), { to: [inbox] });
    await bed.advance(8 * 24 * 60 * minute);
    const late = remove(1n);
    bed.tell(late, { to: [inbox] });
    bed.decide('far.example', 'restarted');
    await bed.settle();
    expect(bed.sent.map(({ kind }) => kind)).toEqual(['delete']);
    expect(bed.lane('far.example')).toMatchObject({ pending: 0 });
  });
});

describe('a server that fails', () => {
  it('is tried at once when deliveries are restarted, and its last error is told', async () => {
    const bed = await createLanes();
    let answer = status(502);
    bed.answer('far.example', () => answer);
    bed.tell(follow(), { to: [inbox] });
    await bed.advance(5 * minute);
    const attempts = bed.sent.length;
    expect(bed.lane('far.example')).toMatchObject({ lastError: { status: 502 }, lastDeliveredAt: undefined });
    answer = status(202);
    bed.decide('far.example', 'restarted');
    await bed.settle();
    expect(bed.sent.length).toBe(attempts + 1);
    expect(bed.lane('far.example')).toMatchObject({ state: 'healthy', failures: 0, pending: 0 });
  });

  it('counts as one that never failed once its failures are forgotten, also after a start', async () => {
    const bed = await createLanes();
    bed.answer('far.example', () => ({ ok: false, kind: 'unreachable', fault: 'nameUnknown', detail: '' }));
    bed.tell(follow(), { to: [inbox] });
    await bed.advance(24 * 60 * minute);
    const { failures } = bed.lane('far.example')!;
    expect(failures).toBeGreaterThan(3);
    expect(bed.lane('far.example')).toMatchObject({ lastError: { status: undefined, fault: 'nameUnknown' } });
    await bed.crash();
    expect(bed.lane('far.example')).toMatchObject({ failures, lastError: undefined });
    bed.answer('far.example', () => 202);
    bed.decide('far.example', 'cleared');
    await bed.settle();
    expect(bed.lane('far.example')).toMatchObject({ failures: 0, failingSince: undefined, pending: 0, refusals: 0 });
    const { lastDeliveredAt } = bed.lane('far.example')!;
    bed.tell(follow(), { to: [inbox] });
    await bed.advance(minute);
    await bed.crash();
    bed.answer('far.example', () => 503);
    bed.tell(follow(), { to: [inbox] });
    await bed.settle();
    expect(bed.lane('far.example')!.lastDeliveredAt).toBeGreaterThan(lastDeliveredAt! - minute);
  });
});
