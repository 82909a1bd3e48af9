/** The options of whoever watches the server: the log, and the ports for the operator's programs. Rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { listenAddress, oneOf, onOff, wholeNumber } from './values.ts';

export const observingOptions = [
  option({
    name: 'logLevel',
    environment: 'MURMURATION_LOG_LEVEL',
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    sentence: 'Lowest severity of messages that are logged.',
  }),
  option({
    name: 'tracing',
    environment: 'MURMURATION_TRACING',
    schema: onOff,
    default: false,
    sentence: 'Whether the log traces each request, by its X-Request-Id, through turns, effects and deliveries.',
  }),
  option({
    name: 'metricsPort',
    environment: 'MURMURATION_METRICS_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 0,
    sentence: 'TCP port that serves /metrics in the text format of Prometheus; 0 for none.',
  }),
  option({
    name: 'metricsHost',
    environment: 'MURMURATION_METRICS_HOST',
    schema: listenAddress,
    default: '127.0.0.1',
    sentence: 'Address that the metrics port listens on. Anybody who can connect to it can read the metrics.',
  }),
  option({
    name: 'healthPort',
    environment: 'MURMURATION_HEALTH_PORT',
    schema: wholeNumber(0, optionLimits.portMax),
    default: 0,
    sentence:
      'TCP port that serves /health and /ready, also by HTTP/1.0 and while gateways are too busy to answer; 0 for none.',
  }),
  option({
    name: 'healthHost',
    environment: 'MURMURATION_HEALTH_HOST',
    schema: listenAddress,
    default: '127.0.0.1',
    sentence: 'Address that the health port listens on.',
  }),
] as const;
