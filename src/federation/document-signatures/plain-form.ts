/**
 * What a signed document may look like in JSON, before any processor of JSON-LD sees it, and what is read of it. Documents
 * of the known servers are plain: features that only serve to write the same statements otherwise are refused.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import type { DocumentRefusal } from '../../services/signed-documents.ts';
import { isBundled } from './bundled-contexts.ts';
import { languageTerms, readTerms } from './reading-context.ts';

type FormRefusal = Extract<DocumentRefusal, 'foreign context' | 'unsupported form'>;

/** Why a document is refused by its form; undefined for a plain one. */
export function refusedForm(value: JsonValue | undefined): FormRefusal | undefined {
  if (Array.isArray(value)) return firstRefusal(value, refusedForm);
  if (!isJsonObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    if (isInherited(key)) return 'unsupported form';
    if (key !== '@context' && key.startsWith('@')) return 'unsupported form';
    const refusal = key === '@context' ? refusedContext(value[key]) : refusedForm(value[key]);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Contexts may be nested in definitions of terms. */
function refusedContext(value: JsonValue | undefined): FormRefusal | undefined {
  if (typeof value === 'string') return isBundled(value) ? undefined : 'foreign context';
  if (Array.isArray(value)) return firstRefusal(value, refusedContext);
  return isJsonObject(value) ? refusedDefinitions(value) : 'unsupported form';
}

function refusedDefinitions(definitions: JsonObject): FormRefusal | undefined {
  for (const key of Object.keys(definitions)) {
    const value = definitions[key];
    if (isInherited(key) || key === '@import' || key === '@base') return 'unsupported form';
    const refusal =
      key === '@context' ? refusedContext(value) : isJsonObject(value) ? refusedDefinitions(value) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function firstRefusal(
  values: readonly JsonValue[],
  examine: (value: JsonValue) => FormRefusal | undefined,
): FormRefusal | undefined {
  for (const value of values) {
    const refusal = examine(value);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Names such as `__proto__`, which mean something else where objects serve as maps. */
function isInherited(key: string): boolean {
  return Object.hasOwn(Object.prototype, key);
}

/** The document with nothing but what this server reads: no contexts, no other terms, no other types. */
export function readablePart(object: JsonObject): JsonObject {
  const part: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined || !readTerms.has(key)) continue;
    if (key === 'type') part[key] = knownTypes(value);
    else part[key] = languageTerms.has(key) ? value : readableValue(value);
  }
  return part;
}

function readableValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(readableValue);
  return isJsonObject(value) ? readablePart(value) : value;
}

function knownTypes(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return typeof value === 'string' && readTerms.has(value) ? value : [];
  return value.filter((type: JsonValue) => typeof type === 'string' && readTerms.has(type));
}
