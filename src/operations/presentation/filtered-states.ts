/** What the viewer's filters match in statuses, and viewer states with these matches. */

import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { bytesOfText } from '../../runtime/kept-text.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { CachedObjects } from './cached-objects.ts';
import type { CachedStatus, EncodedForms, Encoder } from './cached-status.ts';
import { filterableText, type StatusFilterMatch } from './filters.ts';
import type { CachedViewer, SharedState } from './viewers.ts';

interface FilteredStatesOptions<Forms extends EncodedForms> {
  readonly snapshots: Reader;
  readonly encoder: Pick<Encoder<Forms>, 'viewerState'>;
  readonly known: CachedObjects<Forms>;
}

interface FilteredState<Body> {
  readonly of: SharedState<Body>;
  readonly body: Body;
}

const noMatches: readonly StatusFilterMatch[] = [];

export class FilteredStates<Forms extends EncodedForms> {
  private readonly options: FilteredStatesOptions<Forms>;
  /** By the list of matches: there is one list per version of filters and status. */
  private readonly states = new WeakMap<readonly StatusFilterMatch[], FilteredState<Forms['state']>>();

  constructor(options: FilteredStatesOptions<Forms>) {
    this.options = options;
  }

  /** The viewer's filter matches in a status; for a reblog, in its original. `given` is read otherwise. */
  matches(
    status: CachedStatus<Forms>,
    original: CachedStatus<Forms> | undefined,
    { filters }: CachedViewer<Forms['state']>,
    given?: Status,
  ): readonly StatusFilterMatch[] {
    if (filters.isEmpty) return noMatches;
    const subject = original ?? status;
    const ids = original === undefined ? [status.id] : [status.id, original.id];
    return filters.matches(subject, ids, () => {
      if (subject.filterableText === undefined) {
        subject.filterableText = given === undefined ? this.storedText(status.subjectId) : filterableText(given);
        this.options.known.keptWith(subject, bytesOfText(subject.filterableText));
      }
      return subject.filterableText;
    });
  }

  /** A state with matches of filters, encoded. */
  bodyOf(state: SharedState<Forms['state']>, matches: readonly StatusFilterMatch[]): Forms['state'] {
    if (matches.length === 0) return state.body;
    const known = this.states.get(matches);
    if (known?.of === state) return known.body;
    const body = this.options.encoder.viewerState({ ...state.values, filtered: matches });
    this.states.set(matches, { of: state, body });
    return body;
  }

  /** Whatever became of the author, who may be back before the text is read again. */
  private storedText(statusId: Id): string {
    const status = findStatusRecord(this.options.snapshots, statusId);
    return status === undefined ? '' : filterableText(status);
  }
}
