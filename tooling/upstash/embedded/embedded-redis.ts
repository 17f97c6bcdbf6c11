/**
 * A Redis in this process, for a machine without one. ioredis-mock was measured against Redis 7 and differs: it lost the expiry of `SET
 * ... XX GET PX`, made NaN of text, lacked WRONGTYPE, accepted any expiry and dropped nested script results. This one is small enough
 * to be exact; tests compare it with a real Redis.
 */
import { refusal } from '../availability.ts';
import { type Command, Discarded, Failure, type Redis, type Reply } from '../redis-reply.ts';
import { Arguments, type CommandSpec, wrongCount } from './command.ts';
import { Store } from './key-store.ts';
import { COMMANDS } from './redis-commands.ts';
import { createScripts } from './script-commands.ts';

const PLAIN_COMMANDS = new Map(Object.entries(COMMANDS));

const SWEEP_INTERVAL_MS = 10_000;

/** @param store its keys; by default new ones */
export function openEmbedded(store = new Store()): Redis {
  const sweeping = setInterval(() => store.sweep(), SWEEP_INTERVAL_MS).unref();
  const scripts = createScripts((command) => runPlain(store, command));
  const commands = new Map([...PLAIN_COMMANDS, ...Object.entries(scripts)]);
  return {
    // Commands run to their end, one after the other, so each is a transaction.
    run: async (given, atomic) => {
      const refused = atomic ? given.map((command) => check(commands, command)).find(isFailure) : undefined;
      if (refused !== undefined) {
        throw new Discarded(`EXECABORT Transaction discarded because of: ${refused.message}`);
      }
      return given.map((command) => perform(store, commands, command));
    },
    close: async () => clearInterval(sweeping),
  };
}

/** Runs a command that a script calls: any command except another script. */
const runPlain = (store: Store, command: Command): Reply => perform(store, PLAIN_COMMANDS, command);

function perform(store: Store, commands: ReadonlyMap<string, CommandSpec>, command: Command): Reply {
  const spec = check(commands, command);
  if (spec instanceof Failure) return spec;
  try {
    return spec.run(store, new Arguments(command.slice(1)));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function check(commands: ReadonlyMap<string, CommandSpec>, [name, ...args]: Command): CommandSpec | Failure {
  const refused = refusal(name);
  if (refused !== undefined) return refused;
  const spec = commands.get(name.toUpperCase());
  if (spec === undefined)
    return new Failure(`ERR unknown command '${name}' (the embedded Redis has no such)`);
  return args.length < spec.min || args.length > spec.max ? wrongCount(name) : spec;
}

const isFailure = (checked: CommandSpec | Failure): checked is Failure => checked instanceof Failure;
