/**
 * Multipart bodies: what is refused, and contents byte for byte, however the body is cut into chunks. The meaning of forms
 * is tested in parameters.test.ts, what becomes of files in uploads.test.ts.
 */
import fastCheck from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { parseBody } from '../../../src/gateway/http/parameters/body.ts';
import { MultipartParser } from '../../../src/gateway/http/parameters/multipart.ts';

const contentType = 'multipart/form-data; boundary=b';
const disposition = 'Content-Disposition: form-data; name="a"';
const fileDisposition = 'Content-Disposition: form-data; name="file"; filename="a.png"';
const long = httpLimits.multipartHeaderBytesMax;

interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly content: string;
}

/** The parts of a body that arrives in these chunks, whose memory is used for something else afterwards. */
function partsOf(chunks: readonly Buffer[], type = contentType): Part[] {
  const parts: Part[] = [];
  let content = '';
  let head: Omit<Part, 'content'> | undefined;
  const parser = new MultipartParser(type, {
    begin: (begun) => {
      head = begun;
      content = '';
    },
    content: (bytes) => {
      expect(bytes.byteLength).toBeGreaterThan(0);
      content += Buffer.from(bytes).toString('latin1');
    },
    end: () => void parts.push({ ...head!, content }),
  });
  for (const chunk of chunks) {
    const lent = Buffer.from(chunk);
    parser.push(lent);
    lent.fill('?');
  }
  parser.end();
  return parts;
}

function cut(body: Buffer, ...places: readonly number[]): Buffer[] {
  const bounds = [0, ...places.map((place) => Math.min(place, body.length)).sort((one, other) => one - other)];
  return bounds.map((start, index) => body.subarray(start, bounds[index + 1] ?? body.length));
}

const noFirst = 'The multipart body is malformed: no first boundary';
const unfinished = 'The multipart body is malformed: an unfinished part';
const noLine = 'The multipart body is malformed: no line end after a boundary';
const noName = 'The multipart body is malformed: a part without a name';
const noHeaders = 'The multipart body is malformed: a part without headers';

const refused: readonly [what: string, body: string, message: string][] = [
  ['something else', 'x', noFirst],
  ['nothing', '', noFirst],
  ['half a boundary', '--', noFirst],
  ['a text before the first boundary', `hello\r\n--b\r\n${disposition}\r\n\r\n1\r\n--b--`, noFirst],
  ['a part that breaks off', `--b\r\n${disposition}\r\n\r\nx`, unfinished],
  ['a part that breaks off in its boundary', `--b\r\n${disposition}\r\n\r\nx\r\n--`, unfinished],
  ['a head that breaks off', `--b\r\n${disposition}`, unfinished],
  ['no part after a boundary', `--b\r\n${disposition}\r\n\r\n1\r\n--b\r\n`, unfinished],
  ['no line end after the last boundary', `--b\r\n${disposition}\r\n\r\n1\r\n--b`, noLine],
  ['one hyphen after it', `--b\r\n${disposition}\r\n\r\n1\r\n--b-`, noLine],
  ['one hyphen and a line end', `--b\r\n${disposition}\r\n\r\n1\r\n--b-\r\n`, noLine],
  ['line feeds alone', `--b\n${disposition}\n\n1\n--b--`, noLine],
  ['a longer boundary', '--bb\r\n', noLine],
  ['a longer boundary after a part', `--b\r\n${disposition}\r\n\r\n1\r\n--bb\r\n2\r\n--b--`, noLine],
  ['blanks without end', `--b${' '.repeat(httpLimits.multipartBlanksMax + 2)}`, noLine],
  ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--', noName],
  ['an attachment', `--b\r\nContent-Disposition: attachment\r\n${disposition}\r\n\r\n1\r\n--b--`, noName],
  ['a disposition behind a line feed alone', `--b\r\nX: y\n${disposition}\r\n\r\n1\r\n--b--`, noName],
  ['a part without headers', '--b\r\n\r\n--b--', noHeaders],
  ['a part without headers, but with a content', '--b\r\n\r\n1\r\n--b--', noHeaders],
  ['a part that ends in its head', `--b\r\n${disposition}\r\n--b\r\n${disposition}\r\n\r\n1\r\n--b--`, noHeaders],
  ['a part of its head alone', `--b\r\n${disposition}\r\n\r\n--b\r\n${disposition}\r\n\r\n1\r\n--b--`, noHeaders],
  ['headers that are too long', `--b\r\nX: ${'y'.repeat(long)}\r\n${disposition}\r\n\r\n1\r\n--b--`, noHeaders],
  ['headers without end', `--b\r\nX: ${'y'.repeat(long)}`, noHeaders],
  [
    'a name that is no percent-encoded text',
    `--b\r\nContent-Disposition: form-data; name="a"; filename*=utf-8''%\r\n\r\n1\r\n--b--`,
    'The request is not percent-encoded UTF-8',
  ],
];

describe.each(refused)('%s', (_what, body, message) => {
  test('is refused', () => {
    expect(() => partsOf([Buffer.from(body)])).toThrow(message);
  });

  test('is refused byte by byte', () => {
    const bytes = Buffer.from(body);
    expect(() => partsOf(cut(bytes, ...bytes.keys()))).toThrow(message);
  });
});

test('a body whose boundary is not named is refused', () => {
  const message = 'The multipart body is malformed: no boundary';
  expect(() => partsOf([Buffer.from('x')], 'multipart/form-data')).toThrow(message);
});

test.each([
  ['texts', disposition],
  ['files that nobody wants', fileDisposition],
])('too many %s are refused', (_what, head) => {
  const body = `--b\r\n${head}\r\n\r\n1\r\n`.repeat(httpLimits.parameterCountMax + 1);
  expect(() => parseBody(contentType, Buffer.from(`${body}--b--`))).toThrow('The request has too many parameters');
});

test('other headers may surround the disposition, in any order and spelling', () => {
  const headers = ['content-type:  text/plain ', 'CONTENT-DISPOSITION:form-data; filename="b.txt"; name="a"', 'X: y'];
  expect(partsOf([Buffer.from(`--b \t\r\n${headers.join('\r\n')}\r\n\r\n1\r\n--b--`)])).toEqual([
    { name: 'a', filename: 'b.txt', contentType: 'text/plain', content: '1' },
  ]);
});

test('names may stand without quotation marks, twice, or in the form of RFC 8187, as some libraries write them', () => {
  const parts: readonly [parameters: string, name: string, filename: string | undefined][] = [
    ['name=status', 'status', undefined],
    ['NAME="a b"; x=y', 'a b', undefined],
    ['name=a; name=b', 'a', undefined],
    ['filename="b; name=c"; name=file', 'file', 'b; name=c'],
    ['name=media_ids[]; filename=""', 'media_ids[]', ''],
    [`name=f; filename*=utf-8''m%C3%B6we.png`, 'f', 'möwe.png'],
    [`name=f; filename="a.png"; filename*=UTF-8'de'm%C3%B6we.png`, 'f', 'a.png'],
    ['name=f; filename="a\\"b%22c"', 'f', 'a"b"c'],
  ];
  const body = parts.map(([part]) => `--b\r\nContent-Disposition: form-data; ${part}\r\n\r\n1\r\n`).join('');
  expect(partsOf([Buffer.from(`${body}--b--`)])).toEqual(
    parts.map(([, name, filename]) => ({ name, filename, contentType: undefined, content: '1' })),
  );
});

test('what follows the last boundary is ignored', () => {
  const body = `--b\r\n${disposition}\r\n\r\n1\r\n--b--\r\n--b\r\n${disposition}\r\n\r\n2\r\n--b--`;
  expect(partsOf([Buffer.from(body)]).map(({ content }) => content)).toEqual(['1']);
});

test('a form of no parts has no parameters', () => {
  expect(parseBody(contentType, Buffer.from('--b--\r\n'))).toEqual({});
});

test('files are ignored where none are taken', () => {
  const body = `--b\r\n${fileDisposition}\r\n\r\nx\r\n--b\r\n${disposition}\r\n\r\n1\r\n--b--`;
  expect(parseBody(contentType, Buffer.from(body))).toEqual({ a: '1' });
});

/** Contents that are nearly a boundary, of one that begins like itself. */
const nearly = ['\r', '\n', '-', '\r\n', '\r\n-', '\r\n--', '\r\n--b', '\r\n--bb', '\r\n--bbc', '\r\r\n--bb-', 'x'];
const boundary = 'bbcb';

describe('contents', () => {
  test('are the same at whichever byte the body is cut', () => {
    const contents = ['', 'plain', ...nearly, nearly.join('')];
    const body = Buffer.from(
      `${contents.map((one) => `--${boundary}\r\n${disposition}\r\n\r\n${one}\r\n`).join('')}--bbcb--`,
    );
    for (let first = 1; first < body.length; first += 1) {
      const parts = partsOf(cut(body, first, first + 1 + (first % 7)), `multipart/form-data; boundary="${boundary}"`);
      expect(parts.map(({ content }) => content)).toEqual(contents);
    }
  });

  test('are the same in chunks of any sizes', () => {
    const piece = fastCheck.oneof(fastCheck.constantFrom(...nearly), fastCheck.string({ maxLength: 40 }));
    const contents = fastCheck.array(fastCheck.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')));
    const places = fastCheck.array(fastCheck.nat(2_000), { maxLength: 60 });
    const property = fastCheck.property(contents, places, (texts, cuts) => {
      fastCheck.pre(texts.every((one) => !`\r\n${one}\r\n`.includes(`\r\n--${boundary}`)));
      const written = texts.map((one) => `--${boundary}\r\n${disposition}\r\n\r\n${one}\r\n`).join('');
      const body = Buffer.from(`${written}--${boundary}--`);
      const parts = partsOf(cut(body, ...cuts), `multipart/form-data; boundary=${boundary}`);
      expect(parts.map(({ content }) => Buffer.from(content, 'latin1').toString())).toEqual(texts);
    });
    fastCheck.assert(property, { seed: 1, numRuns: 500 });
  });

  test('of browsers are read', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 13, 10, 45, 45]);
    const form = new FormData();
    form.append('description', 'Eine Möwe');
    form.append('file', new File([png], 'möwe "weiß".png', { type: 'image/png' }));
    const request = new Request('http://social.example', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    const [description, file] = partsOf([body], request.headers.get('content-type')!);
    expect(Buffer.from(description!.content, 'latin1').toString()).toBe('Eine Möwe');
    expect(file).toEqual({
      name: 'file',
      filename: 'möwe "weiß".png',
      contentType: 'image/png',
      content: png.toString('latin1'),
    });
  });
});
