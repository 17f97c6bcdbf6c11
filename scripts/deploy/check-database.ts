import pg from 'pg';
import { checkVersion } from '../../tooling/schema/check-version.ts';

/** Code and database must be of one version (docs/upgrades.md). Throws a sentence that says what to run. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  // Without a listener, a connection closed by the server would end this process without a message.
  client.on('error', () => {});
  try {
    await client.connect();
    const fault = await checkVersion(client);
    if (fault !== undefined) throw new Error(fault);
  } finally {
    await client.end().catch(() => {});
  }
}
