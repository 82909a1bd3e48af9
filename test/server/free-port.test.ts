/** Whether a server can listen, and the error when it cannot. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertPortFree, findFreePort, isPortFree } from '../../src/server/free-port.ts';

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

test('a port that nobody has is found, and can be had', async () => {
  const found = await findFreePort('127.0.0.1');
  expect(await isPortFree('127.0.0.1', found)).toBe(true);
  expect(await isPortFree('127.0.0.1', port)).toBe(false);
});

test.each([
  // An address of the documentation (RFC 5737), which no machine has.
  ['an address of another machine', '192.0.2.1', 'is not an address of this machine'],
  ['a name that leads nowhere', 'no.such.invalid', 'whether it is a name|nor a name that leads to one'],
])('%s is refused', async (_name, host, reason) => {
  await expect(findFreePort(host)).rejects.toThrow(
    new RegExp(`^The server cannot listen on ${host}, which .*(${reason})`),
  );
});
