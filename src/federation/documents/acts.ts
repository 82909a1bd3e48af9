/** What a remote activity claims that its actor does, independent of how its server spells it. */
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import type { Audience } from './audience.ts';
import type { RemoteActor } from './read-actor.ts';
import type { RemoteCollection, RemoteItem } from './read-collection.ts';
import type { RemoteNote } from './read-note.ts';

/** A Follow that an Accept, a Reject or an Undo refers to: by its id, by its actor and object, or by all three. */
export interface FollowReference {
  readonly uri: string | undefined;
  readonly follower: string | undefined;
  readonly followed: string | undefined;
}

/** One act of an actor. */
export type Act =
  | { readonly kind: 'publish'; readonly note: RemoteNote }
  | { readonly kind: 'edit'; readonly note: RemoteNote }
  /** The object was given by its address only. */
  | { readonly kind: 'publishNamed'; readonly uri: string; readonly audience: Audience }
  | { readonly kind: 'editNamed'; readonly uri: string }
  /** Somebody else reports that a status was edited: its own server decides. */
  | { readonly kind: 'refresh'; readonly uri: string }
  /**
   * A vote in a poll, for one option by name; `uri` is the id of the vote. With a content it is an answer where the poll
   * has no such option.
   */
  | {
      readonly kind: 'vote';
      readonly uri: string;
      readonly poll: string;
      readonly option: string;
      readonly answer: RemoteNote | undefined;
    }
  | { readonly kind: 'changeProfile'; readonly actor: RemoteActor }
  /** Of a status, or of the actor itself. */
  | { readonly kind: 'delete'; readonly uri: string }
  | { readonly kind: 'follow'; readonly followed: string }
  | { readonly kind: 'accept' | 'reject' | 'undoAccept'; readonly follow: FollowReference }
  /** To quote `quoted` in the status at `quoteUri`, which may be embedded. */
  | {
      readonly kind: 'requestQuote';
      readonly quoted: string;
      readonly quoteUri: string;
      readonly note: RemoteNote | undefined;
    }
  | {
      readonly kind: 'acceptQuote' | 'rejectQuote';
      readonly requestUri: string | undefined;
      readonly quoteUri: string | undefined;
      readonly authorization: string | undefined;
    }
  /** To answer `answered` with the status at `replyUri`, which may be embedded. */
  | {
      readonly kind: 'requestReply';
      readonly answered: string;
      readonly replyUri: string;
      readonly note: RemoteNote | undefined;
    }
  | {
      readonly kind: 'acceptReply' | 'rejectReply';
      readonly requestUri: string | undefined;
      readonly replyUri: string | undefined;
      readonly authorization: string | undefined;
    }
  /** To add `featured` to the collection at `collectionUri`, which may be embedded (FEP-7aa9). */
  | {
      readonly kind: 'requestFeature';
      readonly featured: string;
      readonly collectionUri: string;
      readonly collection: RemoteCollection | undefined;
    }
  | {
      readonly kind: 'acceptFeature' | 'rejectFeature';
      readonly requestUri: string | undefined;
      readonly authorization: string | undefined;
    }
  /** New where it was added to `target`, otherwise changed. */
  | { readonly kind: 'shareCollection'; readonly collection: RemoteCollection; readonly target: string | undefined }
  | { readonly kind: 'addCollectionItem'; readonly item: RemoteItem; readonly target: string }
  | { readonly kind: 'like'; readonly uri: string }
  | {
      readonly kind: 'boost';
      readonly uri: string;
      readonly publishedAt: number | undefined;
      readonly audience: Audience;
    }
  | { readonly kind: 'block'; readonly blocked: string }
  /** A status was added to, or removed from, a collection of the actor. */
  | { readonly kind: 'pin' | 'unpin'; readonly uri: string; readonly collection: string }
  /** The same for a hashtag, which has no address of its own. */
  | { readonly kind: 'featureTag' | 'unfeatureTag'; readonly tag: Tag; readonly collection: string }
  | { readonly kind: 'undoFollow'; readonly follow: FollowReference }
  /** `uri`: the id of the undone activity, where it has one. */
  | { readonly kind: 'undoLike' | 'undoBoost' | 'undoBlock'; readonly object: string; readonly uri: string | undefined }
  /** About accounts and statuses: a report names them all together. */
  | { readonly kind: 'report'; readonly objects: readonly string[]; readonly comment: string }
  /** The actor moves to another account. */
  | { readonly kind: 'move'; readonly target: string }
  /** The undone activity was given by its address only. */
  | { readonly kind: 'undoNamed'; readonly uri: string };

export type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>;

export interface Activity {
  /** Absent where the sender gave none. */
  readonly id: string | undefined;
  readonly actor: string;
  /** Of the activity itself; its objects may have others. */
  readonly audience: Audience;
  readonly acts: readonly Act[];
}
