/** Makes parameters of the parts of a multipart form: texts are collected, files are given to whoever takes them. */
import { Failure } from '../../../runtime/errors.ts';
import { httpLimits } from '../limits.ts';
import type { PartHead, PartReceiver } from './multipart.ts';
import { FormCollector, type Leaf, type ParameterTree, tooMany } from './tree.ts';

/** Receives the content of one part; `end` gives the value of its parameter, undefined where it counts as not given. */
export interface PartContent {
  content(bytes: Uint8Array): void;
  end(): Leaf | undefined;
}

export interface FormPartsOptions {
  /** Bytes of all texts together. */
  readonly textBytesMax?: number;
  /** Undefined for a file that nobody wants, which is ignored. May throw a Failure. */
  readonly takeFile?: (head: PartHead, filename: string) => PartContent | undefined;
}

const ignored: PartContent = { content: () => undefined, end: () => undefined };

export class FormParts implements PartReceiver {
  private readonly options: FormPartsOptions;
  private readonly collector = new FormCollector();
  private count = 0;
  private textBytes = 0;
  private name = '';
  private current: PartContent = ignored;

  constructor(options: FormPartsOptions) {
    this.options = options;
  }

  begin(head: PartHead): void {
    this.count += 1;
    if (this.count > httpLimits.parameterCountMax) throw tooMany();
    this.name = head.name;
    this.current =
      head.filename === undefined ? this.textContent() : (this.options.takeFile?.(head, head.filename) ?? ignored);
  }

  content(bytes: Uint8Array): void {
    this.current.content(bytes);
  }

  end(): void {
    const value = this.current.end();
    if (value !== undefined) this.collector.add(this.name, value);
  }

  /** The parameters of the parts that have ended. */
  finish(): ParameterTree {
    return this.collector.finish();
  }

  private textContent(): PartContent {
    const chunks: Buffer[] = [];
    return {
      content: (bytes) => {
        this.textBytes += bytes.byteLength;
        if (this.textBytes > (this.options.textBytesMax ?? Number.POSITIVE_INFINITY)) throw new Failure('bodyTooLarge');
        // A copy: its memory belongs to the chunk.
        chunks.push(Buffer.from(bytes));
      },
      end: () => Buffer.concat(chunks).toString('utf8'),
    };
  }
}
