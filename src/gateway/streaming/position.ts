/**
 * The position of a stream in the event logs, opaque to clients. An account's channel follows one partition; a public
 * one follows all. Written as `partition.commit.index`, joined by commas.
 */
export interface Position {
  readonly partition: number;
  readonly commit: number;
  readonly index: number;
}

export function formatPosition({ partition, commit, index }: Position): string {
  return `${partition}.${commit}.${index}`;
}

/** Whether `one` comes after `other`, both in the same partition. */
export function isAfter(one: Position, other: Position): boolean {
  return one.commit > other.commit || (one.commit === other.commit && one.index > other.index);
}

const pattern = /^(\d{1,4})\.(\d{1,15})\.(\d{1,9})$/;

/**
 * At most one position per partition, because each costs a read. Empty for any other text: what that client has missed
 * is unknown, so it gets `gap`.
 */
export function parsePositions(text: string): Position[] {
  const positions = new Map<number, Position>();
  for (const part of text.split(',')) {
    const found = pattern.exec(part);
    const partition = Number(found?.[1]);
    if (found === null || positions.has(partition)) return [];
    positions.set(partition, { partition, commit: Number(found[2]), index: Number(found[3]) });
  }
  return [...positions.values()];
}

/** One position per partition, and their text: the id of events in channels that merge partitions. */
export class Positions {
  private readonly positions: (Position | undefined)[];
  private readonly texts: string[];
  private text: string | undefined;

  constructor(partitions: number) {
    this.positions = new Array<Position | undefined>(partitions).fill(undefined);
    this.texts = new Array<string>(partitions).fill('');
  }

  /** Undefined where nothing is known of a partition yet. */
  at(partition: number): Position | undefined {
    return this.positions[partition];
  }

  moveTo(position: Position): void {
    this.positions[position.partition] = position;
    this.texts[position.partition] = formatPosition(position);
    this.text = undefined;
  }

  known(): Position[] {
    return this.positions.filter((position) => position !== undefined);
  }

  /** All known positions, as the id of an event. */
  toString(): string {
    this.text ??= this.texts.filter((text) => text !== '').join(',');
    return this.text;
  }
}
