import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findPort } from '../../dev/free-port.ts';

test('finds a free port, and says so when the wanted one is taken', async () => {
  const port = await findPort(0, '--port');
  expect(await findPort(port, '--port')).toBe(port);
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  try {
    await expect(findPort(port, '--port')).rejects.toThrow(`Port ${port} is in use. Stop what listens there`);
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
});
