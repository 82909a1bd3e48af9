/**
 * Completes stored values with the defaults of fields that were added after they were written, at any depth. Computed
 * from a schema once; a schema without defaults costs nothing when values are read.
 */
import type { z } from 'zod';

export interface ReadingRule {
  /** The value of a field that is not stored; a new one where two records could share it. */
  absent(): unknown;
  /** Fills in the missing fields of a stored value, in place; undefined where the schema has no defaults. */
  readonly complete: ((value: unknown) => unknown) | undefined;
}

type Complete = ReadingRule['complete'];

export function readingRule(schema: z.ZodType): ReadingRule {
  const value = schema.safeParse(undefined).data;
  return {
    absent: typeof value === 'object' && value !== null ? () => schema.parse(undefined) : () => value,
    complete: completionOf(schema),
  };
}

/** The parts of a schema's definition that matter here, for all types. */
export interface SchemaDefinition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
}

export function definitionOf(schema: z.ZodType): SchemaDefinition {
  return schema._zod.def as SchemaDefinition;
}

function completionOf(schema: z.ZodType): Complete {
  const { type, innerType, element, valueType, shape, options, discriminator } = definitionOf(schema);
  if (innerType !== undefined) return completionOf(innerType);
  if (type === 'array') return overItems(completionOf(element!));
  if (type === 'record') return overEntries(completionOf(valueType!));
  if (shape !== undefined) return overFields(shape);
  if (discriminator !== undefined) return overVariants(options!, discriminator);
  return undefined;
}

function overItems(complete: Complete): Complete {
  if (complete === undefined) return undefined;
  return (value) => {
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1) value[index] = complete(value[index]);
    return value;
  };
}

function overEntries(complete: Complete): Complete {
  if (complete === undefined) return undefined;
  return (value) => {
    if (isObject(value)) for (const [name, entry] of Object.entries(value)) value[name] = complete(entry);
    return value;
  };
}

function overFields(shape: Readonly<Record<string, z.ZodType>>): Complete {
  const rules = Object.entries(shape)
    .map(([name, field]) => ({ name, ...readingRule(field) }))
    .filter(({ absent, complete }) => complete !== undefined || absent() !== undefined);
  if (rules.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return value;
    for (const { name, absent, complete } of rules) {
      if (value[name] === undefined) value[name] = absent();
      else if (complete !== undefined) value[name] = complete(value[name]);
    }
    return value;
  };
}

function overVariants(options: readonly z.ZodType[], discriminator: string): Complete {
  const completions = new Map<unknown, Complete>();
  for (const option of options) {
    const tag = definitionOf(option).shape?.[discriminator];
    const complete = completionOf(option);
    if (tag !== undefined && complete !== undefined)
      for (const value of definitionOf(tag).values ?? []) completions.set(value, complete);
  }
  if (completions.size === 0) return undefined;
  return (value) => (isObject(value) ? (completions.get(value[discriminator])?.(value) ?? value) : value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
