/**
 * Removes the `uWebSockets` header from every answer: it helps attackers, and costs 17 bytes each time. The switch is
 * in the native part and not exported by the package; it belongs to the event loop of a thread, so every serving thread
 * imports this. Must come after native-settings.ts.
 */
import { createRequire } from 'node:module';

const nativeFile = `./bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
const native: { _cfg?(setting: string): void } = createRequire(import.meta.resolve('uWebSockets.js'))(nativeFile);
native._cfg?.('silent');
