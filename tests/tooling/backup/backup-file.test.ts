/** The file of a backup: what was written is read, and a file that misses a byte or has another one is refused. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  BackupFileError,
  type Header,
  openBackupFile,
  type Part,
  writeBackupFile,
} from '../../../tooling/backup/backup-file.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';

const HEADER: Header = {
  version: '0.3.0',
  migration: 51,
  createdAt: '2026-11-24T10:11:12.123456Z',
  postgres: '18.4',
};
const TABLE: Part = {
  kind: 'table',
  name: 'texts',
  columns: [{ name: 'value', type: 'text' }],
  options: [],
};

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-backup-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Written {
  part: Part;
  chunks: Buffer[];
}

async function write(parts: Written[]): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.backup`);
  async function* all() {
    for (const { part, chunks } of parts) yield { part, lines: chunks };
  }
  const bytes = await writeBackupFile(path, HEADER, all());
  expect(bytes).toBe((await stat(path)).size);
  return path;
}

async function read(path: string): Promise<{ part: Part; text: string; count: number }[]> {
  const file = await openBackupFile(path);
  expect(file.header).toEqual(HEADER);
  const parts = [];
  for await (const { part, lines, count } of file.parts()) {
    const chunks: Buffer[] = [];
    for await (const chunk of lines) chunks.push(chunk);
    parts.push({ part, text: Buffer.concat(chunks).toString(), count: count() });
  }
  return parts;
}

/** What looks like the end of a part, anywhere but as a line of its own. */
const line = fc
  .oneof(fc.string(), fc.constantFrom('\\.x', '\\', '.', 'x\\.', '\\\\.', '', '{"rows":1}'))
  .map((text) => text.replaceAll('\n', ''))
  .filter((text) => text !== '\\.');

/** Lines, cut at any byte. */
const cutLines = fc.tuple(fc.array(line), fc.array(fc.nat(40))).map(([lines, cuts]) => {
  let rest = Buffer.from(lines.map((text) => `${text}\n`).join(''));
  const chunks: Buffer[] = [];
  for (const cut of cuts) {
    chunks.push(rest.subarray(0, cut));
    rest = rest.subarray(cut);
  }
  return { lines, chunks: [...chunks, rest] };
});

test('reads what was written', () =>
  fc.assert(
    fc.asyncProperty(fc.array(cutLines, { maxLength: 4 }), async (parts) => {
      const path = await write(parts.map(({ chunks }) => ({ part: TABLE, chunks })));
      expect(await read(path)).toEqual(
        parts.map(({ lines }) => ({
          part: TABLE,
          text: lines.map((text) => `${text}\n`).join(''),
          count: lines.length,
        })),
      );
    }),
    { numRuns: ORACLE_RUNS },
  ));

test('a part that nobody reads to its end is passed over', async () => {
  const long = Array.from({ length: 50_000 }, (_, n) => Buffer.from(`line ${n} of many\n`));
  const path = await write([
    { part: TABLE, chunks: long },
    { part: { kind: 'queue' }, chunks: [Buffer.from('{}\n')] },
  ]);
  const kinds = [];
  for await (const { part, lines } of (await openBackupFile(path)).parts()) {
    kinds.push(part.kind);
    for await (const _ of lines) break;
  }
  expect(kinds).toEqual(['table', 'queue']);
});

test('a byte that is missing, or another one, is seen wherever it is', async () => {
  const path = await write([{ part: TABLE, chunks: [Buffer.from('one\ntwo\n')] }]);
  const whole = await readFile(path);
  const damaged = join(folder, 'damaged.backup');
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    for (const bytes of [changed, whole.subarray(0, at)]) {
      await writeFile(damaged, bytes);
      await expect(openBackupFile(damaged), `at ${at}`).rejects.toThrow(BackupFileError);
    }
  }
  await writeFile(damaged, Buffer.concat([whole, Buffer.from('x')]));
  await expect(openBackupFile(damaged)).rejects.toThrow('is cut off or was changed');
});

test('only its owner may read it, and it replaces no file', async () => {
  const path = await write([]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const before = await readFile(path);
  async function* none() {}
  await expect(writeBackupFile(path, { ...HEADER, migration: 1 }, none())).rejects.toThrow(
    `${path} is there already.`,
  );
  expect(await readFile(path)).toEqual(before);
});

test('a backup that fails leaves no file', async () => {
  const path = join(folder, 'failed.backup');
  // biome-ignore lint/correctness/useYield: it fails before the first part.
  async function* failing(): AsyncGenerator<never> {
    throw new Error('the server went away');
  }
  await expect(writeBackupFile(path, HEADER, failing())).rejects.toThrow('the server went away');
  await expect(stat(path)).rejects.toThrow('ENOENT');
  await expect(stat(`${path}.unfinished`)).rejects.toThrow('ENOENT');
});

test('is text in one frame of zstd, between two that zstd skips', async () => {
  const path = await write([{ part: TABLE, chunks: [Buffer.from('one\n')] }]);
  const bytes = await readFile(path);
  const frame = bytes.subarray(8 + bytes.readUInt32LE(4), bytes.length - 40);
  expect(zstdDecompressSync(frame).toString()).toBe(
    `${JSON.stringify(HEADER)}\n${JSON.stringify(TABLE)}\none\n\\.\n1\n`,
  );
});
