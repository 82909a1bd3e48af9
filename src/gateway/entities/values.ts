/**
 * The values in entities, under the names of the Mastodon API's reference. Schemas of entities describe answers: the
 * API document is generated from them, and tests validate every answer with them.
 */
import { z } from 'zod';
import type { Dialect } from '../../actors/session/session.messages.ts';
import type { Id } from '../../runtime/ids.ts';

/** A 64-bit integer as a string (specification 2.1). */
export const id = z.string().regex(/^[1-9][0-9]{0,18}$/, 'is not an id');
/**
 * An id where the Mastodon API has a number and apps with typed models read nothing else: digits up to 64 bits, of which
 * JavaScript loses the last ones.
 */
export const idNumber = z.number().min(1).meta({ type: 'integer', format: 'int64' });
/**
 * In the dialect `mastodon`, an id that nothing is asked for by: apps with typed models read a number of 32 bits there.
 */
export const idOfNoUse = z.union([id, z.int32().min(0)]);

export function idOfNoUseFor(dialect: Dialect, shown: Id): z.infer<typeof idOfNoUse> {
  return dialect === 'mastodon' ? Number(BigInt.asUintN(31, shown)) : shown.toString();
}

/** An id of roles and rules: small numbers. */
export const smallId = z.string().regex(/^[0-9]+$/, 'is not an id');
/** RFC 3339 in UTC, with a fraction of one to three digits. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,3}Z$/, 'is not a time with Z and a fraction');
export const midnight = z.string().regex(/^\d{4}-\d\d-\d\dT00:00:00\.0{1,3}Z$/, 'is not cut to midnight');
export const date = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'is not a date');
export const url = z.url({ protocol: /^https?$/ });
export const count = z.int().min(0);
export const text = z.string();
export const flag = z.boolean();
export const language = z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/, 'is not a language');

/** The answer of an action without a result. */
export const EmptyEntity = z.strictObject({});

/** The body of every failure of the API; validation failures add `details`. */
export const ErrorEntity = z.strictObject({ error: z.string().min(1) }).meta({ id: 'Error' });
/** RFC 6749 section 5.2. */
export const OAuthErrorEntity = z
  .strictObject({
    error: z.string().regex(/^[a-z_]+$/),
    error_description: z.string().min(1),
  })
  .meta({ id: 'OAuthError' });

/** A time of the API: RFC 3339 in UTC with milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** A date of the API, from a day since 1970. */
/** The beginning of a day (since 1970), in UTC. */
export function midnightOfDay(day: number): string {
  return timestamp(day * dayMilliseconds);
}

export function dateOfDay(day: number): string {
  return timestamp(day * dayMilliseconds).slice(0, 10);
}
