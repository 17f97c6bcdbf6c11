/**
 * A Redis in this process, for a machine without one. Why not ioredis-mock: measured command by command against Redis 7, it
 * lost the expiry of `SET ... XX GET PX`, counted on from text as NaN, knew no WRONGTYPE, accepted any expiry and answered
 * nested results of scripts with nothing. What is here is small enough to be exact, and the tests hold it to a real Redis.
 */
import { refusal } from '../availability.ts';
import { type Command, Discarded, Failure, type Redis, type Reply } from '../redis-reply.ts';
import { Arguments, type CommandSpec, wrongCount } from './command.ts';
import { Store } from './key-store.ts';
import { COMMANDS } from './redis-commands.ts';
import { createScripts } from './script-commands.ts';

const PLAIN_COMMANDS = new Map(Object.entries(COMMANDS));

const SWEEP_INTERVAL_MS = 10_000;

export function openEmbedded(): Redis {
  const store = new Store();
  const sweeping = setInterval(() => store.sweep(), SWEEP_INTERVAL_MS).unref();
  const scripts = createScripts((command) => runPlain(store, command));
  const commands = new Map([...PLAIN_COMMANDS, ...Object.entries(scripts)]);
  return {
    // Commands run to their end, one after the other: everything is a transaction.
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

/** Runs what a script calls: any command but another script. */
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
