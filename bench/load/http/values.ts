/**
 * Values that requests of a session are filled in with:
 *
 *   {oldest} {newest}   of the list that was read last
 *   {status} {author}   one of it at random, the same for all requests of a moment
 *   {own}               the status that the session has posted
 *   {media}             what it has uploaded
 *   {me}                its own account
 *   {viral}             one status that all sessions share, which the first of them posts
 *   {text}              a text that nobody has posted before
 */
import { jsonOf } from '../json.ts';
import type { SessionRequest } from './settings.ts';

export interface SessionValues {
  readonly [name: string]: string | undefined;
}

const placePattern = /\{([a-z]+)\}/g;

/** The first value that a request needs and the session does not have; undefined where it has all. */
export function missingValue(request: SessionRequest, values: SessionValues): string | undefined {
  const text = `${request.get ?? request.post} ${JSON.stringify(request.json ?? '')}`;
  return Array.from(text.matchAll(placePattern), ([, name]) => name!).find((name) => values[name] === undefined);
}

/** Every value must be there. */
export function fillPath(path: string, values: SessionValues): string {
  return path.replaceAll(placePattern, (_place, name: string) => encodeURIComponent(values[name]!));
}

/** As `fillPath`, in every text of a value that JSON can express. */
export function fillJson(value: unknown, values: SessionValues): unknown {
  if (typeof value === 'string') return value.replaceAll(placePattern, (_place, name: string) => values[name]!);
  if (Array.isArray(value)) return value.map((one) => fillJson(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillJson(one, values)]));
}

/** What an answer adds to the values. Answers that are not what they should be add nothing. */
export function keptValues(keep: SessionRequest['keep'], body: Buffer, random: () => number): SessionValues {
  const answer = jsonOf(body.toString('utf8'));
  switch (keep) {
    case 'statuses': {
      const statuses = Array.isArray(answer) ? answer.filter(hasId) : [];
      const [newest, oldest] = [statuses[0], statuses.at(-1)];
      if (newest === undefined || oldest === undefined) return {};
      const chosen = statuses[Math.floor(random() * statuses.length)]!;
      const original = hasId(chosen.reblog) ? chosen.reblog : chosen;
      const author = hasId(original.account) ? original.account.id : undefined;
      return { newest: newest.id, oldest: oldest.id, status: original.id, author };
    }
    case 'status':
      return hasId(answer) ? { own: answer.id } : {};
    case 'media':
      return hasId(answer) ? { media: answer.id } : {};
    case 'account':
      return hasId(answer) ? { me: answer.id } : {};
    default:
      return {};
  }
}

interface Identified {
  readonly id: string;
  readonly [name: string]: unknown;
}

function hasId(value: unknown): value is Identified {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}
