/** The options of the relay: rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { oneOf, onOff, wholeNumber } from './values.ts';

export const relayOptions = [
  option({
    name: 'relay',
    environment: 'MURMURATION_RELAY',
    schema: oneOf(['off', 'beside', 'only']),
    default: 'off',
    sentence:
      'Whether the server is a relay, which passes public posts on to the servers that subscribe to it: beside its accounts (actor ORIGIN/relay, inbox ORIGIN/relay/inbox), or only that (ORIGIN/actor, ORIGIN/inbox). It cannot be changed between the two later.',
  }),
  option({
    name: 'relaySubscriptions',
    environment: 'MURMURATION_RELAY_SUBSCRIPTIONS',
    schema: oneOf(['open', 'approval', 'allow-list']),
    default: 'approval',
    sentence:
      'Who may subscribe to the relay: every server, those that staff approve, or those that staff have listed before.',
  }),
  option({
    name: 'relayAgeMinutes',
    environment: 'MURMURATION_RELAY_AGE_MINUTES',
    schema: wholeNumber(1, optionLimits.relayAgeMinutesMax),
    default: 30,
    unit: 'minutes',
    sentence: 'Age above which the relay does not pass a post on any more.',
  }),
  option({
    name: 'relayLog',
    environment: 'MURMURATION_RELAY_LOG',
    schema: wholeNumber(1, optionLimits.relayLogMegabytesMax),
    default: 256,
    unit: 'MB',
    sentence: 'Disk space for what the relay has still to pass on; the oldest makes room.',
  }),
  option({
    name: 'relayUnindexed',
    environment: 'MURMURATION_RELAY_UNINDEXED',
    schema: onOff,
    default: true,
    sentence:
      'Whether the relay passes on posts of people who have not opted in to search (indexable). Off leaves most people out: few have. Posts of profiles with #NoIndex, #NoBot or #NoRelay are never passed on.',
  }),
  option({
    name: 'relayPublishSubscribers',
    environment: 'MURMURATION_RELAY_PUBLISH_SUBSCRIBERS',
    schema: onOff,
    default: false,
    sentence: 'Whether the status page of the relay names the servers that subscribe to it.',
  }),
  option({
    name: 'relaySharedSignature',
    environment: 'MURMURATION_RELAY_SHARED_SIGNATURE',
    schema: onOff,
    default: true,
    sentence:
      'Whether the relay signs a post once for all subscribers that have proved to take a signature which does not name their host, as Mastodon does. Off signs anew for each, which costs most of the work of a delivery.',
  }),
  option({
    name: 'relayEgress',
    environment: 'MURMURATION_RELAY_EGRESS',
    schema: wholeNumber(0, optionLimits.relayEgressKilobytesMax),
    default: 0,
    unit: 'kB a second',
    sentence:
      'How much the relay sends to all subscribers together; 0 for no limit. What has to wait for longer than the age limit is dropped.',
  }),
  option({
    name: 'relaySubscriberEgress',
    environment: 'MURMURATION_RELAY_SUBSCRIBER_EGRESS',
    schema: wholeNumber(0, optionLimits.relayEgressKilobytesMax),
    default: 0,
    unit: 'kB a second',
    sentence: 'How much the relay sends to each subscriber; 0 for no limit.',
  }),
] as const;
