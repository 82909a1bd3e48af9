/**
 * Statuses and accounts as the JSON text of their entities: made once for each version and kept, whoever looks. Encoding
 * twenty statuses afresh costs more than everything else of a timeline (measured). What depends on the viewer stands at
 * the end of the entity, in the order of the table of viewer state.
 */
import type { AccountView, StatusView } from '../../actors/account/statuses/statuses.queries.ts';
import type { Encoded, Encoder } from '../../operations/presentation/known-status.ts';
import type { ShownStatus } from '../../operations/presentation/presenter.ts';
import {
  defaultState,
  fieldsShownTo,
  type StateReader,
  type ViewerState,
} from '../../operations/presentation/viewer-state.ts';
import type { Addresses } from '../../services/addresses.ts';
import { accountEntity } from './account.ts';
import { filterResultEntity } from './filter.ts';
import type { PageBuffer } from './page-buffer.ts';
import { statusEntity } from './status.ts';

export class EncodedAccount implements Encoded {
  readonly json: Buffer;

  constructor(view: AccountView, addresses: Addresses) {
    this.json = Buffer.from(JSON.stringify(accountEntity(view, addresses)));
  }

  get bytes(): number {
    return this.json.length;
  }
}

/** Viewer state as JSON up to the end of the entity, for each of those who are shown different fields. */
export type EncodedState = Readonly<Record<StateReader, Buffer>>;

function encodeState(state: ViewerState): EncodedState {
  const textFor = (reader: StateReader) => {
    const shown = { ...state, filtered: state.filtered.map(filterResultEntity) };
    const fields = fieldsShownTo(reader).map((name) => `${JSON.stringify(name)}:${JSON.stringify(shown[name])}`);
    return Buffer.from(`${fields.join(',')}}`);
  };
  return { anonymous: textFor('anonymous'), viewer: textFor('viewer'), author: textFor('author') };
}

/** What most statuses are to most viewers: the text of a status ends with it, so that nothing has to be appended. */
const usualState = encodeState(defaultState);
const usualEnd = usualState.viewer;

const start = Buffer.from(',{"account":');
const end = Buffer.concat([Buffer.from('"reblog":null,'), usualEnd]);
const endOfReblog = Buffer.from('"reblog"');
const nothing = Buffer.alloc(0);

export class EncodedStatus implements Encoded {
  readonly bytes: number;
  readonly isReblog: boolean;
  /** Everything but `account`, `reblog` and viewer state, beginning and ending with a comma. */
  private body: Buffer;
  private text: Buffer = nothing;
  private textOf: EncodedAccount | undefined;

  constructor(view: StatusView, addresses: Addresses) {
    const { account: _account, reblog: _reblog, ...rest } = statusEntity({ ...view, reblog: undefined }, addresses);
    this.body = Buffer.from(`,${JSON.stringify(rest).slice(1, -1)},`);
    this.bytes = this.body.length;
    this.isReblog = view.status.reblogOfId !== undefined;
  }

  /**
   * A comma as separator, then the entity, which ends with `usualEnd`; that of a reblog up to the reblogged status, whose
   * separator is to be a colon.
   */
  textWith(account: EncodedAccount): Buffer {
    if (this.textOf !== account) {
      this.text = Buffer.concat([start, account.json, this.body, this.isReblog ? endOfReblog : end]);
      this.textOf = account;
      // The text holds the body: it is kept once.
      const bodyStart = start.length + account.json.length;
      this.body = this.text.subarray(bodyStart, bodyStart + this.body.length);
    }
    return this.text;
  }
}

export type EncodableStatus = ShownStatus<EncodedStatus, EncodedAccount, EncodedState>;
export type EntityEncoder = Encoder<EncodedStatus, EncodedAccount, EncodedState>;

export function entityEncoder(addresses: Addresses): EntityEncoder {
  return {
    status: (view) => new EncodedStatus(view, addresses),
    account: (view) => new EncodedAccount(view, addresses),
    viewerState: (state) => (state === undefined || state === defaultState ? usualState : encodeState(state)),
  };
}

const colon = 0x3a;
const comma = Buffer.from(',');

/** Appends a comma and the entity. */
export function appendStatus(buffer: PageBuffer, { status, author, state, shownTo, original }: EncodableStatus): void {
  buffer.append(status.body.textWith(author.body));
  const stateText = state[shownTo];
  if (original === undefined) {
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
