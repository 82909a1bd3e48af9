/** The canonical form of JSON (JCS, RFC 8785): proofs are over its bytes. */
import type { JsonValue } from '../../outbound/fetcher/json.ts';

/** JSON.stringify already writes texts and numbers as JCS demands; names are in the order of their UTF-16 units. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, JsonValue | undefined>>)[name];
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
