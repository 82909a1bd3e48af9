/** GET /users/NAME and, for servers, /@NAME: an account as an actor. GET /actor: the server itself. */

import type { KeyPair } from '../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { activityPubOf } from '../../federation/activitypub.ts';
import { actorKey } from '../../federation/document-cache.ts';
import { actorDocument, instanceActorDocument } from '../../federation/documents/actor-document.ts';
import { wholeCollection } from '../../federation/documents/collections.ts';
import { actorContext, plainContext } from '../../federation/documents/contexts.ts';
import { instanceOutbox } from '../../federation/local-addresses.ts';
import { relayActorDocument } from '../../federation/relay/relay-document.ts';
import { settingsOf } from '../../operations/instance/settings.ts';
import { Failure } from '../../runtime/errors.ts';
import { keyPairOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { documentAnswer, jsonAnswer } from './answers.ts';
import { localActor } from './find.ts';

/** The first request for an account without keys generates them. */
export function getActor({ request, services, pathParameters }: RawContext<Services>): Answer | Promise<Answer> {
  const account = localActor(services.snapshots, pathParameters.name);
  const keys = activityPubOf(services).keys.of(account.profile.id);
  if (!(keys instanceof Promise)) return answer(request, services, account, keys);
  return keys.then((made) => {
    return answer(request, services, localActor(services.snapshots, pathParameters.name), made);
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
    return { '@context': actorContext, ...actorDocument(snapshots, addresses, profile, keys) };
  });
  return documentAnswer(request, document);
}

/**
 * Served unsigned even in secure mode: two servers that both require signatures could never fetch each other's keys.
 */
export function getInstanceActor({ request, services }: RawContext<Services>): Answer | Promise<Answer> {
  const keyPair = keyPairOf(services);
  if (!(keyPair instanceof Promise)) return instanceAnswer(request, services, keyPair);
  return keyPair.then((made) => instanceAnswer(request, services, made));
}

function instanceAnswer(request: RawContext<Services>['request'], services: Services, keyPair: KeyPair): Answer {
  if (services.options.relay === 'only') return relayAnswer(request, services, keyPair);
  const document = instanceActorDocument(services.addresses, keyPair.publicKeyPem);
  return jsonAnswer(request, { '@context': actorContext, ...document });
}

/** Unsigned, as that of the server. Throws notFound where the server is no relay beside its accounts. */
export function getRelayActor({ request, services }: RawContext<Services>): Answer | Promise<Answer> {
  if (services.options.relay !== 'beside') throw new Failure('notFound');
  const keyPair = keyPairOf(services);
  if (!(keyPair instanceof Promise)) return relayAnswer(request, services, keyPair);
  return keyPair.then((made) => relayAnswer(request, services, made));
}

function relayAnswer(request: RawContext<Services>['request'], services: Services, { publicKeyPem }: KeyPair): Answer {
  const document = relayActorDocument(services.addresses, settingsOf(services).title, publicKeyPem);
  return jsonAnswer(request, { '@context': actorContext, ...document });
}

/** Their number is on the status page: the collections of the relay are empty. */
export function getRelayCollection({ request, services }: RawContext<Services>): Answer {
  if (services.options.relay === 'off') throw new Failure('notFound');
  const address = services.addresses.origin + request.path;
  return jsonAnswer(request, { '@context': plainContext, ...wholeCollection(address, []) });
}

/** Empty: the server's own actor publishes nothing. */
export function getInstanceOutbox({ request, services }: RawContext<Services>): Answer {
  const outbox = wholeCollection(instanceOutbox(services.addresses), []);
  return jsonAnswer(request, { '@context': plainContext, ...outbox });
}
