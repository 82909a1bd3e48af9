/**
 * Parses `multipart/form-data` (RFC 7578) in a body in memory. Strict: anything outside the grammar is refused, never
 * guessed. Files are views of the body, so no byte is copied.
 */
import { Failure } from '../../../runtime/errors.ts';
import { httpLimits } from '../limits.ts';
import { FormCollector, type ParameterTree, UploadedFile } from './tree.ts';

const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');
const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const namePattern = /;\s*name="((?:[^"\\]|\\.)*)"/i;
const filenamePattern = /;\s*filename="((?:[^"\\]|\\.)*)"/i;

/** Throws Failure badRequest for a malformed body and beyond the bounds of parameters. */
export function parseMultipart(body: Buffer, contentType: string): ParameterTree {
  const found = boundaryPattern.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw malformed('no boundary');
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const collector = new FormCollector();
  // The first delimiter is at the start, without a line end before it.
  if (!startsAt(body, delimiter.subarray(2), 0)) throw malformed('no first boundary');
  let position = delimiter.length - 2;
  while (!startsAt(body, '--', position)) {
    position = skipLineEnd(body, position);
    const end = body.indexOf(delimiter, position - lineEnd.length);
    if (end === -1) throw malformed('an unfinished part');
    addPart(collector, body.subarray(position, Math.max(position, end)));
    position = end + delimiter.length;
  }
  return collector.finish();
}

function startsAt(body: Buffer, expected: Buffer | string, position: number): boolean {
  const bytes = typeof expected === 'string' ? Buffer.from(expected) : expected;
  return body.subarray(position, position + bytes.length).equals(bytes);
}

/** Blanks are allowed between a boundary and the end of its line (RFC 2046 section 5.1.1). */
function skipLineEnd(body: Buffer, start: number): number {
  let position = start;
  while (body[position] === 0x20 || body[position] === 0x09) position += 1;
  if (!startsAt(body, lineEnd, position)) throw malformed('no line end after a boundary');
  return position + lineEnd.length;
}

function addPart(collector: FormCollector, part: Buffer): void {
  const end = part.indexOf(headerEnd);
  if (end === -1 || end > httpLimits.multipartHeaderBytesMax) throw malformed('a part without headers');
  const headers = part.toString('utf8', 0, end).split('\r\n');
  const disposition = headerValue(headers, 'content-disposition');
  const name = disposition === undefined ? null : namePattern.exec(disposition);
  if (disposition === undefined || !/^form-data\b/i.test(disposition) || name === null) {
    throw malformed('a part without a name');
  }
  const content = part.subarray(end + headerEnd.length);
  const filename = filenamePattern.exec(disposition);
  if (filename === null) {
    collector.add(unescapeName(name[1]!), content.toString('utf8'));
  } else if (filename[1] !== '' || content.length > 0) {
    // A file field without a chosen file arrives as an empty file without a name, and counts as not given.
    const contentType = headerValue(headers, 'content-type') ?? 'application/octet-stream';
    collector.add(unescapeName(name[1]!), new UploadedFile(unescapeName(filename[1]!), contentType, content));
  }
}

function headerValue(headers: readonly string[], name: string): string | undefined {
  for (const header of headers) {
    const colon = header.indexOf(':');
    if (colon !== -1 && header.slice(0, colon).toLowerCase() === name) return header.slice(colon + 1).trim();
  }
  return undefined;
}

/** Browsers percent-encode a quotation mark and line ends (WHATWG HTML 4.10.21.8), others use a backslash. */
function unescapeName(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');
}

function malformed(what: string): Failure {
  return new Failure('badRequest', { text: `The multipart body is malformed: ${what}` });
}
