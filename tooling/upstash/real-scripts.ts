import type { Command } from './redis-reply.ts';
import { plainScript, scriptHash } from './upstash-script.ts';

/** Enough for every script of a client; the oldest is forgotten, and its client then sends it again. */
const MAX_SCRIPTS = 256;

/** Turns calls of scripts that only Upstash takes into calls that Redis takes. */
export function realScripts(): { translate(command: Command): Command } {
  /** From the hash that the client knows to the hash that Redis knows. */
  const hashes = new Map<string, string>();

  return {
    translate([name, script, ...rest]) {
      if (script === undefined) return [name];
      switch (name.toUpperCase()) {
        case 'EVAL': {
          const plain = plainScript(script);
          if (plain !== script) remember(scriptHash(script), scriptHash(plain));
          return [name, plain, ...rest];
        }
        case 'EVALSHA':
          return [name, hashes.get(script.toLowerCase()) ?? script, ...rest];
        default:
          return [name, script, ...rest];
      }
    },
  };

  function remember(hash: string, plainHash: string): void {
    const [oldest] = hashes.keys();
    if (!hashes.has(hash) && hashes.size >= MAX_SCRIPTS && oldest !== undefined) hashes.delete(oldest);
    hashes.set(hash, plainHash);
  }
}
