/** The relay: its subscribers, and the log of what it passes on to them (docs/decisions: the relay is one actor). */
import { implement } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { answered, brought, followedBack, join, leaveRelay } from './joined/joining.ts';
import { Relay } from './relay.messages.ts';
import { progressed, publish } from './relayed-log.ts';
import {
  admit,
  confirmed,
  follow,
  leave,
  refuse,
  reject,
  remove,
  setFilters,
  signatureLearned,
  takeOver,
} from './subscribing.ts';
import { tellOfKey } from './tell-of-key.ts';

export const relayActor = implement<Turn<string>>()(Relay, {
  follow,
  refuse,
  leave,
  confirmed,
  admit,
  reject,
  remove,
  setFilters,
  signatureLearned,
  takeOver,
  tellOfKey,
  publish,
  progressed,
  join,
  leaveRelay,
  answered,
  followedBack,
  brought,
});
