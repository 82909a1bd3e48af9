/**
 * Hashes and verifies passwords with argon2id. The work runs in the thread pool of the process, which commits need too:
 * few in parallel, a bounded number waiting, and the rest is refused.
 */
import { Failure } from '../../runtime/errors.ts';
import { registrationLimits } from './limits.ts';

export interface PasswordCost {
  readonly memoryKibibytes: number;
  readonly iterations: number;
}

/** Loaded with the first password: most threads need it late or never, and a start should be quick. */
const argon2 = () => import('@node-rs/argon2');

/** 13 ms of one core and 19 MiB, the recommendation of OWASP's password storage guide. */
const passwordCost: PasswordCost = { memoryKibibytes: 19_456, iterations: 2 };
/**
 * The hash of 32 random bytes that nobody knows: compared where there is no account, so that the answer takes as long.
 */
const hashOfNobody =
  '$argon2id$v=19$m=19456,t=2,p=1$Ech2vn/bEdB2NhAxMBXGKg$R6ZpOM95gdYWDXY1b2p6YCy7UT0AcfnBdKU9Qg8F7Lw';

/** Throws Failure overloaded when too many passwords wait. Tests pass a low cost. */
export function hashPassword(password: string, cost: PasswordCost = passwordCost): Promise<string> {
  const options = { memoryCost: cost.memoryKibibytes, timeCost: cost.iterations, parallelism: 1 };
  return inTurn(async () => (await argon2()).hash(password, options));
}

/** `passwordHash` is undefined where there is no account: false, after as much work. Throws Failure overloaded. */
export async function isPasswordOf(password: string, passwordHash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > registrationLimits.passwordBytesMax) return false;
  const same = await inTurn(async () => (await argon2()).verify(passwordHash ?? hashOfNobody, password));
  return same && passwordHash !== undefined;
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= registrationLimits.passwordsHashedAtOnceMax) {
    if (waiting.length >= registrationLimits.passwordsWaitingMax) throw new Failure('overloaded');
    // A finished task passes its place to the next.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
