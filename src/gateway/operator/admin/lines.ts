/** JSON values over a socket, one per line. */
import type { Socket } from 'node:net';
import { adminLimits } from './limits.ts';

/** Calls back for each complete line. A line that is too long ends the connection. */
export function receiveLines(socket: Socket, receive: (line: string) => void): void {
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    lines[0] = received + lines[0];
    received = lines.pop()!;
    if (received.length > adminLimits.lineBytesMax) socket.destroy();
    else for (const line of lines) receive(line);
  });
}

export function sendLine(socket: Socket, value: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

/** Undefined for invalid JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
