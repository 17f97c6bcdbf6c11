import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process has the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  /** As it wrote it; not a number if it didn't come so far. */
  readonly holder: number;

  constructor(folder: string, holder: number) {
    super(`${folder} is in use by process ${holder}. Stop that one first; nothing was changed.`);
    this.holder = holder;
  }
}

/**
 * Takes a folder for this process, and makes it if it is missing. The system ends the lock of a process that was killed; the number beside
 * it is for people. Returns what gives it back. Throws `FolderInUse`.
 */
export function lockFolder(folder: string, name = 'lock'): () => void {
  mkdirSync(folder, { recursive: true });
  const holder = join(folder, `${name}.process`);
  const db = new DatabaseSync(join(folder, name), { timeout: 0 });
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch {
    db.close();
    throw new FolderInUse(folder, Number(readFileSync(holder, 'utf8')));
  }
  writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  return () => db.close();
}
