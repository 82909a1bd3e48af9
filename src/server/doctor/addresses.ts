/** The name of the server, and whether its addresses answer as far as one machine can see. */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isConnectable } from '../../outbound/fetcher/addresses.ts';
import { ask } from './ask.ts';
import { type Examined, nameOf, originOf, portOf } from './examined.ts';
import { type Finding, good, problem, reasonOf } from './findings.ts';

const resolverOptions = { timeout: 2_000, tries: 2 } as const;

export async function checkNames(examined: Examined): Promise<Finding[]> {
  const origin = nameOf(originOf(examined));
  const { stored, options } = examined;
  const domain = (typeof stored === 'object' ? stored.domain : options.domain)?.replace(/:\d+$/, '');
  const names = [...new Set([origin, domain ?? origin])];
  return (await Promise.all(names.map(checkName))).flat();
}

async function checkName(host: string): Promise<Finding[]> {
  if (isIP(host) !== 0) return [good(`${host} is an address and needs no name.`)];
  const here = await addressesOf(host);
  if (typeof here === 'string') return [problem('nameUnknown', { host, reason: here })];
  const reason = await unknownToDns(host);
  if (reason !== undefined) return [problem('nameOnlyHere', { host, reason })];
  return [good(`${host} leads to ${here.join(', ')}.`)];
}

/** As this machine resolves it; the reason where it does not. */
async function addressesOf(host: string): Promise<string[] | string> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return reasonOf(error);
  }
}

async function unknownToDns(host: string): Promise<string | undefined> {
  const resolver = new Resolver(resolverOptions);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (answers.some(({ status }) => status === 'fulfilled')) return undefined;
  return answers.flatMap((answer) => (answer.status === 'rejected' ? reasonOf(answer.reason) : [])).join('; ');
}

/** Each address that the name leads to is asked by itself: one of them may be wrong. */
export async function checkReach(examined: Examined, signal: AbortSignal): Promise<Finding[]> {
  const origin = originOf(examined);
  const name = nameOf(origin);
  const addresses = await addressesOf(name);
  if (typeof addresses === 'string') return [problem('nameUnknown', { host: name, reason: addresses })];
  return (await Promise.all(addresses.map((address) => checkAddress(origin, address, signal)))).flat();
}

async function checkAddress(origin: URL, address: string, signal: AbortSignal): Promise<Finding[]> {
  const host = nameOf(origin);
  const hidden = isConnectable(address, false) ? [] : [problem('addressPrivate', { host, address })];
  try {
    const { status } = await ask({ url: new URL('/health', origin), address, signal });
    if (status !== 200) return [...hidden, problem('healthBad', { address, status })];
    return [...hidden, good(`${address} answers on port ${portOf(origin)}.`)];
  } catch (error) {
    signal.throwIfAborted();
    return [...hidden, problem('addressUnanswered', { address, host, port: portOf(origin), reason: reasonOf(error) })];
  }
}
