import { describe, expect, it } from 'vitest';
import { isConnectable } from '../../../src/outbound/fetcher/addresses.ts';

const publicAddresses = [
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.0.1',
  '2606:4700::1111',
  '2a00::1',
];

const privateAddresses = [
  '127.0.0.1',
  '127.255.255.255',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '::1',
  'fc00::1',
  'fdff::1',
];

const forbiddenAddresses = [
  '0.0.0.0',
  '169.254.169.254',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:1.1.1.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::1111%eth0',
  'localhost',
  '127.1',
  '0x7f000001',
  '',
];

describe('addresses to connect to', () => {
  it.each(publicAddresses)('%s always', (address) => {
    expect(isConnectable(address, false)).toBe(true);
    expect(isConnectable(address, true)).toBe(true);
  });

  it.each(privateAddresses)('%s only where private networks are allowed', (address) => {
    expect(isConnectable(address, false)).toBe(false);
    expect(isConnectable(address, true)).toBe(true);
  });

  it.each(forbiddenAddresses)('%s never', (address) => {
    expect(isConnectable(address, false)).toBe(false);
    expect(isConnectable(address, true)).toBe(false);
  });
});
