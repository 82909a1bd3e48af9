/** NATS accounts whose users prove themselves by files of credentials: an operator signs accounts, and an account its users. */
import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createOperator>;

const without = -1;
const unlimited = {
  ...{ subs: without, data: without, payload: without, conn: without, leaf: without },
  ...{ imports: without, exports: without, wildcards: true },
};
const jetstream = { mem_storage: without, disk_storage: without, streams: without, consumer: without };

export interface NatsAccounts {
  /** Lines for the servers. */
  readonly configuration: readonly string[];
  /** The content of a `.creds` file. */
  readonly credentials: string;
}

/** An account with JetStream, which may ask the system account this question, and a user of it. */
export function makeAccounts(question: string): NatsAccounts {
  const operator = nkeys.createOperator();
  const [system, account, user] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()];
  const [systemName, accountName] = [system.getPublicKey(), account.getPublicKey()];
  const offered = { name: 'settings', subject: question, type: 'service', response_type: 'Stream' };
  const taken = { name: 'settings', subject: question, account: systemName, type: 'service' };
  const statements = [
    [systemName, signed(operator, system, { type: 'account', limits: unlimited, exports: [offered] })],
    [
      accountName,
      signed(operator, account, { type: 'account', limits: { ...unlimited, ...jetstream }, imports: [taken] }),
    ],
  ];
  const seed = Buffer.from(user.getSeed()).toString();
  return {
    configuration: [
      `operator: ${signed(operator, operator, { type: 'operator' })}`,
      `system_account: ${systemName}`,
      'resolver: MEMORY',
      `resolver_preload { ${statements.map(([name, statement]) => `${name}: ${statement}`).join(', ')} }`,
    ],
    credentials: [
      '-----BEGIN NATS USER JWT-----',
      signed(account, user, { type: 'user', subs: without, data: without, payload: without }),
      '------END NATS USER JWT------',
      '-----BEGIN USER NKEY SEED-----',
      seed,
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  };
}

/** A JSON Web Token in the form of NATS. */
function signed(issuer: KeyPair, subject: KeyPair, said: Readonly<Record<string, unknown>>): string {
  const claims = {
    ...{ iat: Math.floor(Date.now() / 1_000), iss: issuer.getPublicKey(), sub: subject.getPublicKey() },
    ...{ name: String(said.type), nats: { ...said, version: 2 } },
  };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const parts = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, jti },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}
