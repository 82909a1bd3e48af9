/** JSON Schema (2020-12, as in OpenAPI 3.1) of the zod schemas in declarations: parameters and answers. */
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

const definitions = '#/$defs/';
const components = '#/components/schemas/';

/** Collects the entities that schemas refer to by the `id` of their metadata. */
export class ComponentSchemas {
  private readonly named = new Map<string, JsonSchema>();

  /** The schema of an answer, with references to named entities. */
  answerSchema(schema: z.ZodType): JsonSchema {
    return this.collect(z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' }));
  }

  /** The schema of a parameter: of its parsed value, whatever spelling (text, number, JSON) was used. */
  parameterSchema(schema: z.ZodType): JsonSchema {
    return this.collect(
      z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output', unrepresentable: 'any', override: showInput }),
    );
  }

  /** By name, in alphabetical order. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  private collect({ $schema: _dialect, $defs, ...schema }: Record<string, unknown>): JsonSchema {
    const { id } = schema;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>))
      this.add(name, definition);
    if (typeof id !== 'string') return referring(schema) as JsonSchema;
    this.add(id, schema);
    return { $ref: components + id };
  }

  private add(name: string, { id: _name, ...definition }: JsonSchema): void {
    this.named.set(name, referring(definition) as JsonSchema);
  }
}

/** The same schema with references into the components of the document. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace(definitions, components)]
        : [key, referring(inner)],
    ),
  );
}

/** Transformations of values are internal; clients see the input. */
function showInput({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (zodSchema._zod.def.type !== 'pipe' || zodSchema._zod.def.out._zod.def.type !== 'transform') return;
  const { $schema: _dialect, ...shown } = z.toJSONSchema(zodSchema._zod.def.in, {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'any',
    override: showInput,
  });
  Object.assign(jsonSchema, shown);
}
