/** The Field entity: a row of a profile's table, as everybody sees it or as its owner wrote it. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';

type ProfileField = Profile['fields'][number];

export interface FieldEntity {
  name: string;
  value: string;
  verified_at: string | null;
}

/** With the value in HTML. */
export function fieldEntity(field: ProfileField): FieldEntity {
  return { name: field.name, value: field.html, verified_at: verifiedAt(field) };
}

/** With the value as plain text. */
export function sourceFieldEntity(field: ProfileField): FieldEntity {
  return { name: field.name, value: field.value, verified_at: verifiedAt(field) };
}

function verifiedAt(field: ProfileField): string | null {
  return field.verifiedAt === undefined ? null : new Date(field.verifiedAt).toISOString();
}
