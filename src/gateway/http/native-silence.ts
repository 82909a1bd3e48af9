/**
 * Takes the `uWebSockets` header out of every answer: it tells strangers what to attack, and costs 17 bytes each time.
 * The switch is in the native part and not among what the package exports; it belongs to the event loop of a thread, so
 * every thread that serves imports this. Must come after native-settings.ts.
 */
import { createRequire } from 'node:module';

const nativeFile = `./bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
const native: { _cfg?(setting: string): void } = createRequire(import.meta.resolve('uWebSockets.js'))(nativeFile);
native._cfg?.('silent');
