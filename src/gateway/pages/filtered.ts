/** Applies a visitor's filters to a status on a page. The presenter has already dropped what is never shown. */
import type { FilterContext } from '../../actors/account/filters/filters.records.ts';
import {
  contextOfThread,
  type PresentationContext,
  type ThreadContext,
} from '../../operations/presentation/contexts.ts';
import type { PresentedStatus } from '../../operations/presentation/presented-status.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Visit } from './visit.ts';

const filterContexts: Readonly<Partial<Record<PresentationContext, FilterContext>>> = {
  home: 'home',
  public: 'public',
  tag: 'public',
  trend: 'public',
  account: 'account',
  thread: 'thread',
  mutedThread: 'thread',
  notification: 'notifications',
};

/** A status for a page in this context, with the matches of filters for it; undefined where it is not shown. */
export function shownStatus(visit: Visit, id: Id, place: PresentationContext): PresentedStatus | undefined {
  const { services, account } = visit;
  const view = services.presenter.view(id, account?.id, place);
  const { state, reblog } = view ?? {};
  if (view === undefined || state === undefined || state.filtered.length === 0) return view;
  const context = filterContexts[place];
  const isOwn = (reblog ?? view).status.accountId === account?.id;
  const filtered = state.filtered.filter(
    ({ filter }) => !isOwn && context !== undefined && filter.contexts.includes(context),
  );
  if (filtered.some(({ filter }) => filter.action === 'hide')) return undefined;
  const withMatches = (one: PresentedStatus) => ({ ...one, state: one.state && { ...one.state, filtered } });
  return { ...withMatches(view), reblog: reblog && withMatches(reblog) };
}

/** Where the thread around a status of this author is shown. */
export function placeOfThread({ services, account }: Visit, authorId: Id): ThreadContext {
  return contextOfThread(authorId, services.presenter.viewer(account?.id));
}
