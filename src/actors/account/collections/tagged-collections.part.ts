/** The collections of accounts that a status links to. */
import { z } from 'zod';
import { statusPart } from '../../status-part.ts';
import { identifier } from '../account.records.ts';

/** Each once; absent for none. */
const fields = { taggedCollections: z.array(identifier).optional() };

export const taggedCollectionsPart = statusPart({
  stored: fields,
  written: fields,
  edit: fields,
  received: fields,
  version: {},
  ofEdit: (_before, { taggedCollections }) => ({ taggedCollections }),
  content: ({ taggedCollections }) => taggedCollections,
  /** One of another server may have become known, or was deleted. */
  silent: ['taggedCollections'],
  facts: ({ taggedCollections }) => ({ hasCollections: taggedCollections === undefined ? undefined : true }),
});
