import { createHash } from 'node:crypto';

/** A flag of Upstash's own, which Redis refuses; it is about how Upstash locks keys and says nothing elsewhere. */
const UPSTASH_FLAG = 'allow-key-locking';

/** The name under which EVALSHA finds a script: the SHA-1 of what the client sent. */
export const scriptHash = (source: string): string =>
  createHash('sha1').update(source, 'latin1').digest('hex');

/** A script as Redis itself takes it. */
export function plainScript(source: string): string {
  const [shebang = ''] = source.split('\n', 1);
  if (!shebang.startsWith('#!') || !shebang.includes(UPSTASH_FLAG)) return source;
  const words = shebang.split(/\s+/).flatMap((word) => {
    if (!word.startsWith('flags=')) return [word];
    const flags = word.slice('flags='.length).split(',');
    const others = flags.filter((flag) => flag !== UPSTASH_FLAG);
    return others.length === 0 ? [] : [`flags=${others.join(',')}`];
  });
  return words.join(' ') + source.slice(shebang.length);
}
