import pg from 'pg';

/**
 * Runs the cron that seals days until nothing is left; returns the seconds. Null if the schema has no seals. Uses its own connection,
 * since the driver doesn't wait for minutes.
 */
export async function sealDays(url: string, now: number): Promise<number | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regproc('seal_days') is not null as there");
    if (!rows[0].there) return null;
    const begun = performance.now();
    for (let before = -1, sealed = 0; sealed !== before; ) {
      before = sealed;
      await client.query('select seal_days($1)', [new Date(now).toISOString()]);
      sealed = (await client.query('select count(*)::integer as days from sealed_days')).rows[0].days;
    }
    const seconds = (performance.now() - begun) / 1000;
    await client.query('vacuum analyze');
    return seconds;
  } finally {
    await client.end();
  }
}
