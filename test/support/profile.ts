/** An ordinary profile, for tests that depend on a part of it. */
import type { Profile } from '../../src/actors/account/profile/profile.records.ts';

/** Of a local account, unless the changes say otherwise. */
export function testProfile(changes: Partial<Profile> & Pick<Profile, 'username'>): Profile {
  return {
    id: 0n,
    domain: undefined,
    actorType: 'Person',
    displayName: changes.username,
    note: '',
    noteHtml: '',
    fields: [],
    emojis: [],
    locked: false,
    bot: false,
    indexable: false,
    hideCollections: false,
    createdAt: Date.UTC(2024, 5, 1),
    updatedAt: Date.UTC(2024, 5, 1),
    limited: false,
    memorial: false,
    alsoKnownAs: [],
    role: 'user',
    ...changes,
  };
}
