/** What the viewer's filters match in statuses, and viewer states with these matches. */
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { bytesOfText } from '../../runtime/kept-text.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { filterableText, type StatusFilterMatch } from './filters.ts';
import type { KnownObjects } from './known-objects.ts';
import type { Encoded, Encoder, KnownStatus } from './known-status.ts';
import type { RememberedViewer, SharedState } from './viewers.ts';

interface FilteredStatesOptions<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  readonly snapshots: Reader;
  readonly encoder: Pick<Encoder<StatusBody, AccountBody, StateBody>, 'viewerState'>;
  readonly known: KnownObjects<StatusBody, AccountBody>;
}

interface FilteredState<StateBody> {
  readonly of: SharedState<StateBody>;
  readonly body: StateBody;
}

const noMatches: readonly StatusFilterMatch[] = [];

export class FilteredStates<StatusBody extends Encoded, AccountBody extends Encoded, StateBody> {
  private readonly options: FilteredStatesOptions<StatusBody, AccountBody, StateBody>;
  /** By the list of matches: there is one list per version of filters and status. */
  private readonly states = new WeakMap<readonly StatusFilterMatch[], FilteredState<StateBody>>();

  constructor(options: FilteredStatesOptions<StatusBody, AccountBody, StateBody>) {
    this.options = options;
  }

  /** The viewer's filter matches in a status; for a reblog, in its original. `given` is read otherwise. */
  matches(
    status: KnownStatus<StatusBody, AccountBody>,
    original: KnownStatus<StatusBody, AccountBody> | undefined,
    { filters }: RememberedViewer<StateBody>,
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
  bodyOf(state: SharedState<StateBody>, matches: readonly StatusFilterMatch[]): StateBody {
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
