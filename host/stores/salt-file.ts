/** The embedded Redis of the day's salt, on disk: without the salt of the morning a visitor of the afternoon would be another one. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { openEmbedded } from '../../tooling/upstash/embedded/embedded-redis.ts';
import { Store } from '../../tooling/upstash/embedded/key-store.ts';
import type { Redis } from '../../tooling/upstash/redis-reply.ts';

type Kept = Record<string, { value: string; expiresAt: number | undefined }>;

/** Answers after the file has what was written. It holds a few texts; other kinds of values aren't kept. */
export function openSaltFile(file: string): Redis {
  const store = new Store();
  let text = '{}';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  for (const [key, { value, expiresAt }] of Object.entries(JSON.parse(text) as Kept))
    store.set(key, 'string', value, expiresAt);
  const redis = openEmbedded(store);
  return {
    ...redis,
    run: async (commands, atomic) => {
      const replies = await redis.run(commands, atomic);
      const now = JSON.stringify(
        Object.fromEntries(
          store.keys().flatMap((key) => {
            const entry = store.entry(key);
            return entry?.kind === 'string'
              ? [[key, { value: entry.value, expiresAt: entry.expiresAt }]]
              : [];
          }),
        ),
      );
      if (now !== text) replaceFile(file, now);
      text = now;
      return replies;
    },
  };
}

function replaceFile(file: string, text: string): void {
  const next = `${file}.next`;
  const fd = openSync(next, 'w', 0o600);
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(next, file);
}
