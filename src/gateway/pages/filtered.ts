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

/** A status that a visitor has opened: what a filter would hide in its thread is folded away, not missing. */
export function openedStatus(visit: Visit, id: Id): PresentedStatus | undefined {
  const view = shownStatus(visit, id, 'single');
  const known = visit.services.presenter.view(id, visit.account?.id, 'single');
  if (view?.state === undefined || known?.state === undefined || view.status.accountId === visit.account?.id)
    return view;
  const filtered = known.state.filtered
    .filter(({ filter }) => filter.contexts.includes('thread'))
    .map((match) => ({
      ...match,
      filter: { ...match.filter, action: match.filter.action === 'hide' ? 'warn' : match.filter.action },
    }));
  return { ...view, state: { ...view.state, filtered } };
}

/** Where the thread around a status of this author is shown. */
export function placeOfThread({ services, account }: Visit, authorId: Id): ThreadContext {
  return contextOfThread(authorId, services.presenter.viewer(account?.id));
}
