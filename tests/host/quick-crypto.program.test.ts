/** In a process of its own: it replaces what all of a process uses. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';

const CODE = `
const { useQuickCrypto } = await import('${join(ROOT, 'host/edge/quick-crypto.ts')}');
const { subtle } = crypto;
const key = crypto.getRandomValues(new Uint8Array(32));
const sizes = [0, 1, 63, 64, 65, 1000, 64 * 1024, 64 * 1024 + 1];
const all = async () => {
  const found = [];
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    const own = await subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign', 'verify']);
    const verifies = await subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['verify']);
    await subtle.sign('HMAC', verifies, key).then(() => found.push('signed'), (error) => found.push(error.name));
    for (const size of sizes) {
      const data = new Uint8Array(size + 3).fill(7).subarray(3);
      const mac = await subtle.sign('HMAC', own, data);
      found.push(mac instanceof ArrayBuffer, Buffer.from(mac).toString('hex'), await subtle.verify('HMAC', own, mac, data));
      found.push(Buffer.from(await subtle.digest(hash, data)).toString('hex'));
      found.push(Buffer.from(await subtle.digest({ name: hash.toLowerCase() }, data.slice().buffer)).toString('hex'));
    }
  }
  await subtle.digest('MD5', key).then(() => found.push('digested'), (error) => found.push(error.name));
  return JSON.stringify(found);
};
const before = await all();
useQuickCrypto();
const after = await all();
console.log(before === after, before.length);
`;

test('hashes and signatures are those of Node.js, without a warning', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', CODE]);
  expect(stdout).toMatch(/^true \d{4,}$/m);
  expect(stderr).toBe('');
});
