import { Command as Call, Redis as Client, ReplyError } from 'ioredis';
import { refusal } from './availability.ts';
import { realScripts } from './real-scripts.ts';
import { type Command, Discarded, Failure, OK, OutOfReach, type Redis, type Reply } from './redis-reply.ts';

/** Shorter than a caller waits for an answer. */
const ANSWER_TIMEOUT_MS = 900;
const MAX_RECONNECT_DELAY_MS = 1000;

export interface RealRedis {
  url: string;
  /** Prefix of each key, so that several endpoints can share a server. `SCAN` and `KEYS` ignore it. */
  keyPrefix?: string;
}

/** Opens a real Redis; throws if it doesn't answer. Later it may become unreachable and return. */
export async function openReal({ url, keyPrefix = '' }: RealRedis): Promise<Redis> {
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    commandTimeout: ANSWER_TIMEOUT_MS,
    // Refuses commands while Redis is unreachable, and repeats none afterwards, since it may have been executed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, MAX_RECONNECT_DELAY_MS),
  });
  // Without a listener, a lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw error;
  }
  const scripts = realScripts();
  return {
    run: async (commands, atomic) => {
      const calls = commands.map((command) => scripts.translate(command));
      return atomic
        ? await transaction(write, calls)
        : await Promise.all(calls.map(async (call) => refusal(call[0]) ?? (await write(call))));
    },
    close: async () => {
      client.disconnect();
    },
  };

  async function write([name, ...args]: Command): Promise<Reply> {
    // The client changes replies of commands that it knows, and it knows them only in lower case.
    const call = new Call(
      name.toUpperCase(),
      args.map((arg) => Buffer.from(arg, 'latin1')),
      { replyEncoding: null, keyPrefix },
    );
    try {
      return toReply(await client.sendCommand(call));
    } catch (error) {
      if (error instanceof ReplyError) return toReply(error);
      const reason = error instanceof Error ? error.message : String(error);
      throw new OutOfReach(`Redis is out of reach: ${reason}`, { cause: error });
    }
  }
}

/** Written as one block, so that no other command comes in between on the connection. */
async function transaction(
  write: (command: Command) => Promise<Reply>,
  commands: readonly Command[],
): Promise<Reply[]> {
  const refused = commands.find(([name]) => refusal(name) !== undefined);
  if (refused !== undefined) throw new Discarded(`EXECABORT ${refusal(refused[0])?.message}`);
  const [, ...replies] = await Promise.all(
    [['MULTI'] as Command, ...commands, ['EXEC'] as Command].map(write),
  );
  const results = replies.at(-1);
  if (results instanceof Failure) throw new Discarded(results.message);
  if (!Array.isArray(results)) throw new OutOfReach('Redis lost the transaction');
  return results;
}

function toReply(value: unknown): Reply {
  if (Buffer.isBuffer(value)) {
    const bytes = value.toString('latin1');
    return bytes === 'OK' ? OK : bytes;
  }
  if (Array.isArray(value)) return value.map(toReply);
  if (value instanceof Error) return new Failure(Buffer.from(value.message, 'utf8').toString('latin1'));
  return typeof value === 'number' ? value : null;
}
