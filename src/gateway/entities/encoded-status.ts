/**
 * Statuses and accounts as the JSON text of their entities: made once for each version and kept, whoever looks. Encoding
 * twenty statuses afresh costs more than everything else of a timeline (measured). What depends on the viewer stands at
 * the end of the entity, in the order of the table of viewer state.
 */
import type { AccountView, StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Encoder } from '../../operations/presentation/known-status.ts';
import type { ShownStatus } from '../../operations/presentation/presenter.ts';
import {
  defaultState,
  fieldsShownTo,
  type StateReader,
  type ViewerState,
} from '../../operations/presentation/viewer-state.ts';
import { keptText } from '../../runtime/kept-text.ts';
import type { Addresses } from '../../services/addresses.ts';
import { accountEntity } from './account.ts';
import { filterResultEntity } from './filter.ts';
import type { PageBuffer } from './page-buffer.ts';
import { statusEntity } from './status.ts';

/** How the entity of a status begins that the account wrote, with a comma as separator. */
export type EncodedAccount = Buffer;

const start = ',{"account":';

function encodeAccount(view: AccountView, addresses: Addresses): EncodedAccount {
  return keptText(start + JSON.stringify(accountEntity(view, addresses)));
}

/** The entity of the account itself. */
export function accountJson(account: EncodedAccount): Buffer {
  return account.subarray(start.length);
}

/**
 * Viewer state as JSON up to the end of the entity, for each of those who are shown different fields; and that which ends
 * the poll of a status.
 */
export type EncodedState = Readonly<Record<StateReader, Buffer>> & {
  readonly poll: Readonly<Record<StateReader, Buffer>>;
};

function encodeState(state: ViewerState): EncodedState {
  const textFor = (reader: StateReader) => {
    const shown = { ...state, filtered: state.filtered.map(filterResultEntity) };
    const fields = fieldsShownTo(reader).map((name) => `${JSON.stringify(name)}:${JSON.stringify(shown[name])}`);
    return keptText(`${fields.join(',')}}`);
  };
  return { ...forReaders(textFor), poll: forReaders((reader) => keptText(endOfPoll(state, reader))) };
}

function forReaders(textFor: (reader: StateReader) => Buffer): Readonly<Record<StateReader, Buffer>> {
  return {
    anonymous: textFor('anonymous'),
    viewer: textFor('viewer'),
    author: textFor('author'),
    'author of direct': textFor('author of direct'),
  };
}

/** Nobody votes in a poll of their own: its author is shown what voters are shown. */
function endOfPoll({ choices }: ViewerState, reader: StateReader): string {
  if (reader === 'anonymous') return '}';
  return `,"voted":${reader !== 'viewer' || choices.length > 0},"own_votes":${JSON.stringify(choices)}}`;
}

/** What most statuses are to most viewers: the text of a status ends with it, so that nothing has to be appended. */
const usualState = encodeState(defaultState);
const usualEnd = usualState.viewer;

/**
 * What follows the account in the entity, with `usualEnd`; of a reblog up to the reblogged status, whose separator is to be
 * a colon. The account is kept once for all its statuses: many different pages are waiting for memory (measured), and so
 * they read half as much of it.
 */
export type EncodedStatus = Buffer;

/** The poll stands at the end; where there is one the text ends within it, because its end depends on the viewer. */
function encodeStatus(view: StatusView, addresses: Addresses): EncodedStatus {
  const { account: _account, reblog: _reblog, ...all } = statusEntity({ ...view, reblog: undefined }, addresses);
  const { poll, ...rest } = all;
  const start = `,${JSON.stringify(rest).slice(1, -1)},"poll":`;
  if (poll !== null) return keptText(start + JSON.stringify(poll).slice(0, -1));
  const end = view.status.reblogOfId === undefined ? `"reblog":null,${usualEnd}` : '"reblog"';
  return keptText(`${start}null,${end}`);
}

export type EncodableStatus = ShownStatus<EncodedStatus, EncodedAccount, EncodedState>;
export type EntityEncoder = Encoder<EncodedStatus, EncodedAccount, EncodedState>;

export function entityEncoder(addresses: Addresses): EntityEncoder {
  return {
    status: (view) => encodeStatus(view, addresses),
    account: (view) => encodeAccount(view, addresses),
    viewerState: (state) => (state === undefined || state === defaultState ? usualState : encodeState(state)),
  };
}

const behindPoll = Buffer.from(',"reblog":null,');
const colon = 0x3a;
const comma = Buffer.from(',');

/** Appends a comma and the entity. */
export function appendStatus(buffer: PageBuffer, { status, author, state, shownTo, original }: EncodableStatus): void {
  buffer.append(author.body);
  buffer.append(status.body);
  const stateText = state[shownTo];
  if (status.hasPoll) {
    buffer.append(state.poll[shownTo]);
    buffer.append(behindPoll);
  } else if (original === undefined) {
    if (stateText === usualEnd) return;
    buffer.truncate(buffer.length - usualEnd.length);
  } else {
    const separator = buffer.length;
    appendStatus(buffer, original);
    buffer.overwrite(separator, colon);
    buffer.append(comma);
  }
  buffer.append(stateText);
}
