/** What a zod schema says of stored values, as plain data that can be kept and compared. */
import type { z } from 'zod';
import { definitionOf } from '../../../src/runtime/stored-defaults.ts';

export type Shape =
  | string
  | { readonly optional: Shape }
  | { readonly nullable: Shape }
  | { readonly of: Shape; readonly default: unknown }
  | { readonly of: Shape; readonly within: Limits }
  | { readonly array: Shape }
  | { readonly map: Shape }
  | { readonly tuple: readonly Shape[] }
  | { readonly one: readonly unknown[] }
  | { readonly either: readonly Shape[] }
  | { readonly fields: Readonly<Record<string, Shape>> };

/** What a schema demands of a value besides its type, by the words of `limitOf`; a bigint as text: "5n". */
type Limits = Readonly<Record<string, number | string>>;

const plain = new Set(['string', 'number', 'bigint', 'boolean', 'unknown', 'null', 'undefined', 'any', 'never']);

export function shapeOf(schema: z.ZodType): Shape {
  const limits = limitsOf(schema);
  const of = typeOf(schema);
  return Object.keys(limits).length === 0 ? of : { of, within: limits };
}

function limitsOf(schema: z.ZodType): Limits {
  const { checks = [], ...own } = schema._zod.def as unknown as OwnDefinition;
  const declared = checks.map((check) => check._zod.def as CheckDefinition);
  const isFormat = own.check !== undefined && own.type !== 'custom';
  return Object.fromEntries((isFormat ? [own, ...declared] : declared).map(limitOf));
}

/** Of a schema, which may be a check itself: `z.int()`, `z.url()`. */
interface OwnDefinition extends CheckDefinition {
  readonly type: string;
  readonly checks?: readonly z.core.$ZodCheck[];
}

/** The parts of a check's definition that matter here, for all checks. */
interface CheckDefinition {
  readonly check: string;
  readonly value?: number | bigint;
  readonly inclusive?: boolean;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly length?: number;
  readonly format?: string;
  readonly pattern?: RegExp;
}

function limitOf({ check, ...of }: CheckDefinition): readonly [string, number | string] {
  const value = typeof of.value === 'bigint' ? `${of.value}n` : of.value!;
  switch (check) {
    case 'less_than':
      return [of.inclusive ? 'most' : 'below', value];
    case 'greater_than':
      return [of.inclusive ? 'least' : 'above', value];
    case 'max_length':
      return ['longest', of.maximum!];
    case 'min_length':
      return ['shortest', of.minimum!];
    case 'length_equals':
      return ['length', of.length!];
    case 'multiple_of':
      return ['multiple of', value];
    case 'number_format':
    case 'bigint_format':
      return ['form', of.format!];
    case 'string_format':
      return ['form', of.format === 'regex' ? String(of.pattern) : of.format!];
    default:
      throw new Error(`a stored value with a check of its own (${check}) cannot be compared: store it without`);
  }
}

/** Larger ones allow more; smaller ones of the second group. Of all others, nothing is known but that they differ. */
const upper = new Set(['most', 'below', 'longest']);
const lower = new Set(['least', 'above', 'shortest']);

function limitBreaches(before: Limits, after: Limits, place: string): string[] {
  return Object.entries(after).flatMap(([limit, is]) => {
    const was = before[limit];
    if (was === undefined) return [`${place}: ${limit} is ${is} now`];
    const isKept =
      was === is ||
      (upper.has(limit) && amountOf(is) > amountOf(was)) ||
      (lower.has(limit) && amountOf(is) < amountOf(was));
    return isKept ? [] : [`${place}: ${limit} was ${was}, and is ${is} now`];
  });
}

function amountOf(limit: number | string): number | bigint {
  return typeof limit === 'number' ? limit : BigInt(limit.slice(0, -1));
}

function typeOf(schema: z.ZodType): Shape {
  const definition = definitionOf(schema) as ReturnType<typeof definitionOf> & Readonly<Record<string, unknown>>;
  const { type, innerType, element, valueType, shape, options, values } = definition;
  if (plain.has(type)) return type;
  switch (type) {
    case 'optional':
      return { optional: shapeOf(innerType!) };
    case 'nullable':
      return { nullable: shapeOf(innerType!) };
    case 'default':
      return { of: shapeOf(innerType!), default: plainValue(schema.parse(undefined)) };
    case 'readonly':
      return shapeOf(innerType!);
    case 'array':
      return { array: shapeOf(element!) };
    case 'record':
      return { map: shapeOf(valueType!) };
    case 'tuple':
      return { tuple: (definition.items as readonly z.ZodType[]).map(shapeOf) };
    case 'literal':
      return { one: [...values!] };
    case 'enum':
      return { one: Object.values(definition.entries as Record<string, unknown>) };
    case 'union':
      return { either: options!.map(shapeOf) };
    case 'object':
      return { fields: Object.fromEntries(Object.entries(shape!).map(([name, field]) => [name, shapeOf(field)])) };
    case 'custom':
      return 'bytes';
    case 'pipe':
      return shapeOf(definition.out as z.ZodType);
    case 'transform':
      return 'transformed';
    default:
      throw new Error(`a stored value of the type ${type} is not described: add it here`);
  }
}

function plainValue(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)));
}

/** Why what was stored by `before` cannot be read by `after`; empty when it can. */
export function breaches(before: Shape, after: Shape, place: string): string[] {
  if (mayBeAbsent(before) && !mayBeAbsent(after)) return [`${place} was optional, and is required now`];
  if (isNullable(before) && !isNullable(after)) return [`${place} could be null, and cannot any more`];
  return [
    ...defaultBreaches(before, after, place),
    ...limitBreaches(withinOf(before), withinOf(after), place),
    ...typeBreaches(before, after, place),
  ];
}

function typeBreaches(before: Shape, after: Shape, place: string): string[] {
  const [was, is] = [bare(before), bare(after)];
  if (typeof was === 'string' || typeof is === 'string')
    return was === is || is === 'unknown' ? [] : [`${place} was ${brief(was)}, and is ${brief(is)} now`];
  if ('fields' in was && 'fields' in is) return fieldBreaches(was.fields, is.fields, place);
  if ('array' in was && 'array' in is) return breaches(was.array, is.array, `${place}[]`);
  if ('map' in was && 'map' in is) return breaches(was.map, is.map, `${place}{}`);
  if ('one' in was && 'one' in is)
    return was.one
      .filter((value) => !is.one.includes(value))
      .map((value) => `${place} cannot be ${String(value)} any more`);
  if ('tuple' in was && 'tuple' in is) {
    return [
      ...was.tuple.flatMap((item, index) =>
        is.tuple[index] === undefined
          ? [`${place}[${index}] is gone`]
          : breaches(item, is.tuple[index], `${place}[${index}]`),
      ),
      ...newOnes(
        is.tuple.slice(was.tuple.length).map((item, index) => [`${place}[${was.tuple.length + index}]`, item]),
      ),
    ];
  }
  if ('either' in was && 'either' in is) return variantBreaches(was.either, is.either, place);
  return [`${place} was ${brief(was)}, and is ${brief(is)} now`];
}

/** Positions of a record are its fields in their order: new ones come last. */
export function orderBreaches(before: Shape, after: Shape, place: string): string[] {
  const [was, is] = [bare(before), bare(after)];
  if (typeof was === 'string' || typeof is === 'string' || !('fields' in was) || !('fields' in is)) return [];
  const [names, now] = [Object.keys(was.fields), Object.keys(is.fields)];
  const first = names.findIndex((name, index) => now[index] !== name);
  return first === -1
    ? []
    : [`${place}.${names[first]} was at position ${first}, where ${now[first] ?? 'nothing'} is now`];
}

/** What was stored without the value means its default: another one would change the meaning. */
function defaultBreaches(before: Shape, after: Shape, place: string): string[] {
  const was = defaultOf(before);
  if (was === undefined) return [];
  const is = defaultOf(after);
  if (is !== undefined && holds(is.default, was.default)) return [];
  const now = is === undefined ? 'nothing' : JSON.stringify(is.default);
  return [`${place} stood for ${JSON.stringify(was.default)} where it was not stored, and stands for ${now} now`];
}

/** Whether a value is another one; objects may have more fields. */
function holds(value: unknown, other: unknown): boolean {
  if (typeof other !== 'object' || other === null || Array.isArray(other))
    return JSON.stringify(value) === JSON.stringify(other);
  const fields = value as Readonly<Record<string, unknown>> | null | undefined;
  return Object.entries(other).every(([name, field]) => holds(fields?.[name], field));
}

function fieldBreaches(
  was: Readonly<Record<string, Shape>>,
  is: Readonly<Record<string, Shape>>,
  place: string,
): string[] {
  return [
    ...Object.entries(was).flatMap(([name, field]) =>
      is[name] === undefined ? [`${place}.${name} is gone`] : breaches(field, is[name], `${place}.${name}`),
    ),
    ...newOnes(Object.entries(is).flatMap(([name, field]) => (name in was ? [] : [[`${place}.${name}`, field]]))),
  ];
}

function newOnes(fields: readonly (readonly [string, Shape])[] | string[][] | (string | Shape)[][]): string[] {
  return (fields as [string, Shape][])
    .filter(([, field]) => !mayBeAbsent(field))
    .map(([place]) => `${place} is new, and neither optional nor has a default`);
}

/** Variants are told apart by a field with one value; others by their order. */
function variantBreaches(was: readonly Shape[], is: readonly Shape[], place: string): string[] {
  return was.flatMap((variant, index) => {
    const tag = tagOf(variant);
    const same = tag === undefined ? is[index] : is.find((candidate) => tagOf(candidate) === tag);
    if (same === undefined) return [`${place} has no variant ${tag ?? index} any more`];
    return breaches(variant, same, `${place}<${tag ?? index}>`);
  });
}

function tagOf(variant: Shape): string | undefined {
  if (typeof variant === 'string' || !('fields' in variant)) return undefined;
  for (const [name, field] of Object.entries(variant.fields))
    if (typeof field === 'object' && 'one' in field && field.one.length === 1) return `${name}=${String(field.one[0])}`;
  return undefined;
}

function mayBeAbsent(shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'unknown';
  if ('optional' in shape || 'default' in shape) return true;
  const inner = innerOf(shape);
  return inner !== undefined && mayBeAbsent(inner);
}

function isNullable(shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'null' || shape === 'unknown';
  if ('nullable' in shape) return true;
  const inner = innerOf(shape);
  return inner !== undefined && isNullable(inner);
}

function defaultOf(shape: Shape): { readonly default: unknown } | undefined {
  if (typeof shape === 'object' && 'default' in shape) return shape;
  const inner = innerOf(shape);
  return inner === undefined ? undefined : defaultOf(inner);
}

function withinOf(shape: Shape): Limits {
  if (typeof shape === 'object' && 'within' in shape) return shape.within;
  const inner = innerOf(shape);
  return inner === undefined ? {} : withinOf(inner);
}

function bare(shape: Shape): Shape {
  const inner = innerOf(shape);
  return inner === undefined ? shape : bare(inner);
}

/** What is said about absence, null, defaults or limits is around a type. */
function innerOf(shape: Shape): Shape | undefined {
  if (typeof shape === 'string') return undefined;
  if ('optional' in shape) return shape.optional;
  if ('nullable' in shape) return shape.nullable;
  return 'of' in shape ? shape.of : undefined;
}

function brief(shape: Shape): string {
  return typeof shape === 'string' ? shape : Object.keys(shape)[0]!;
}
