/** The folder with all that a start keeps: closed to other users, and of one start at a time. */

import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder } from '../tooling/lock-folder.ts';

export interface DataFolder {
  path: string;
  /** Of a file in it. */
  file(name: string): string;
  /** Lets another start have it. */
  release(): void;
}

/** Makes the folder if it is missing, and takes it for this process. Throws `FolderInUse`. */
export function openDataFolder(given: string): DataFolder {
  const path = resolve(given);
  const release = lockFolder(path);
  chmodSync(path, 0o700);
  return { path, file: (name) => join(path, name), release };
}

const SECRETS = ['AUTH_KEY', 'ADDRESS_KEY', 'CURSOR_KEY', 'SHARE_KEY', 'CHANNEL_KEY'] as const;
export type Secrets = Record<(typeof SECRETS)[number], string>;

type GivenSecrets = { [Name in keyof Secrets]?: string | undefined };

/** Those given, and those that the first start made, if there is a file. Changes nothing. */
export function findSecrets(file: string | undefined, given: GivenSecrets): Partial<Secrets> {
  const kept = file === undefined ? {} : readSecrets(file);
  return Object.fromEntries(
    SECRETS.flatMap((name) => {
      const value = given[name] ?? kept[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Puts the secrets of a backup into a folder. Throws a sentence, and changes nothing, if the folder has others. */
export function putSecrets(file: string, secrets: Readonly<Record<string, string>>): void {
  const kept = readSecrets(file);
  const known = Object.fromEntries(SECRETS.flatMap((name) => (secrets[name] ? [[name, secrets[name]]] : [])));
  if (SECRETS.some((name) => kept[name] !== undefined && kept[name] !== known[name]))
    throw new Error(
      `${file} has secrets already, and they aren’t those of the backup. Nothing was written. Move that file away, or set DATA_FOLDER to a new folder.`,
    );
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
}

/** The secrets of the service: those given, and for the rest those of the first start, which made them. */
export function keepSecrets(file: string, given: GivenSecrets): Secrets {
  const kept = readSecrets(file);
  const secrets = Object.fromEntries(
    SECRETS.map((name) => [name, kept[name] ?? randomBytes(32).toString('hex')]),
  ) as Secrets;
  if (SECRETS.some((name) => kept[name] === undefined))
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return Object.fromEntries(SECRETS.map((name) => [name, given[name] ?? secrets[name]])) as Secrets;
}

function readSecrets(file: string): Partial<Secrets> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch {
    throw new Error(`${file} is no JSON. Restore it from a backup: without it nobody stays signed in.`);
  }
}
