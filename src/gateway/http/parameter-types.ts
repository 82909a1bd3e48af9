/**
 * Building blocks of parameter schemas. Clients send the same value as text, number or JSON, so each block accepts all
 * spellings. Unless stated otherwise a block is optional: a missing value, null and, except for text, an empty string
 * give `undefined` (`.default(…)` then applies); `required` and `demanded` make it compulsory.
 */
import { z } from 'zod';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { RepeatedValues, UploadedFile } from './parameters/tree.ts';
import type { FileLimit, FileLimits } from './uploads/upload.ts';

const falseTexts: ReadonlySet<unknown> = new Set(['f', 'F', '0', 'false', 'FALSE', 'False', 'off', 'OFF']);
const idMax = (1n << 63n) - 1n;
/** Represents an id that cannot exist; no record has it. */
const idOfNothing = 0n;

/** The last of repeated values. A list or object instead of a value stays, and is refused as invalid. */
function single(value: unknown): unknown {
  return value instanceof RepeatedValues ? value.at(-1) : value;
}

function toText(value: unknown): unknown {
  const one = single(value);
  if (one === null) return undefined;
  return typeof one === 'number' || typeof one === 'boolean' ? String(one) : one;
}

function toGivenText(value: unknown): unknown {
  const text = toText(value);
  return text === '' ? undefined : text;
}

function toNumber(value: unknown): unknown {
  const text = toGivenText(value);
  return typeof text === 'string' && /^\s*[+-]?[0-9]{1,16}\s*$/.test(text) ? Number(text) : text;
}

function toBoolean(value: unknown): unknown {
  const one = single(value);
  if (one === undefined || one === null || one === '') return undefined;
  if (typeof one === 'boolean' || typeof one === 'object') return one;
  return typeof one === 'number' ? one !== 0 : !falseTexts.has(one);
}

function toList(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value instanceof UploadedFile) return [value];
  // JSON may contain a list as an object keyed by position.
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^[0-9]+$/.test(key)) ? Object.values(value) : [value];
}

function parsedOrMissing(text: string): Id {
  const id = parseId(text);
  if (id === undefined) throw new Failure('notFound');
  return id;
}

/** False for `f`, `0`, `false`, `off` in the spellings of Rails, true for any other text. */
export const boolean = z.preprocess(toBoolean, z.boolean().optional());

export const integer = z.preprocess(toNumber, z.int().optional());

export function integerWithin(minimum: number, maximum: number) {
  return z.preprocess(toNumber, z.int().min(minimum).max(maximum).optional());
}

/** Any text; an empty one clears the value. */
export const text = z.preprocess(toText, z.string().optional());

/** Text of at most so many UTF-16 units. */
export function textUpTo(charactersMax: number) {
  return z.preprocess(toText, z.string().max(charactersMax).optional());
}

/** A value that is not an object is ignored: Rails drops a single value where nested parameters are expected. */
function toNested(value: unknown): unknown {
  const one = single(value);
  return typeof one === 'object' && one !== null && !Array.isArray(one) && !(one instanceof UploadedFile)
    ? one
    : undefined;
}

/** Parameters under a common name, as in `source[privacy]`. */
export function group<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(toNested, z.object(shape).optional());
}

/** A list of groups, as in `fields_attributes[][name]`; single values in it are ignored. */
export function groupList<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.preprocess((value) => {
    const groups = toList(value);
    return Array.isArray(groups) ? groups.filter((one) => toNested(one) !== undefined) : undefined;
  }, z.array(z.object(shape)).optional());
  groupShapes.set(schema, shape);
  return schema;
}

/** What the groups of a list consist of. */
const groupShapes = new WeakMap<z.core.$ZodType, z.core.$ZodShape>();

const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?: ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?)?$/;

/** A time (ISO 8601), in milliseconds since 1970; UTC unless a zone is given. */
export const time = z.preprocess(
  toGivenText,
  z
    .string()
    .regex(timePattern, 'is not a time')
    .transform((given, context) => {
      const hasZone = /(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2})$/.test(given.slice(10));
      const milliseconds = Date.parse(hasZone || given.length === 10 ? given : `${given}Z`);
      if (!Number.isNaN(milliseconds)) return milliseconds;
      context.addIssue({ code: 'custom', message: 'is not a time' });
      return z.NEVER;
    })
    .optional(),
);

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess(toGivenText, z.enum(words).optional());
}

/** A required id, as in a path. Throws Failure notFound for text that is not an id, since nothing has it. */
export const id = z.preprocess(toText, z.string().transform(parsedOrMissing));

/** An optional id. Throws Failure notFound for text that is not an id. */
export const optionalId = z.preprocess(toGivenText, z.string().transform(parsedOrMissing).optional());

/** An id to choose by. Text that is not an id becomes 0: nothing is chosen. */
export const chosenId = z.preprocess(
  toGivenText,
  z
    .string()
    .transform((text) => parseId(text) ?? idOfNothing)
    .optional(),
);

/** One id or many, in the given order. Text that is not an id becomes 0, which no record has. */
export const idList = z.preprocess(
  toList,
  z
    .array(
      z.preprocess(
        toText,
        z.string().transform((one) => parseId(one) ?? idOfNothing),
      ),
    )
    .optional(),
);

/** Each id once. Throws Failure validation for more than the maximum. */
export function distinctIds(ids: readonly Id[], maximum: number): Id[] {
  const distinct = [...new Set(ids)];
  if (distinct.length > maximum) throw validationFailure(`Ids are too many (maximum is ${maximum})`);
  return distinct;
}

/** A list of anything; a single value is a list of one. */
export function list<Element extends z.ZodType>(element: Element) {
  return z.preprocess(toList, z.array(element).optional());
}

export const textList = list(z.preprocess(toText, z.string()));

/** A list of words; an empty one counts as not given, also in the form `types[]=` that browsers send. */
export const wordList = textList.transform((words) => {
  const given = words?.filter((word) => word !== '');
  return given === undefined || given.length === 0 ? undefined : given;
});

const fileLimits = z.registry<FileLimit>();

/**
 * A file of a multipart form, received into a temporary file; larger ones are refused. A text instead is ignored: clients
 * send one to keep the current file.
 */
export function file(limit: FileLimit) {
  const schema = z.preprocess((value) => {
    const one = single(value);
    return one instanceof UploadedFile ? one : undefined;
  }, z.instanceof(UploadedFile).optional());
  return schema.register(fileLimits, limit);
}

/** Of a parameter that is a file, compulsory or not; undefined of any other. */
function fileLimitOf(schema: z.core.$ZodType): FileLimit | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  return fileLimits.get(schema) ?? (def.type === 'pipe' ? fileLimitOf(def.in) : undefined);
}

/** The files among parameters, those of groups as `group[][file]`; undefined where there are none. */
export function fileLimitsOf(shape: z.core.$ZodShape): FileLimits | undefined {
  const limits: Record<string, FileLimit> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const limit = fileLimitOf(schema);
    if (limit !== undefined) limits[name] = limit;
    const ofGroup = fileLimitsOf(groupShapes.get(schema) ?? {}) ?? {};
    for (const [inner, innerLimit] of Object.entries(ofGroup)) limits[`${name}[][${inner}]`] = innerLimit;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** A page size: clamped to 1..maximum; invalid numbers are ignored (behaviour of the Mastodon API). */
export function limit(defaultSize: number, maximum: number) {
  return z.preprocess((value) => {
    const size = toNumber(value);
    if (typeof size === 'object') return size;
    return typeof size === 'number' && Number.isFinite(size)
      ? Math.trunc(Math.min(Math.max(size, 1), maximum))
      : defaultSize;
  }, z.int().min(1).max(maximum));
}

/** An id up to which a client has read: digits beyond the range of ids count as the greatest one. */
export const readUpTo = z.preprocess(
  toGivenText,
  z
    .string()
    .regex(/^[0-9]{1,64}$/, 'is not an id')
    .transform((digits) => parseId(digits) ?? idMax)
    .optional(),
);

/**
 * A cursor between ids: the number that the text begins with, and 0 for one without a number or below 0 (behaviour of
 * the Mastodon API; clients send `null`, `undefined` and ids of other servers). Digits beyond the range of ids count as
 * the greatest one.
 */
export const cursor = z.preprocess(
  toGivenText,
  z
    .string()
    .transform((given) => {
      const digits = /^\s*\+?([0-9]+)/.exec(given)?.[1];
      return digits === undefined ? idOfNothing : (parseId(digits) ?? idMax);
    })
    .optional(),
);

/** How many entries a page leaves out. A word counts as 0, like a cursor. */
export function offsetUpTo(maximum: number) {
  return z.preprocess((value) => {
    const number = toNumber(value);
    return typeof number === 'string' ? 0 : number;
  }, z.int().min(0).max(maximum).optional());
}

/** The parameters of a page, to be spread into an object schema. */
export function pageParameters(defaultSize: number, maximum: number) {
  return { max_id: cursor, since_id: cursor, min_id: cursor, limit: limit(defaultSize, maximum) };
}

type Given<Schema extends z.ZodType> = Exclude<z.output<Schema>, undefined>;

/** Makes a block compulsory: 422 `… can't be blank` when it is missing or empty. */
export function required<Schema extends z.ZodType>(schema: Schema) {
  return schema.transform((value, context): Given<Schema> => {
    if (isGiven<Schema>(value)) return value;
    context.addIssue({ code: 'custom', message: "can't be blank" });
    return z.NEVER;
  });
}

/** Makes a block compulsory like a required parameter in Rails: 400, before anything else is validated. */
export function demanded<Schema extends z.ZodType>(name: string, schema: Schema) {
  return schema.transform((value): Given<Schema> => {
    if (isGiven<Schema>(value)) return value;
    throw new Failure('parameterMissing', { text: `param is missing or the value is empty: ${name}` });
  });
}

function isGiven<Schema extends z.ZodType>(value: unknown): value is Given<Schema> {
  return value !== undefined && value !== '';
}
