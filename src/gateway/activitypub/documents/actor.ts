/** GET /users/NAME and, for servers, /@NAME: an account as an actor. GET /actor: the server itself. */
import type { KeyPair } from '../../../actors/account/account.records.ts';
import type { AccountView } from '../../../actors/account/statuses.queries.ts';
import type { Answer } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { secretsOf } from '../../rest/instance/secrets.ts';
import type { Services } from '../../services.ts';
import { activityPubOf } from '../activitypub.ts';
import { instanceOutbox } from '../local-addresses.ts';
import { actorDocument, instanceActorDocument } from '../translate/actor-document.ts';
import { wholeCollection } from '../translate/collections.ts';
import { actorContext, plainContext } from '../translate/contexts.ts';
import { accountAddress } from '../translate/note-document.ts';
import { documentAnswer, jsonAnswer } from './answers.ts';
import { actorKey } from './document-cache.ts';
import { localAccount } from './find.ts';

/** The first request for an account that has no keys yet makes them. */
export function getActor({ request, services, pathParameters }: RawContext<Services>): Answer | Promise<Answer> {
  const account = localAccount(services.snapshots, pathParameters.name);
  const keys = activityPubOf(services).keys.of(account.profile.id);
  if (!(keys instanceof Promise)) return answer(request, services, account, keys);
  return keys.then((made) => {
    services.snapshots.fresh();
    return answer(request, services, localAccount(services.snapshots, pathParameters.name), made);
  });
}

function answer(
  request: RawContext<Services>['request'],
  services: Services,
  { profile }: AccountView,
  keys: KeyPair,
): Answer {
  const { addresses, snapshots } = services;
  const document = activityPubOf(services).documents.get(actorKey(profile.id), () => {
    const movedTo = profile.movedTo === undefined ? undefined : accountAddress(snapshots, addresses, profile.movedTo);
    return { '@context': actorContext, ...actorDocument(addresses, profile, keys.publicKeyPem, movedTo) };
  });
  return documentAnswer(request, document);
}

/** Without a signature, always: two servers that demand signatures could not begin to talk otherwise. */
export function getInstanceActor({ request, services }: RawContext<Services>): Answer | Promise<Answer> {
  const secrets = secretsOf(services);
  if (!(secrets instanceof Promise)) return instanceAnswer(request, services, secrets.keyPair);
  return secrets.then(({ keyPair }) => instanceAnswer(request, services, keyPair));
}

function instanceAnswer(request: RawContext<Services>['request'], services: Services, keyPair: KeyPair): Answer {
  const document = instanceActorDocument(services.addresses, keyPair.publicKeyPem);
  return jsonAnswer(request, { '@context': actorContext, ...document });
}

/** The server publishes nothing. */
export function getInstanceOutbox({ request, services }: RawContext<Services>): Answer {
  const outbox = wholeCollection(instanceOutbox(services.addresses), []);
  return jsonAnswer(request, { '@context': plainContext, ...outbox });
}
