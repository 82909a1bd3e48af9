/**
 * Parses `multipart/form-data` (RFC 7578) as its bytes come in. Strict: anything outside the grammar is refused, never
 * guessed. Contents are handed on as views of the given chunks, so no byte of a file is copied (docs/decisions/0050).
 */
import { Failure } from '../../../runtime/errors.ts';
import { httpLimits } from '../limits.ts';
import { decodePercent } from './urlencoded.ts';

const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);
const [space, tabulator] = [0x20, 0x09];
const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const dispositionPattern = /(?:^|\r\n)content-disposition:\s*(form-data\b[^\r\n]*)?/i;
const contentTypePattern = /(?:^|\r\n)content-type:([^\r\n]*)/i;
/** The value is a quoted string, or a token without quotation marks (RFC 2183, section 2), as Ktor writes it. */
const parameterPattern = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/g;
const escapePattern = /[\\%]/;
const extendedPattern = /^utf-8'[^']*'(.*)$/i;

export interface PartHead {
  readonly name: string;
  /** Undefined for a part that is no file. */
  readonly filename: string | undefined;
  /** As the client claims. */
  readonly contentType: string | undefined;
}

/** What becomes of the parts. May throw a Failure, which ends the parsing. */
export interface PartReceiver {
  begin(head: PartHead): void;
  /** A piece of the content of the current part; its memory belongs to the chunk. */
  content(bytes: Uint8Array): void;
  end(): void;
}

/** Of a part, `content` is what follows its head; `tail` is a line end after a delimiter, or the last two hyphens. */
type Expected = 'firstDelimiter' | 'tail' | 'head' | 'content' | 'nothing';

export class MultipartParser {
  private readonly receiver: PartReceiver;
  private readonly delimiter: Buffer;
  private expected: Expected = 'firstDelimiter';
  /** Of the last chunk, what cannot be understood without the next one; in contents the beginning of a delimiter. */
  private held: Buffer = nothing;
  /** The held bytes are the line end before the content, which may belong to no delimiter. */
  private isAtStart = false;

  /** Throws Failure badRequest where the content type names no boundary. */
  constructor(contentType: string, receiver: PartReceiver) {
    const found = boundaryPattern.exec(contentType);
    const boundary = found?.[1] ?? found?.[2];
    if (boundary === undefined) throw malformed('no boundary');
    this.delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.receiver = receiver;
  }

  /** Throws Failure badRequest for a malformed body, and what the receiver throws. The parser is of no use after that. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && this.expected !== 'nothing')
      rest = this.expected === 'content' ? this.content(rest) : this.between(rest);
  }

  /** The body has ended. Throws Failure badRequest where its last part has not. */
  end(): void {
    if (this.expected === 'firstDelimiter') throw malformed('no first boundary');
    if (this.expected === 'tail') throw malformed('no line end after a boundary');
    if (this.expected !== 'nothing') throw malformed('an unfinished part');
  }

  /** What stands between contents is short: it is held until it is complete. Returns what follows it. */
  private between(chunk: Buffer): Buffer {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = nothing;
    const end = this.endOfExpected(bytes);
    if (end !== undefined) return bytes.subarray(end);
    // Its memory is the caller's.
    this.held = Buffer.from(bytes);
    return nothing;
  }

  /** Undefined where more bytes are needed. */
  private endOfExpected(bytes: Buffer): number | undefined {
    if (this.expected === 'firstDelimiter') return this.endOfFirstDelimiter(bytes);
    return this.expected === 'tail' ? this.endOfTail(bytes) : this.endOfHead(bytes);
  }

  /** The first delimiter is at the start, without a line end before it. */
  private endOfFirstDelimiter(bytes: Buffer): number | undefined {
    const first = this.delimiter.subarray(lineEnd.length);
    const length = Math.min(bytes.length, first.length);
    if (!bytes.subarray(0, length).equals(first.subarray(0, length))) throw malformed('no first boundary');
    if (length < first.length) return undefined;
    this.expected = 'tail';
    return length;
  }

  /** Blanks are allowed between a boundary and the end of its line (RFC 2046 section 5.1.1). What follows the last is ignored. */
  private endOfTail(bytes: Buffer): number | undefined {
    if (bytes.length === 1 && bytes.toString('latin1') === '-') return undefined;
    if (bytes.toString('latin1', 0, 2) === '--') {
      this.expected = 'nothing';
      return bytes.length;
    }
    let position = 0;
    while (bytes[position] === space || bytes[position] === tabulator) position += 1;
    const next = bytes.subarray(position, position + lineEnd.length);
    if (position > httpLimits.multipartBlanksMax || !next.equals(lineEnd.subarray(0, next.length)))
      throw malformed('no line end after a boundary');
    if (next.length < lineEnd.length) return undefined;
    this.expected = 'head';
    return position + lineEnd.length;
  }

  private endOfHead(bytes: Buffer): number | undefined {
    const length = bytes.indexOf(headerEnd);
    const isEmpty = bytes.subarray(0, lineEnd.length).equals(lineEnd);
    if (isEmpty || (length === -1 ? bytes.length : length) > httpLimits.multipartHeaderBytesMax)
      throw malformed('a part without headers');
    if (length === -1) return undefined;
    if (bytes.subarray(0, length).includes(this.delimiter)) throw malformed('a part without headers');
    this.receiver.begin(headOf(bytes.toString('utf8', 0, length)));
    this.expected = 'content';
    this.held = lineEnd;
    this.isAtStart = true;
    return length + headerEnd.length;
  }

  /** Hands on the content up to the delimiter, or what cannot be part of one. Returns what follows the delimiter. */
  private content(chunk: Buffer): Buffer {
    if (this.held.length > 0) {
      const rest = this.contentAfterHeld(chunk);
      if (rest !== undefined) return rest;
    }
    const start = chunk.indexOf(this.delimiter);
    if (start !== -1) {
      if (start > 0) this.receiver.content(chunk.subarray(0, start));
      return this.endPart(chunk.subarray(start + this.delimiter.length));
    }
    const kept = this.beginningOfDelimiter(chunk);
    if (kept < chunk.length) this.receiver.content(chunk.subarray(0, chunk.length - kept));
    // A copy: its memory is the caller's.
    this.held = Buffer.from(chunk.subarray(chunk.length - kept));
    return nothing;
  }

  /** Undefined when what was held is no delimiter, so that the chunk stands for itself. */
  private contentAfterHeld(chunk: Buffer): Buffer | undefined {
    const { held, delimiter } = this;
    const missing = delimiter.length - held.length;
    const next = chunk.subarray(0, missing);
    if (next.equals(delimiter.subarray(held.length, held.length + next.length))) {
      this.held = Buffer.concat([held, next]);
      if (next.length < missing) return nothing;
      if (this.isAtStart) throw malformed('a part without headers');
      return this.endPart(chunk.subarray(missing));
    }
    // At the start, the line end belongs to the head, the rest to the content.
    const content = this.isAtStart ? held.subarray(lineEnd.length) : held;
    this.held = nothing;
    this.isAtStart = false;
    if (content.length > 0) this.receiver.content(content);
    return undefined;
  }

  private endPart(rest: Buffer): Buffer {
    this.held = nothing;
    this.isAtStart = false;
    this.receiver.end();
    this.expected = 'tail';
    return rest;
  }

  /** How many of the last bytes may be the beginning of a delimiter, which has only one carriage return: its first byte. */
  private beginningOfDelimiter(chunk: Buffer): number {
    const tail = chunk.subarray(Math.max(0, chunk.length - this.delimiter.length + 1));
    const start = tail.lastIndexOf('\r');
    if (start === -1) return 0;
    const length = tail.length - start;
    return tail.subarray(start).equals(this.delimiter.subarray(0, length)) ? length : 0;
  }
}

function headOf(headers: string): PartHead {
  const { name, filename } = parametersOf(dispositionPattern.exec(headers)?.[1]);
  if (name === undefined) throw malformed('a part without a name');
  return { name, filename, contentType: contentTypePattern.exec(headers)?.[1]?.trim() };
}

/** Of several with one name the first counts. */
function parametersOf(disposition = ''): Pick<PartHead, 'filename'> & { readonly name: string | undefined } {
  const values = new Map<string, string>();
  for (const [, written = '', quoted, token = ''] of disposition.matchAll(parameterPattern)) {
    const name = written.toLowerCase();
    if (!values.has(name)) values.set(name, quoted === undefined ? token : unescapeName(quoted));
  }
  return { name: values.get('name'), filename: values.get('filename') ?? extendedName(values.get('filename*')) };
}

/** RFC 7578 (section 4.2) forbids this form, but older urllib3 sends no other for names that are not ASCII. */
function extendedName(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decodePercent(extendedPattern.exec(value)?.[1] ?? value);
}

/** Browsers percent-encode a quotation mark and line ends (WHATWG HTML 4.10.21.8), others use a backslash. */
function unescapeName(text: string): string {
  if (!escapePattern.test(text)) return text;
  return text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');
}

function malformed(what: string): Failure {
  return new Failure('badRequest', { text: `The multipart body is malformed: ${what}` });
}
