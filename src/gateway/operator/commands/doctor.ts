/** The command that looks at everything around the server. Its process carries it out itself (cli/main.ts), beside the server. */
import { doctorWord } from '../cli/is-command.ts';
import { type Command, ofTheMachine } from './command.ts';
import { text, UsageError } from './reading.ts';

const doctor: Command = {
  words: doctorWord,
  audit: ofTheMachine,
  flags: {
    clocks: {
      value: 'ORIGINS',
      sentence: 'Compares the clock with these servers, separated by commas; by default with some that are known.',
    },
    json: { sentence: 'Prints one line of JSON, for scripts.' },
  },
  sentence:
    'Looks for what is wrong around the server: configuration, DNS, TLS, clock, disk, keys, proxy, federation, mail and other services. Says what it means and what to do, and changes nothing. Beside a running server it checks more.',
  read: (_argument, flags) => ({ clocks: originsIn(text(flags, 'clocks')), json: flags.json === true }),
};

function originsIn(listed: string | undefined): string[] {
  return (listed?.split(',') ?? []).map((given) => {
    const url = URL.parse(given.trim());
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new UsageError(`${given} is not an origin, such as https://example.org.`);
    return url.origin;
  });
}

export const doctorCommands = [doctor];
