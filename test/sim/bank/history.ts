/** Records what the callers of the bank did and which answers they got. */
import type { CallResult } from '../../../src/runtime/ports.ts';
import type { StoredMessage } from '../../../src/runtime/storage/machine.ts';
import type { Receipt } from './account.messages.ts';

export interface Operation {
  readonly number: number;
  /** When it was asked for, on the timeline. */
  readonly begunAt: number;
  readonly what: string;
  /** The account that was called, and the one whose receipt is expected. */
  readonly account: bigint;
  readonly last: bigint;
  /** The newest position of that account's journal known to any caller when the call was made. */
  readonly floor: number;
  /** The accounts on which an `ask` leaves an entry, in order. */
  readonly way: readonly bigint[];
  result: CallResult | undefined;
}

export class History {
  readonly operations = new Map<number, Operation>();
  /** The answers of the outside world to each operation. */
  readonly lookups = new Map<number, number[]>();
  /** Archived dead letters, by partition and sequence. */
  readonly archived = new Map<string, StoredMessage>();
  private readonly operationOfCall = new Map<number, Operation>();
  private readonly newest = new Map<bigint, number>();

  begin(what: string, account: bigint, way: readonly bigint[] = [], begunAt = 0): Operation {
    const number = this.operations.size + 1;
    const last = way.at(-1) ?? account;
    const floor = this.newest.get(last) ?? 0;
    const operation: Operation = {
      ...{ number, begunAt, what, account, last, floor, way: [account, ...way], result: undefined },
    };
    this.operations.set(number, operation);
    return operation;
  }

  called(call: number, operation: Operation): void {
    this.operationOfCall.set(call, operation);
  }

  ofCall(call: number): Operation {
    return this.operationOfCall.get(call)!;
  }

  heard(operation: Operation, result: CallResult, position: number | undefined): void {
    operation.result = result;
    if (position !== undefined)
      this.newest.set(operation.last, Math.max(position, this.newest.get(operation.last) ?? 0));
  }

  lookUp(operation: number): number {
    const answers = this.lookups.get(operation) ?? [];
    const answer = operation * 1_000 + answers.length;
    this.lookups.set(operation, [...answers, answer]);
    return answer;
  }
}

/** The position in a successful reply; undefined for any other. */
export function positionOf({ what }: Operation, result: CallResult): number | undefined {
  if (!result.ok) return undefined;
  if (what === 'mint') return (result.value as { receipt: Receipt }).receipt.position;
  return (result.value as { position: number }).position;
}
