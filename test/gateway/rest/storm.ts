/**
 * Invalid values and the parameters to send them to. A building block of parameter schemas judges values alike wherever
 * it is used, so each kind of block gets every value at one parameter, and every other parameter gets one value.
 */
import type { z } from 'zod';
import type { Endpoint } from '../../../src/gateway/route.ts';
import type { Services } from '../../../src/services/services.ts';

const texts: readonly string[] = [
  '',
  ' ',
  'word',
  '-1',
  '1e999',
  '99999999999999999999999999',
  '[object Object]',
  '__proto__',
  '\u0000',
  '\u202e\ufeff\u{1f468}\u200d\u{1f469}',
  '../../../../etc/passwd',
  `'"--;<script>\${7*7}{{7*7}}`,
  'https://[::1/',
  '@@@a@b@c.example #a#b',
  'x'.repeat(5_000),
];

const values: readonly unknown[] = [
  ...texts,
  '\ud800',
  'y'.repeat(300_000),
  true,
  -1,
  0.1,
  1e308,
  null,
  [],
  [null],
  [[['deep']]],
  [{}, {}],
  {},
  { 0: 'x', 1: {} },
  { a: { b: [1] } },
];

/** What stands behind a name in a query, besides an equals sign. */
const nestings: readonly string[] = ['[a]', '[][a]', '[0][a][]', '[__proto__]'];

export interface Route {
  readonly method: string;
  readonly endpoint: Endpoint<Services>;
}

/** What is to be put in the path, the query and the body of one request. */
export interface BadRequest {
  readonly pathValue?: string;
  readonly query?: string;
  readonly body?: string;
}

/** One parameter of one route, in the path, in the query or in the body. */
export interface Place {
  readonly route: Route;
  readonly kind: string;
  readonly requests: readonly BadRequest[];
}

export function placesOf(route: Route): Place[] {
  const { method, endpoint } = route;
  const places: Place[] = [];
  for (const [name, schema] of Object.entries(endpoint.parameters?.shape ?? {})) {
    const add = (where: string, requests: readonly BadRequest[]) =>
      void places.push({ route, kind: `${where} ${kindOf(schema)}`, requests });
    if (endpoint.pathNames.includes(name)) {
      add(
        'path',
        texts.map((text) => ({ pathValue: text })),
      );
      continue;
    }
    add('query', [...texts.map((text) => queryOf(name, text)), ...nestings.map((nesting) => nested(name, nesting))]);
    if (method !== 'GET')
      add(
        'body',
        values.map((value) => ({ body: JSON.stringify({ [name]: value }) })),
      );
  }
  return places;
}

function queryOf(name: string, text: string): BadRequest {
  const value = encodeURIComponent(text);
  return { query: `${name}=${value}&${name}[]=${value}` };
}

function nested(name: string, nesting: string): BadRequest {
  return { query: `${name}${encodeURIComponent(nesting)}=x` };
}

interface Definition {
  readonly type: string;
  readonly transform?: { readonly name: string };
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
}

/** Of which building blocks a schema is made; how long a text or which words it takes makes no difference. */
function kindOf(schema: z.ZodType): string {
  const { type, transform, innerType, in: input, out: output, element }: Definition = schema.def;
  const parts = [innerType, input, output, element].filter((part) => part !== undefined).map(kindOf);
  return `${type}${transform === undefined ? '' : `:${transform.name}`}(${parts.join()})`;
}

/** The requests to each route. All is sent where no seed is given. */
export function stormOn(places: readonly Place[], seed: number | undefined): Map<Route, BadRequest[]> {
  const storm = new Map<Route, BadRequest[]>();
  for (const alike of Map.groupBy(places, ({ kind }) => kind).values())
    for (const [index, { route, requests }] of alike.entries()) {
      const isWhole = seed === undefined || index === seed % alike.length;
      const chosen = isWhole ? requests : [requests[(seed + index) % requests.length]!];
      storm.set(route, [...(storm.get(route) ?? []), ...chosen]);
    }
  return storm;
}
