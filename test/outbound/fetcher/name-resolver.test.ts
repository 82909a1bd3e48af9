import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver, createSystemResolver } from '../../../src/outbound/fetcher/name-resolver.ts';

const noError = 0;
const serverFailure = 2;
const noSuchName = 3;

/** Record data by question (`name type`), in hexadecimal; type 1 is A, 28 is AAAA. */
const records: Record<string, string> = {
  'both.example 1': '7f000001',
  'both.example 28': '20010db8000000000000000000000001',
  'four.example 1': '7f000002',
  'six.example 28': '20010db8000000000000000000000002',
};

/** Answers one DNS message (RFC 1035, section 4) with at most one record. */
function answerTo(question: Buffer): Buffer {
  const labels: string[] = [];
  let offset = 12;
  for (let length = question[offset]!; length > 0; length = question[offset]!) {
    labels.push(question.toString('latin1', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  const end = offset + 5;
  const data = records[`${name} ${question.readUInt16BE(offset + 1)}`];
  const known = Object.keys(records).some((key) => key.startsWith(`${name} `));
  const code = name === 'broken.example' ? serverFailure : known ? noError : noSuchName;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(data === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  const bytes = Buffer.from(data ?? '', 'hex');
  const type = question.toString('hex', offset + 1, offset + 3);
  const length = bytes.length.toString(16).padStart(4, '0');
  const record = data === undefined ? '' : `c00c${type}00010000003c${length}${data}`;
  return Buffer.concat([head, question.subarray(12, end), Buffer.from(record, 'hex')]);
}

describe('name servers', () => {
  let server: Socket;
  let address: string;

  beforeEach(async () => {
    server = createSocket('udp4');
    server.on('message', (question, peer) => server.send(answerTo(question), peer.port, peer.address));
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  it.each([
    ['both.example', ['2001:db8::1', '127.0.0.1']],
    ['four.example', ['127.0.0.2']],
    ['six.example', ['2001:db8::2']],
  ])('%s is %o', async (name, addresses) => {
    expect(await createDnsResolver([address]).resolve(name)).toEqual(addresses);
  });

  it.each([
    ['nowhere.example', 'ENOTFOUND'],
    ['broken.example', 'ESERVFAIL'],
  ])('%s is %s', async (name, code) => {
    await expect(createDnsResolver([address]).resolve(name)).rejects.toMatchObject({ code });
  });
});

it('the operating system knows this machine', async () => {
  const addresses = await createSystemResolver().resolve('localhost');
  expect(addresses.every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  expect(addresses).not.toHaveLength(0);
});
