/** A status as typed values, for interfaces that do not encode and cache; visibility is decided as for the others. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findStatus, type StatusView } from '../../actors/account/status-views.queries.ts';
import { anonymous, type Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { AccountFacts } from './cached-status.ts';
import { authorOfCard } from './card-authors.ts';
import { type ShownCollection, visibleCollections } from './collections.ts';
import { contextOfOriginal, isShown, type PresentationContext } from './contexts.ts';
import { filterableText, isDroppedIn } from './filters.ts';
import { quoteOf, type ShownQuote, showQuote } from './quotes.ts';
import { attributedCardOf } from './viewer-parts.ts';
import type { ViewerState } from './viewer-state.ts';
import type { CachedViewer } from './viewers.ts';

export interface PresentedStatus extends StatusView {
  /** Undefined for viewers who are not signed in. */
  readonly state: ViewerState | undefined;
  readonly reblog: PresentedStatus | undefined;
  /** Without a status inside a quote: quotes are shown one level deep. */
  readonly quote?: ShownQuote<PresentedStatus> | undefined;
  /** The collections that it links to, as far as the viewer may see them. */
  readonly collections?: readonly ShownCollection[] | undefined;
  /** The account that has written what its card shows. */
  readonly cardAuthor?: Profile | undefined;
}

/** The part of the presenter for operations, which encode nothing. */
export interface PresentedViews {
  /** The viewer, for decisions about visibility; valid until other work of the thread begins. */
  viewer(accountId: Id | undefined): Viewer;
  /** The status as typed values; undefined where it does not exist for this viewer. */
  view(statusId: Id, viewerId: Id | undefined, context: PresentationContext): PresentedStatus | undefined;
  /** The viewer's state of an original, whether or not it is shown. */
  state(statusId: Id, viewerId: Id): ViewerState;
  /** Undefined for an unknown account. */
  accountFacts(accountId: Id): AccountFacts | undefined;
}

interface Asked {
  readonly reader: Reader;
  readonly viewer: CachedViewer<unknown> | undefined;
  /** An object that stands for the current version of a status, where that is cached. */
  versionOf(statusId: Id): object | undefined;
}

/** Undefined where it is not shown to the viewer. */
export function presentView(
  asked: Asked,
  known: StatusView,
  context: PresentationContext,
  isQuoted = false,
): PresentedStatus | undefined {
  const { viewer } = asked;
  const view = known.author.profile.sensitized === true ? sensitiveToOthers(known, viewer?.accountId) : known;
  const { status, author } = view;
  const { limited: isLimited, suspendedAt, domain } = author.profile;
  const isSuspended = suspendedAt !== undefined;
  if (!isShown(status, { isLimited, isSuspended, domain }, viewer ?? anonymous, context)) return undefined;
  const place = contextOfOriginal(context, status.accountId === viewer?.accountId);
  const reblog = view.reblog === undefined ? undefined : presentView(asked, view.reblog, place);
  if (view.reblog !== undefined && reblog === undefined) return undefined;
  const quote = isQuoted ? undefined : presentQuote(asked, view);
  const others = { quote, collections: presentCollections(asked, view), cardAuthor: presentCardAuthor(asked, view) };
  if (viewer === undefined) return { ...view, state: undefined, reblog, ...others };
  const state = viewer.valuesOf(status.reblogOfId ?? status.id);
  if (viewer.filters.isEmpty) return { ...view, state, reblog, ...others };
  const subject = view.reblog?.status ?? status;
  const ids = subject === status ? [status.id] : [status.id, subject.id];
  const version = asked.versionOf(subject.id) ?? subject;
  const filtered = viewer.filters.matches(version, ids, () => filterableText(subject));
  if (status.accountId !== viewer.accountId && isDroppedIn(context, filtered)) return undefined;
  return { ...view, state: { ...state, filtered }, reblog, ...others };
}

/** Staff have decided that all media of the author are sensitive. */
function sensitiveToOthers(view: StatusView, viewerId: Id | undefined): StatusView {
  const { status } = view;
  return status.accountId === viewerId ? view : { ...view, status: { ...status, sensitive: true } };
}

function presentCollections({ reader, viewer }: Asked, { status }: StatusView): ShownCollection[] | undefined {
  const { taggedCollections } = status;
  return taggedCollections && visibleCollections(reader, taggedCollections, viewer ?? anonymous);
}

function presentCardAuthor({ reader, viewer }: Asked, { status }: StatusView): Profile | undefined {
  const card = attributedCardOf(status);
  const author = card && authorOfCard(reader, card, viewer ?? anonymous);
  return author?.accountId === undefined ? undefined : findProfile(reader, author.accountId);
}

function presentQuote(asked: Asked, { status }: StatusView): ShownQuote<PresentedStatus> | undefined {
  const { reader, viewer } = asked;
  const quote = quoteOf(status);
  if (quote === undefined) return undefined;
  return showQuote(reader, quote, viewer ?? anonymous, (statusId) => {
    const view = findStatus(reader, statusId);
    const quoted = view && presentView(asked, view, 'quoted', true);
    return quoted && { status: quoted, domain: quoted.author.profile.domain };
  });
}
