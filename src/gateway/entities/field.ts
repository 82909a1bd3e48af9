/** The Field entity: a row of a profile's table, as shown or as its owner wrote it. */
import { z } from 'zod';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { text, time } from './values.ts';

type ProfileField = Profile['fields'][number];

export const FieldEntity = z.strictObject({ name: text, value: text, verified_at: time.nullable() });
export type FieldEntity = z.output<typeof FieldEntity>;

/** With an HTML value; `shown` completes the stored HTML. */
export function fieldEntity(field: ProfileField, shown: (html: string) => string): FieldEntity {
  return { name: field.name, value: shown(field.html), verified_at: verifiedAt(field) };
}

/** With the value as plain text. */
export function sourceFieldEntity(field: ProfileField): FieldEntity {
  return { name: field.name, value: field.value, verified_at: verifiedAt(field) };
}

function verifiedAt(field: ProfileField): string | null {
  return field.verifiedAt === undefined ? null : new Date(field.verifiedAt).toISOString();
}
