import { describe, expect, it } from 'vitest';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import type { NetworkFault } from '../../../src/outbound/fetcher/network-fault.ts';
import { outcomeOfResponse } from '../../../src/outbound/lanes/http-outcome.ts';
import type { Verdict } from '../../../src/outbound/lanes/outcome.ts';

function answered(status: number, retryAfterMilliseconds?: number): DeliveryResult {
  return { ok: true, status, retryAfterMilliseconds };
}

describe('an answer means', () => {
  it.each<[number, number | undefined, Verdict]>([
    [200, undefined, 'delivered'],
    [202, undefined, 'delivered'],
    [204, undefined, 'delivered'],
    [301, undefined, 'dropped'],
    [302, undefined, 'failed'],
    [303, undefined, 'failed'],
    [307, undefined, 'failed'],
    [308, undefined, 'dropped'],
    [400, undefined, 'dropped'],
    [401, undefined, 'refused'],
    [403, undefined, 'refused'],
    [404, undefined, 'dropped'],
    [405, undefined, 'dropped'],
    [406, undefined, 'dropped'],
    [408, undefined, 'failed'],
    [410, undefined, 'gone'],
    [413, undefined, 'dropped'],
    [415, undefined, 'dropped'],
    [422, undefined, 'dropped'],
    [429, undefined, 'failed'],
    [429, 5_000, 'throttled'],
    [500, undefined, 'failed'],
    [501, undefined, 'dropped'],
    [502, 5_000, 'failed'],
    [503, undefined, 'failed'],
    [503, 0, 'throttled'],
    [504, undefined, 'failed'],
  ])('%i with a pause of %s: %s', (status, pause, verdict) => {
    expect(outcomeOfResponse(answered(status, pause))).toMatchObject({ verdict, status });
  });

  it.each<[NetworkFault, Verdict]>([
    ['addressBlocked', 'failed'],
    ['nameUnknown', 'failed'],
    ['connectFailed', 'failed'],
    ['tlsFailed', 'failed'],
    ['timedOut', 'failed'],
    ['connectionLost', 'failed'],
    ['protocolViolation', 'failed'],
    ['busy', 'postponed'],
  ])('none, because of %s: %s', (fault, verdict) => {
    const outcome = outcomeOfResponse({ ok: false, kind: 'unreachable', fault, detail: '' });
    expect(outcome).toMatchObject({ verdict, status: undefined });
  });

  it('nothing, where our own policy forbids the URL: dropped', () => {
    const outcome = outcomeOfResponse({ ok: false, kind: 'blocked', detail: '' });
    expect(outcome).toEqual({ verdict: 'dropped', status: undefined });
  });

  it.each<[string, DeliveryResult, boolean]>([
    ['an error of the software', answered(500), true],
    ['a redirect to elsewhere for now', answered(307), true],
    ['an error of a proxy', answered(502), false],
    ['too little time', answered(408), false],
    ['no answer in time', { ok: false, kind: 'unreachable', fault: 'timedOut', detail: '' }, true],
    ['no connection', { ok: false, kind: 'unreachable', fault: 'connectFailed', detail: '' }, false],
  ])('failed because of %s', (_what, result, isPerhapsTheEntry) => {
    expect(outcomeOfResponse(result)).toMatchObject({ verdict: 'failed', isPerhapsTheEntry });
  });

  it('a pause: as long as it was asked for', () => {
    expect(outcomeOfResponse(answered(429, 5_000))).toMatchObject({ pauseMilliseconds: 5_000 });
  });

  it('410: the target is gone, and not the whole host', () => {
    expect(outcomeOfResponse(answered(410))).toMatchObject({ isWholeHost: false });
  });
});
