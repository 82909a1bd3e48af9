/**
 * Parses `multipart/form-data` (RFC 7578) in a body in memory. Strict: anything outside the grammar is refused, never
 * guessed. Files are views of the body, so no byte is copied.
 */
import { Failure } from '../../../runtime/errors.ts';
import { httpLimits } from '../limits.ts';
import { FormCollector, type ParameterTree, UploadedFile } from './tree.ts';

const headerEnd = Buffer.from('\r\n\r\n');
const lineEndBytes = 2;
const [lineFeed, carriageReturn, space, tabulator, hyphen] = [0x0a, 0x0d, 0x20, 0x09, 0x2d];
const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const dispositionPattern = /(?:^|\r\n)content-disposition:\s*(form-data\b[^\r\n]*)?/i;
const contentTypePattern = /(?:^|\r\n)content-type:([^\r\n]*)/i;
/** The value is a quoted string, or a token without quotation marks (RFC 2183, section 2), as Ktor writes it. */
const parameterPattern = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/g;
const escapePattern = /[\\%]/;

/** Throws Failure badRequest for a malformed body and beyond the bounds of parameters. */
export function parseMultipart(body: Buffer, contentType: string): ParameterTree {
  const found = boundaryPattern.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw malformed('no boundary');
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const collector = new FormCollector();
  // The first delimiter is at the start, without a line end before it.
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) throw malformed('no first boundary');
  let position = delimiter.length - 2;
  while (body[position] !== hyphen || body[position + 1] !== hyphen) {
    position = skipLineEnd(body, position);
    const end = body.indexOf(delimiter, position - lineEndBytes);
    if (end === -1) throw malformed('an unfinished part');
    addPart(collector, body, position, Math.max(position, end));
    position = end + delimiter.length;
  }
  return collector.finish();
}

/** Blanks are allowed between a boundary and the end of its line (RFC 2046 section 5.1.1). */
function skipLineEnd(body: Buffer, start: number): number {
  let position = start;
  while (body[position] === space || body[position] === tabulator) position += 1;
  if (body[position] !== carriageReturn || body[position + 1] !== lineFeed)
    throw malformed('no line end after a boundary');
  return position + lineEndBytes;
}

function addPart(collector: FormCollector, body: Buffer, start: number, end: number): void {
  const headersEnd = body.indexOf(headerEnd, start);
  if (
    headersEnd === -1 ||
    headersEnd + headerEnd.length > end ||
    headersEnd - start > httpLimits.multipartHeaderBytesMax
  )
    throw malformed('a part without headers');
  const headers = body.toString('utf8', start, headersEnd);
  const disposition = dispositionPattern.exec(headers)?.[1];
  const { name, filename } = parametersOf(disposition);
  if (name === undefined) throw malformed('a part without a name');
  const contentStart = headersEnd + headerEnd.length;
  if (filename === undefined) {
    collector.add(name, body.toString('utf8', contentStart, end));
  } else if (filename !== '' || end > contentStart) {
    // A file field without a chosen file arrives as an empty file without a name, and counts as not given.
    const [, contentType = 'application/octet-stream'] = contentTypePattern.exec(headers) ?? [];
    const content = body.subarray(contentStart, end);
    collector.add(name, new UploadedFile(filename, contentType.trim(), content));
  }
}

/** Of several with one name the first counts. */
function parametersOf(disposition = ''): { readonly name: string | undefined; readonly filename: string | undefined } {
  const values = new Map<string, string>();
  for (const [, written = '', quoted, token = ''] of disposition.matchAll(parameterPattern)) {
    const name = written.toLowerCase();
    if (!values.has(name)) values.set(name, quoted === undefined ? token : unescapeName(quoted));
  }
  return { name: values.get('name'), filename: values.get('filename') };
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
