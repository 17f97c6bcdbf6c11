import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { connect, variants } from './neon-variants.ts';

describe.each(variants)('scripts over the $name database', (variant) => {
  it('runs the schema, and again unharmed', async () => {
    const { neon, close } = await variant.start();
    try {
      await neon.withClient(applySchema);
      const sql = connect(neon);
      await sql`insert into users (email) values (${'ann@example.com'})`;
      await neon.withClient(applySchema);
      expect(await sql`select email, name from users`).toEqual([{ email: 'ann@example.com', name: '' }]);
    } finally {
      await close();
    }
  });
});

describe('a database in a directory', () => {
  it('is open once at a time, and there again after a restart', async () => {
    const root = await mkdtemp(join(tmpdir(), 'neon-'));
    // The database may run as another user than this test.
    await chmod(root, 0o755);
    const dir = join(root, 'not', 'there', 'yet');
    try {
      const first = await startNeon({ database: { dir } });
      await first.exec("create table kept (a text); insert into kept values ('x')");
      await expect(startNeon({ database: { dir } })).rejects.toThrow(`in use by process ${process.pid}`);
      await first.close();
      const second = await startNeon({ database: { dir } });
      expect(await connect(second)`select a from kept`).toEqual([{ a: 'x' }]);
      await second.close();
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
