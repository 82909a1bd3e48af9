/**
 * The objects of others that a status shows, as a viewer sees them: the quoted status, collections of accounts that it
 * links to, the account that has written what its card shows, and whether the viewer may reply. They are read each time: few statuses have any, and some changes to them cause no event.
 */

import type { Asker } from '../../actors/policy/approval.ts';
import { replyPermission as permissionToReply } from '../../actors/policy/replies.ts';
import { anonymous, isForEverybody } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { CachedAccount, CachedStatus, EncodedForms, Encoder } from './cached-status.ts';
import { authorOfCard } from './card-authors.ts';
import { visibleCollections } from './collections.ts';
import { isShown } from './contexts.ts';
import { showQuote } from './quotes.ts';
import type { ShownParts, ShownStatus } from './shown-status.ts';
import type { SourceRecorder } from './sources.ts';
import type { CachedViewer } from './viewers.ts';

interface PartsOptions<Forms extends EncodedForms> {
  readonly reader: Reader;
  readonly encoder: Pick<Encoder<Forms>, 'collections' | 'card'>;
  readonly recorder: SourceRecorder;
  status(statusId: Id): CachedStatus<Forms> | undefined;
  account(accountId: Id): CachedAccount<Forms> | undefined;
  authorOf(status: CachedStatus<Forms>): CachedAccount<Forms> | undefined;
  /** Inside a quote. */
  show(status: CachedStatus<Forms>, viewer: CachedViewer<Forms['state']> | undefined): ShownStatus<Forms> | undefined;
  /** The same for a viewer without any relationship to it. */
  forStranger(statusId: Id): ShownStatus<Forms> | undefined;
}

const nobody: Asker = { accountId: undefined, follows: () => false, isFollowedBy: () => false };
/** No account has this id. */
const stranger: Asker = { ...nobody, accountId: 0n };

type Parts<Forms extends EncodedForms> = ShownParts<Forms>;

export class PartsPresenter<Forms extends EncodedForms> {
  private readonly options: PartsOptions<Forms>;

  constructor(options: PartsOptions<Forms>) {
    this.options = options;
  }

  /** `isQuoted`: the status is itself shown inside a quote. */
  of(status: CachedStatus<Forms>, viewer: CachedViewer<Forms['state']> | undefined, isQuoted = false): Parts<Forms> {
    const quote = isQuoted ? this.shallowQuote(status, viewer) : this.quote(status, viewer);
    return { quote, ...this.others(status, viewer) };
  }

  /** For viewers without any relationship to what is shown. */
  forStranger(status: CachedStatus<Forms>, isQuoted: boolean): Parts<Forms> {
    const quote = isQuoted ? this.shallowQuote(status, undefined) : this.strangersQuote(status);
    return { quote, ...this.others(status, undefined, stranger) };
  }

  private others(
    status: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
    replier: Asker = viewer ?? nobody,
  ): Omit<Parts<Forms>, 'quote'> {
    const replyPermission = status.repliable && permissionToReply(status.repliable, replier);
    return { collections: this.collections(status, viewer), card: this.card(status, viewer), replyPermission };
  }

  private collections(
    { taggedCollections }: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
  ): Forms['status'] | undefined {
    if (taggedCollections === undefined) return undefined;
    const { reader, encoder } = this.options;
    return encoder.collections(visibleCollections(reader, taggedCollections, viewer ?? anonymous));
  }

  private card(
    { attributedCard }: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
  ): Forms['status'] | undefined {
    if (attributedCard === undefined) return undefined;
    const { reader, encoder, account } = this.options;
    const { accountId, isMissing } = authorOfCard(reader, attributedCard.card, viewer ?? anonymous);
    const author = accountId === undefined ? undefined : account(accountId)?.asSeenBy(viewer);
    return encoder.card(attributedCard, author, isMissing);
  }

  private quote(
    { quote }: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
  ): Parts<Forms>['quote'] {
    if (quote === undefined) return undefined;
    const { options } = this;
    return showQuote(options.reader, quote, viewer ?? anonymous, (statusId) => {
      const known = options.status(statusId);
      const status = known && options.show(known, viewer);
      return status && { status, domain: status.author.domain };
    });
  }

  /** The quote of a quoted status. */
  private shallowQuote(
    { quote }: CachedStatus<Forms>,
    viewer: CachedViewer<Forms['state']> | undefined,
  ): Parts<Forms>['quote'] {
    if (quote === undefined) return undefined;
    const { options } = this;
    const { state, statusId } = showQuote(options.reader, quote, viewer ?? anonymous, (quotedId) => {
      const known = options.status(quotedId);
      const author = known && options.authorOf(known);
      options.recorder.add(known);
      options.recorder.add(author);
      const isSeen = author !== undefined && isShown(known!, author, viewer ?? anonymous, 'quoted');
      return isSeen ? { status: true, domain: author.domain } : undefined;
    });
    return { state, isShallow: true, ...(statusId === undefined ? {} : { statusId }) };
  }

  private strangersQuote({ quote }: CachedStatus<Forms>): Parts<Forms>['quote'] {
    if (quote === undefined) return undefined;
    const { options } = this;
    return showQuote(options.reader, quote, anonymous, (statusId) => {
      const known = options.status(statusId);
      const status = known && isForEverybody(known) ? options.forStranger(statusId) : undefined;
      return status && { status, domain: status.author.domain };
    });
  }
}
