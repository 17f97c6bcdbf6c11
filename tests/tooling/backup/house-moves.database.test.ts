/** A database moves by backup and restore between servers and versions, and every answer stays the same. */
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../../lib/version.ts';
import { applySchema } from '../../../tooling/schema/apply-schema.ts';
import { connectDirectly } from '../../../tooling/schema/connect-directly.ts';
import { askAgain, collectAnswers } from '../../upgrades/answers.ts';
import { fill, listEmptyTables, NOW } from '../../upgrades/fill.ts';
import { RELEASES, restore } from '../../upgrades/releases.ts';
import { readCatalogue } from '../../upgrades/schema-catalogue.ts';
import { openService, type Service } from '../../upgrades/service.ts';
import { backUp, readTables, restoreInto, useServers } from './servers.ts';

const TIMEOUT_MS = 600_000;

async function withService<T>(url: string, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await openService({ url });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** What an upgrade draws, or takes from the clock. */
const DRAWN = `
  update sealed_days set seal = '00000000-0000-0000-0000-000000000000';
  update environments set hours_noted_from = null`;

const readUpgraded = (url: string) =>
  connectDirectly(url, async (client) => {
    await client.query(DRAWN);
    return readTables(client);
  });

/** The shape of a database that this version makes. */
const readNewCatalogue = (url: string) =>
  connectDirectly(url, async (client) => {
    await applySchema(client);
    return readCatalogue(client);
  });

describe('a database moves', () => {
  const servers = useServers();
  let catalogue: ReturnType<typeof readCatalogue> | undefined;

  test.each(RELEASES)(
    'of %s, from a server to the embedded one',
    async (version) => {
      const { create, newFile } = servers();
      const [old, moved] = [await create('server'), await create('embedded')];
      await connectDirectly(old, (client) => restore(client, version));
      const backup = await backUp(old, newFile());
      expect(backup.header.version).toBe(version);
      await restoreInto(moved, backup);

      // Upgraded where it is. tests/upgrades checks that its answers are those of before.
      await connectDirectly(old, (client) => applySchema(client));
      const { rows } = await connectDirectly(moved, (client) =>
        client.query('select version from schema_version'),
      );
      expect(rows).toEqual([{ version: VERSION }]);
      const [wanted, found] = [await readUpgraded(old), await readUpgraded(moved)];
      expect(found).toEqual(wanted);
      catalogue ??= readNewCatalogue(await create('embedded'));
      expect(await connectDirectly(moved, readCatalogue)).toEqual(await catalogue);
    },
    TIMEOUT_MS,
  );

  test(
    'of this version, from a server to the embedded one and back',
    async () => {
      const { create, newFile } = servers();
      const first = await create('server');
      const { filled, answers } = await withService(first, async (service) => {
        await service.neon.withClient((client) => applySchema(client));
        const done = await fill(service);
        expect(await listEmptyTables(service.sql)).toEqual([]);
        return { filled: done, answers: await collectAnswers(service, done) };
      });
      const tables = await connectDirectly(first, readTables);

      let from = first;
      for (const on of ['embedded', 'server'] as const) {
        const to = await create(on);
        const backup = await backUp(from, newFile(), { secrets: { AUTH_KEY: 'a'.repeat(32) } });
        await restoreInto(to, backup);
        expect(await connectDirectly(to, readTables), on).toEqual(tables);
        from = to;
      }
      await withService(from, async (service) => {
        service.at(NOW);
        expect(await askAgain(service, filled, Object.keys(answers))).toEqual(answers);
      });
    },
    TIMEOUT_MS,
  );
});
