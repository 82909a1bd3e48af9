/** Whether a server may listen, and the sentence when it may not. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertPortFree } from '../../src/server/free-port.ts';

let other: Server;
let port: number;

beforeEach(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = (other.address() as AddressInfo).port;
});

afterEach(() => void other.close());

test('a port that another program has is refused, and may be had afterwards', async () => {
  await expect(assertPortFree('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another program.`,
  );
  other.close();
  await once(other, 'close');
  await expect(assertPortFree('127.0.0.1', port)).resolves.toBeUndefined();
});

test('port 0 is always free', async () => {
  await expect(assertPortFree('127.0.0.1', 0)).resolves.toBeUndefined();
});

test('an address of another machine is refused', async () => {
  // An address of the documentation (RFC 5737), which no machine has.
  await expect(assertPortFree('192.0.2.1', port)).rejects.toThrow('is not an address of this machine');
});
