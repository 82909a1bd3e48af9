/**
 * A film or sound while it is downloaded. It can be shown as soon as its first bytes say what it is; whoever shows it asks how
 * much of it has come.
 */
import { endingOf } from '../../services/media/media-types.ts';
import type { Arrival } from '../../services/media/remote-media.ts';
import { sniffedBytes, sniffMedia } from '../../services/media/sniff.ts';
import { within } from './within.ts';

/** It can be shown. */
export interface ShownArrival {
  readonly ending: string;
  /** Of the whole file. */
  readonly byteLength: number;
}

export class ArrivingFile {
  /** Of the file that is written. */
  readonly path: string;
  /** Settles when it can be shown before it is whole; otherwise never. */
  readonly isShown: Promise<void>;
  shown: ShownArrival | undefined;
  private show!: () => void;
  /** Its beginning, until that says what it is. */
  private head: Buffer | undefined = Buffer.alloc(0);
  private arrived: Arrival = { bytes: 0, isOver: false };
  private changed = Promise.withResolvers<void>();

  constructor(path: string) {
    this.path = path;
    this.isShown = new Promise((resolve) => {
      this.show = resolve;
    });
  }

  /** A piece of it can be read now, and so many bytes in all. */
  grow(piece: Buffer, bytes: number, byteLength: number): void {
    if (this.head !== undefined) this.look(this.head, piece, byteLength);
    this.change({ bytes, isOver: false });
  }

  /** Nothing more comes. */
  end(): void {
    this.change({ ...this.arrived, isOver: true });
  }

  /** Settles when there is something behind an offset, it is over, or after this time. */
  async beyond(offset: number, milliseconds: number): Promise<Arrival> {
    const enough = async () => {
      while (!this.arrived.isOver && this.arrived.bytes <= offset) await this.changed.promise;
    };
    await within(milliseconds, enough());
    return this.arrived;
  }

  private look(head: Buffer, piece: Buffer, byteLength: number): void {
    this.head = Buffer.concat([head, piece.subarray(0, sniffedBytes)]);
    if (this.head.length < Math.min(sniffedBytes, byteLength)) return;
    const ending = endingOfPlayed(this.head.subarray(0, sniffedBytes));
    this.head = undefined;
    if (ending === undefined) return;
    this.shown = { ending, byteLength };
    this.show();
  }

  private change(arrived: Arrival): void {
    this.arrived = arrived;
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}

function endingOfPlayed(head: Buffer): string | undefined {
  const sniffed = sniffMedia(head);
  return sniffed === undefined || sniffed.kind === 'image' ? undefined : endingOf(sniffed.mediaType);
}
