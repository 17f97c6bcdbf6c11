/** The command line of `npm run dev` and `npm run demo` (docs/local.md). */
import { parseArgs } from 'node:util';

export interface DevOptions {
  port: number;
  /** The port of the content service. */
  contentPort: number;
  /** `local`: the database under `.local/`. */
  database: 'local' | 'memory' | { url: string };
  redis: 'memory' | { url: string };
  /** Whether an empty demo site is filled. */
  demo: boolean;
}

/** Throws a sentence for the developer if an option is invalid. */
export function readDevOptions(args: string[]): DevOptions {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8787' },
      'content-port': { type: 'string', default: '8788' },
      memory: { type: 'boolean', default: false },
      database: { type: 'string' },
      redis: { type: 'string' },
      'no-demo': { type: 'boolean', default: false },
    },
  });
  if (values.memory && values.database !== undefined)
    throw new Error('Choose --memory or --database, not both.');
  return {
    port: readPort('--port', values.port),
    contentPort: readPort('--content-port', values['content-port']),
    database: readDatabase(values.database, values.memory),
    redis:
      values.redis === undefined
        ? 'memory'
        : { url: readUrl('--redis', values.redis, ['redis:', 'rediss:']) },
    demo: !values['no-demo'],
  };
}

function readDatabase(url: string | undefined, memory: boolean): DevOptions['database'] {
  if (url !== undefined) return { url: readUrl('--database', url, ['postgres:', 'postgresql:']) };
  return memory ? 'memory' : 'local';
}

function readPort(option: string, value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new Error(`${option} takes a port number, 0 to 65535.`);
  return port;
}

function readUrl(option: string, value: string, protocols: string[]): string {
  const protocol = URL.parse(value)?.protocol;
  if (protocol === undefined || !protocols.includes(protocol)) {
    throw new Error(`${option} takes an address that begins with ${protocols[0]}//`);
  }
  return value;
}
