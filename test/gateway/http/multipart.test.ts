/** Multipart bodies: what is refused, and files byte for byte. The meaning of forms is tested in parameters.test.ts. */
import fastCheck from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { parseMultipart } from '../../../src/gateway/http/parameters/multipart.ts';
import { UploadedFile } from '../../../src/gateway/http/parameters/tree.ts';

const contentType = 'multipart/form-data; boundary=b';
const disposition = 'Content-Disposition: form-data; name="a"';
const withoutName = 'The multipart body is malformed: a part without a name';

test.each([
  ['something else', 'x', 'The multipart body is malformed: no first boundary'],
  ['a part that breaks off', `--b\r\n${disposition}\r\n\r\nx`, 'The multipart body is malformed: an unfinished part'],
  ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--', withoutName],
  ['an attachment', `--b\r\nContent-Disposition: attachment\r\n${disposition}\r\n\r\n1\r\n--b--`, withoutName],
  ['a disposition behind a line feed alone', `--b\r\nX: y\n${disposition}\r\n\r\n1\r\n--b--`, withoutName],
  ['a part without headers', '--b\r\n\r\n--b--', 'The multipart body is malformed: a part without headers'],
  [
    'headers that are too long',
    `--b\r\nX: ${'y'.repeat(httpLimits.multipartHeaderBytesMax)}\r\n${disposition}\r\n\r\n1\r\n--b--`,
    'The multipart body is malformed: a part without headers',
  ],
  ['a blunt boundary', '--bb\r\n', 'The multipart body is malformed: no line end after a boundary'],
  [
    'too many parts',
    `--b\r\n${disposition}\r\n\r\n1\r\n`.repeat(httpLimits.parameterCountMax + 2),
    'The request has too many parameters',
  ],
])('%s is refused', (_what, body, message) => {
  expect(() => parseMultipart(Buffer.from(body), contentType)).toThrow(message);
});

test('a body whose boundary is not named is refused', () => {
  const message = 'The multipart body is malformed: no boundary';
  expect(() => parseMultipart(Buffer.from('x'), 'multipart/form-data')).toThrow(message);
});

test('other headers may surround the disposition, in any order and spelling', () => {
  const headers = ['content-type:  text/plain ', 'CONTENT-DISPOSITION:form-data; filename="b.txt"; name="a"', 'X: y'];
  const tree = parseMultipart(Buffer.from(`--b \t\r\n${headers.join('\r\n')}\r\n\r\n1\r\n--b--`), contentType);
  expect(tree).toEqual({ a: new UploadedFile('b.txt', 'text/plain', Buffer.from('1')) });
});

test('names may stand without quotation marks, as some libraries write them', () => {
  const parts = ['name=status', 'NAME="a b"; x=y', 'filename="b; name=c"; name=file', 'name=media_ids[]; filename=""'];
  const body = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n\r\n1\r\n`).join('');
  expect(parseMultipart(Buffer.from(`${body}--b--`), contentType)).toEqual({
    status: '1',
    'a b': '1',
    file: new UploadedFile('b; name=c', 'application/octet-stream', Buffer.from('1')),
    media_ids: [new UploadedFile('', 'application/octet-stream', Buffer.from('1'))],
  });
});

describe('files', () => {
  test('arrive with name, type and bytes', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 13, 10, 45, 45]);
    const body = new FormData();
    body.append('description', 'Eine Möwe');
    body.append('file', new File([png], 'möwe "weiß".png', { type: 'image/png' }));
    const request = new Request('http://social.example', { method: 'POST', body });
    const tree = parseMultipart(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type')!);
    expect(tree).toEqual({
      description: 'Eine Möwe',
      file: new UploadedFile('möwe "weiß".png', 'image/png', png),
    });
  });

  test('count as not given where the field was left alone', () => {
    const part = 'Content-Disposition: form-data; name="avatar"; filename=""\r\nContent-Type: application/octet-stream';
    const body = Buffer.from(`--b\r\n${part}\r\n\r\n\r\n--b--\r\n`);
    expect(parseMultipart(body, 'multipart/form-data; boundary="b"')).toEqual({});
  });

  test('keep their bytes, whatever they are', async () => {
    const property = fastCheck.asyncProperty(
      fastCheck.array(fastCheck.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
      async (files) => {
        const body = new FormData();
        for (const file of files) body.append('file[]', new File([file], 'a'));
        const request = new Request('http://social.example', { method: 'POST', body });
        const tree = parseMultipart(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type')!);
        const received = (tree.file as UploadedFile[]).map(({ bytes }) => [...bytes]);
        expect(received).toEqual(files.map((file) => [...file]));
      },
    );
    await fastCheck.assert(property, { seed: 1, numRuns: 100 });
  });
});
