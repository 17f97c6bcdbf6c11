/** Archives of files, read by a library. */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { zipFiles } from '../../web/app/parts/zip-files.ts';

const file = fc.record({
  name: fc.stringMatching(/^[a-z_-]{1,20}\.(csv|json)$/),
  bytes: fc.uint8Array({ maxLength: 300 }),
});

async function read(archive: Buffer): Promise<{ name: string; bytes: number[]; checksum: number }[]> {
  const zip = await fromBufferPromise(archive);
  const files = [];
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    files.push({ name: entry.fileName, bytes: [...Buffer.concat(parts)], checksum: entry.crc32 });
  }
  return files;
}

test('an archive has each file as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), async (files) => {
      expect(await read(Buffer.concat(zipFiles(files)))).toEqual(
        files.map(({ name, bytes }) => ({ name, bytes: [...bytes], checksum: crc32(bytes) })),
      );
    }),
  );
});
