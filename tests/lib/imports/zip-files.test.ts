import { expect, test } from 'vitest';
import { filesOfZip, isZip } from '../../../lib/imports/readers/zip-files.ts';
import { zip } from '../../scripts/import/zip.ts';

const blobOf = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);

async function read(archive: Blob): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const file of await filesOfZip(archive, 'export.zip')) {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of await file.open()) chunks.push(new Uint8Array(chunk));
    texts[file.name] = await new Blob(chunks).text();
    expect(new TextEncoder().encode(texts[file.name]).length).toBe(file.size);
  }
  return texts;
}

test('the CSV files of an archive, without their folders', async () => {
  const text = 'é,'.repeat(100_000);
  const archive = blobOf(
    zip({ 'b/two.csv': text, 'one.CSV': '', 'x.txt': 'x', '__MACOSX/one.csv': 'x', 'b/.csv': '' }),
  );
  expect(await isZip(archive)).toBe(true);
  expect(await isZip(blobOf(new TextEncoder().encode('a,b')))).toBe(false);
  expect(await read(archive)).toEqual({ 'one.CSV': '', 'two.csv': text });
});

/** The same archive with a directory of 64-bit fields, as programs write it that don't know the sizes before. */
function widen(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  const end = bytes.length - 22;
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  const entry = Buffer.from(bytes.subarray(start, start + size));
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, field] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(field)), 4 + 8 * index);
    entry.writeUInt32LE(0xffffffff, field);
  }
  entry.writeUInt16LE(28, 30);
  const wide = Buffer.alloc(56);
  wide.write('PK\u0006\u0006', 'latin1');
  wide.writeBigUInt64LE(1n, 32);
  wide.writeBigUInt64LE(BigInt(entry.length + 28), 40);
  wide.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeBigUInt64LE(BigInt(start + entry.length + 28), 8);
  const tail = Buffer.from(bytes.subarray(end));
  tail.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([bytes.subarray(0, start), entry, extra, wide, locator, tail]);
}

test('an archive with 64-bit fields', async () => {
  expect(await read(blobOf(widen(zip({ 'a.csv': 'a,b\n' }))))).toEqual({ 'a.csv': 'a,b\n' });
});

test.each([
  ['nothing', new Uint8Array()],
  ['a text that is none', Buffer.from('PK\u0003\u0004 and nothing else, but long enough')],
  ['one that is cut off', zip({ 'a.csv': 'a' }).slice(0, -30)],
  ['one that leads elsewhere', zip({ '../a.csv': 'a' })],
  ['another way to pack', Buffer.from(zip({ 'a.csv': 'a' })).fill(9, 48, 49)],
])('is no archive: %s', async (_, bytes) => {
  await expect(filesOfZip(blobOf(bytes), 'export.zip')).rejects.toThrow(
    'export.zip: is not a valid ZIP archive',
  );
});

test.each([-5, 5])('a size that is off by %d fails while the file is read', async (lie) => {
  await expect(read(blobOf(zip({ 'a.csv': 'a,b\nc,d\n' }, lie)))).rejects.toThrow('decompressed size');
});
