/** The options of whoever watches the server: the log, and the ports for the operator's programs. Rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { headerLines, listenAddress, oneOf, onOff, share, webAddress, wholeNumber } from './values.ts';

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
    name: 'otlpEndpoint',
    environment: 'MURMURATION_OTLP_ENDPOINT',
    schema: webAddress,
    default: undefined,
    sentence:
      'Collector of OpenTelemetry that gets traces of requests by OTLP/HTTP in JSON, such as http://127.0.0.1:4318; /v1/traces is appended. Unset, there are none.',
  }),
  option({
    name: 'otlpHeaders',
    environment: 'MURMURATION_OTLP_HEADERS',
    schema: headerLines,
    default: undefined,
    isSecret: true,
    sentence:
      'Headers for the collector, such as authorization=Bearer%20TOKEN; several with commas between them. A secret.',
  }),
  option({
    name: 'otlpRatio',
    environment: 'MURMURATION_OTLP_RATIO',
    schema: share,
    default: 1,
    sentence: 'Share of the requests of which the collector gets traces: 0.01 for one of a hundred.',
  }),
  option({
    name: 'otlpTraceparent',
    environment: 'MURMURATION_OTLP_TRACEPARENT',
    schema: onOff,
    default: false,
    sentence:
      'Whether requests belong to the traces that MURMURATION_TRUSTED_PROXIES name in the header traceparent, which then also decides whether they are traced. Only for proxies that trace: others pass on what strangers send.',
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
