/** What takes the disk space of the server. One network thread reads it, beside everything else that it does. */

/** What is in the database, in words that people know. */
export const storageKinds = [
  ...(['ownPosts', 'otherPosts', 'postLists', 'ownAccounts', 'otherAccounts', 'accountData', 'follows'] as const),
  ...(['interactions', 'notifications', 'media', 'finding', 'deliveries', 'staff', 'events', 'machinery'] as const),
] as const;
export type StorageKind = (typeof storageKinds)[number];

/** What is in files beside the database. */
export const storagePlaces = ['ownMedia', 'otherMedia', 'search', 'incoming', 'mails'] as const;
export type StoragePlace = (typeof storagePlaces)[number];

export interface StorageFigures {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly database: {
    readonly bytes: number;
    /** Inside its files: what the next writes use. */
    readonly freeBytes: number;
    readonly kinds: readonly { readonly kind: StorageKind; readonly entries: number; readonly bytes: number }[];
  };
  readonly files: readonly { readonly place: StoragePlace; readonly files: number; readonly bytes: number }[];
  readonly diskFreeBytes: number;
  /** Public posts of other servers that nobody here uses, and that are older than so many days. */
  readonly unused: readonly { readonly days: number; readonly statuses: number }[];
}

export interface StorageState {
  /** The last ones; undefined until they were taken once. */
  readonly figures: StorageFigures | undefined;
  /** They are being taken: ask again later. */
  readonly isMeasuring: boolean;
}

export interface StorageService {
  /** Begins to measure where the last figures are an hour old. */
  state(): Promise<StorageState>;
}

export const storageTopic = 'storage';
