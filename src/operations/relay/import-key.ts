/** Takes over the key of another relay, which this one replaces at the same address. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { parsePublicKey } from '../../outbound/signatures/keys.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const pemCharactersMax = 16_384;

/**
 * The key of the server's own actor and of the relay from now on: an RSA key in PEM (PKCS#1 or PKCS#8), as Activity-Relay
 * and pub-relay keep it. Subscribers that know it need not fetch another.
 */
export const importRelayKey = operation({
  input: z.object({ pem: z.string().max(pemCharactersMax) }),
  permission: 'operateMachine',
  audit: 'importRelayKey',
  async run({ caller, services, audit }, { pem }): Promise<{ bits: number }> {
    if (services.options.relay === 'off') throw validationFailure('This server is no relay: see MURMURATION_RELAY.');
    const privateKey = readPrivateKey(pem);
    const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
    if (parsePublicKey(publicKeyPem) === undefined) throw validationFailure(wrongKey);
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await secretsOf(services);
    const keyPair = { publicKeyPem, privateKeyPem, createdAt: services.now() };
    await services.client.call(Instance.replaceKeyPair.to(instanceKey, { keyPair, audit }), flowOf(caller));
    return { bits: privateKey.asymmetricKeyDetails?.modulusLength ?? 0 };
  },
});

const wrongKey = 'The file has to contain an RSA key of 2048 bits or more, in PEM, without a password';

function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch (error) {
    // OpenSSL reports a broken PEM in many ways; all mean the same here.
    if (!(error instanceof Error)) throw error;
  }
  throw validationFailure(wrongKey);
}
