/** The collections of accounts that a Note links to (Mastodon API 4.6: tags of the kind FeaturedCollection). */
import { collectionTag } from '../collection-tag.ts';
import type { NotePart } from '../note-part.ts';
import { fep7aa9 } from '../vocabulary.ts';

interface CollectionsOfNote {
  /** The ActivityPub ids of the collections of accounts that it links to. */
  readonly collections: readonly string[];
}

export const collectionsOfNote: NotePart<CollectionsOfNote> = {
  read: (_object, { tags }) => ({ collections: tags.collections }),
  write: ({ taggedCollections = [] }, { reader, addresses }) => ({
    tags: taggedCollections.map((id) => collectionTag(reader, addresses, id)).filter((tag) => tag !== undefined),
  }),
  context: {
    terms: { fep7aa9, FeaturedCollection: 'fep7aa9:FeaturedCollection' },
    isIn: ({ taggedCollections }) => taggedCollections !== undefined,
  },
};
