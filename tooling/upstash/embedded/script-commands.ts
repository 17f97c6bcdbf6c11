import { type Command, Failure, type Reply } from '../redis-reply.ts';
import { plainScript, scriptHash } from '../upstash-script.ts';
import { type Arguments, type CommandSpec, command } from './command.ts';
import { compileScript, type Script } from './lua.ts';

/** The oldest script is removed; its client then sends it again. */
const MAX_SCRIPTS = 64;

/** EVAL and EVALSHA. `call` runs the commands of a script. */
export function createScripts(call: (command: Command) => Reply): Record<string, CommandSpec> {
  const scripts = new Map<string, Script>();

  function compile(source: string): Script {
    const hash = scriptHash(source);
    const known = scripts.get(hash);
    if (known !== undefined) return known;
    const [oldest] = scripts.keys();
    if (scripts.size >= MAX_SCRIPTS && oldest !== undefined) scripts.delete(oldest);
    const script = compileScript(withoutShebang(plainScript(source)), call);
    scripts.set(hash, script);
    return script;
  }

  function find(hash: string): Script {
    const script = scripts.get(hash.toLowerCase());
    if (script === undefined) throw new Failure('NOSCRIPT No matching script. Please use EVAL.');
    return script;
  }

  return {
    EVAL: command(2, Infinity, (_store, args) => run(compile(args.at(0)), args)),
    EVALSHA: command(2, Infinity, (_store, args) => run(find(args.at(0)), args)),
  };
}

function run(script: Script, args: Arguments): Reply {
  const count = args.integer(1);
  const rest = args.from(2);
  if (count < 0) throw new Failure("ERR Number of keys can't be negative");
  if (count > rest.length) throw new Failure("ERR Number of keys can't be greater than number of args");
  return script(rest.slice(0, count), rest.slice(count));
}

/** Lua can't parse this line. Redis reads it and compiles the rest. */
function withoutShebang(source: string): string {
  if (!source.startsWith('#!')) return source;
  const [shebang = ''] = source.split('\n', 1);
  if (!/^#!lua(\s|$)/.test(shebang)) throw new Failure('ERR Unexpected engine in script shebang');
  return source.slice(shebang.length);
}
