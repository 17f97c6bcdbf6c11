import { bytesOf, type Command } from './redis-reply.ts';

export type Request =
  | { kind: 'single'; commands: [Command] }
  | { kind: 'many'; atomic: boolean; commands: Command[] };

/** The body is invalid for the path. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** Parses `POST /` (one command), `/pipeline` and `/multi-exec` (arrays of commands); undefined for another path. */
export function parseRequest(path: string | undefined, body: string): Request | undefined {
  switch (path) {
    case '/':
      return { kind: 'single', commands: [parseCommand(parseJson(body))] };
    case '/pipeline':
    case '/multi-exec':
      return { kind: 'many', atomic: path === '/multi-exec', commands: parseCommands(parseJson(body)) };
    default:
      return undefined;
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new BadRequest('ERR failed to parse the body as JSON');
  }
}

function parseCommands(value: unknown): Command[] {
  if (!Array.isArray(value) || value.length === 0) throw new BadRequest('ERR expected an array of commands');
  return value.map(parseCommand);
}

function parseCommand(value: unknown): Command {
  if (!Array.isArray(value)) throw new BadRequest('ERR expected a command as an array');
  const [name, ...args] = value.map(parseArgument);
  if (name === undefined) throw new BadRequest('ERR empty command');
  return [name, ...args];
}

function parseArgument(value: unknown): string {
  if (typeof value === 'string') return bytesOf(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new BadRequest('ERR expected arguments to be strings, numbers or booleans');
}
