/** What is remembered of the form of signatures that a host takes. */
import { expect, it } from 'vitest';
import { signatureLimits } from '../../../src/outbound/signatures/limits.ts';
import { dialectsBed } from './dialects-bed.ts';

const host = 'remote.example';
const { dialectMilliseconds, dialectConfirmedMilliseconds, dialectReadMilliseconds } = signatureLimits;

it('every host gets draft-cavage, until it shows more', () => {
  const { dialects } = dialectsBed();
  expect(dialects.of(host)).toBe('draftCavage');
  dialects.shown(host);
  expect(dialects.of(host)).toBe('rfc9421');
  expect(dialects.of('other.example')).toBe('draftCavage');
});

it('what a gateway has seen is known on other threads, which look now and then, and after a restart', () => {
  const { dialects, anotherThread, clock } = dialectsBed();
  const network = anotherThread();
  expect(network.of(host)).toBe('draftCavage');
  dialects.shown(host);
  clock.advance(dialectReadMilliseconds);
  expect(network.of(host)).toBe('rfc9421');
  expect(anotherThread().of(host)).toBe('rfc9421');
});

it('a week without any sign of it ends it; a request that was taken is one', () => {
  const { dialects, anotherThread, clock } = dialectsBed();
  dialects.accepted(host, 'rfc9421');
  clock.advance(dialectConfirmedMilliseconds);
  dialects.worked(host, 'rfc9421');
  clock.advance(dialectMilliseconds - 1);
  expect(anotherThread().of(host)).toBe('rfc9421');
  clock.advance(1);
  expect(anotherThread().of(host)).toBe('draftCavage');
  expect(dialects.of(host)).toBe('draftCavage');
});

it('a host that has refused what it signs itself is believed for a week', () => {
  const { dialects, anotherThread, clock } = dialectsBed();
  dialects.shown(host);
  expect(dialects.afterRefusal(host, 'rfc9421')).toBe('draftCavage');
  dialects.accepted(host, 'draftCavage');
  anotherThread().shown(host);
  expect(anotherThread().of(host)).toBe('draftCavage');
  clock.advance(dialectMilliseconds);
  anotherThread().shown(host);
  expect(anotherThread().of(host)).toBe('rfc9421');
});

it('a refusal that asks for the other form is always followed', () => {
  const { dialects } = dialectsBed();
  expect(dialects.afterRefusal(host, 'draftCavage')).toBe('rfc9421');
  expect(dialects.afterRefusal(host, 'draftCavage')).toBeUndefined();
  expect(dialects.afterRefusal(host, 'draftCavage', true)).toBe('rfc9421');
});
