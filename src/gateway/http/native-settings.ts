/**
 * Settings that uWebSockets.js reads from the real environment once, when its native part is loaded. A worker's
 * `process.env` is a copy that native code does not see, so the main thread must import this file before it starts
 * gateway threads; a single-threaded server gets it through server.ts.
 */
import { httpLimits } from './limits.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(httpLimits.headBytesMax);
