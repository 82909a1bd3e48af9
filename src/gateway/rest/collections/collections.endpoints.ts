/** The endpoints of collections of accounts. */
import { collectionItemEndpoints } from './collection-items.ts';
import { ownCollectionEndpoints } from './collections.ts';

export const collectionEndpoints = [...ownCollectionEndpoints, ...collectionItemEndpoints];
