/** The options of a follow: defaults of a new one, and changes by following again. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Account } from '../account.messages.ts';
import { relationshipLimits } from './limits.ts';
import type { Follow } from './relationships.records.ts';

type FollowMessage = BodyOf<typeof Account.follow>;

/** A request, until the target answers. */
export function newFollow(followId: Id, { options, uri, replaces }: FollowMessage): Follow {
  return {
    id: followId,
    state: 'requested',
    showReblogs: options.showReblogs ?? true,
    notify: options.notify ?? false,
    languages: chosenLanguages(options.languages),
    uri,
    history: [],
    replaces,
  };
}

/**
 * The follow with the given options changed; the same object when nothing changed. Options for earlier statuses are
 * kept in its history (specification 2.6: `show_reblogs` applies to new statuses only).
 */
export function changedFollow(before: Follow, message: FollowMessage, now: number): Follow {
  const { options, uri } = message;
  const showReblogs = options.showReblogs ?? before.showReblogs;
  const languages = options.languages === undefined ? before.languages : chosenLanguages(options.languages);
  const changesSight = showReblogs !== before.showReblogs || !sameLanguages(languages, before.languages);
  const wantsPosts = options.notify ?? before.notify;
  const keepsUri = uri === undefined || uri === before.uri;
  const replaces = message.replaces ?? before.replaces;
  if (!changesSight && wantsPosts === before.notify && keepsUri && replaces === before.replaces) return before;
  const earlier = { until: now, showReblogs: before.showReblogs, languages: before.languages };
  const history =
    changesSight && before.state === 'accepted'
      ? [earlier, ...before.history].slice(0, relationshipLimits.followHistoryEntriesMax)
      : before.history;
  return { ...before, showReblogs, languages, notify: wantsPosts, uri: uri ?? before.uri, history, replaces };
}

/** An empty choice means all languages. */
function chosenLanguages(languages: readonly string[] | undefined): string[] | undefined {
  return languages === undefined || languages.length === 0 ? undefined : [...languages];
}

function sameLanguages(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((language, index) => language === other[index]);
}
