/** What a zod schema says of stored values, as plain data that can be kept and compared. */
import type { z } from 'zod';
import { definitionOf } from '../../../src/runtime/stored-defaults.ts';

export type Shape =
  | string
  | { readonly optional: Shape }
  | { readonly nullable: Shape }
  | { readonly of: Shape; readonly default: unknown }
  | { readonly array: Shape }
  | { readonly map: Shape }
  | { readonly tuple: readonly Shape[] }
  | { readonly one: readonly unknown[] }
  | { readonly either: readonly Shape[] }
  | { readonly fields: Readonly<Record<string, Shape>> };

const plain = new Set(['string', 'number', 'bigint', 'boolean', 'unknown', 'null', 'undefined', 'any', 'never']);

export function shapeOf(schema: z.ZodType): Shape {
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
  const [was, is] = [bare(before), bare(after)];
  if (isNullable(before) && !isNullable(after)) return [`${place} could be null, and cannot any more`];
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
  if ('nullable' in shape) return mayBeAbsent(shape.nullable);
  return 'optional' in shape || 'default' in shape;
}

function isNullable(shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'null' || shape === 'unknown';
  if ('optional' in shape) return isNullable(shape.optional);
  if ('default' in shape) return isNullable(shape.of);
  return 'nullable' in shape;
}

function bare(shape: Shape): Shape {
  if (typeof shape === 'string') return shape;
  if ('optional' in shape) return bare(shape.optional);
  if ('nullable' in shape) return bare(shape.nullable);
  return 'default' in shape ? bare(shape.of) : shape;
}

function brief(shape: Shape): string {
  return typeof shape === 'string' ? shape : Object.keys(shape)[0]!;
}
