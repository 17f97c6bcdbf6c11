import * as v from 'valibot';
import { expect, test } from 'vitest';
import { listCronRuns, runCron } from '../../lib/cron-runs.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { reportJob } from '../../lib/http/log.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();
const NOW = new Date('2026-11-24T10:00:00.000Z');
const runOf = async (name: string) => (await listCronRuns(database())).find((run) => run.function === name);

test.each([true, false])(
  'a job that fails stops no other, and the log has its cause (in turn: %s)',
  async (inTurn) => {
    const name = `cron ${inTurn}`;
    const lines: object[] = [];
    const done: string[] = [];
    const run = (jobs: Parameters<typeof runCron>[1]['jobs'], now = NOW) =>
      runCron(
        { sql: database().sql, now: () => now.getTime() },
        { function: name, inTurn, jobs, report: reportJob(name, (line) => lines.push(line)) },
      );
    const sweep = async () => done.push('sweep');
    const lock = () => Promise.reject(new Error('no lock was to be had'));

    await expect(run({ lock, sweep })).rejects.toThrow('Jobs of the cron failed: lock.');
    expect(done).toEqual(['sweep']);
    expect(lines).toMatchObject([
      {
        level: 'error',
        function: name,
        event: 'cron job failed',
        job: 'lock',
        causes: [{ message: 'no lock was to be had' }],
      },
    ]);
    expect(await runOf(name)).toEqual({ function: name, beganAt: NOW, endedAt: null, failedAt: NOW });

    const later = new Date(NOW.getTime() + 60_000);
    await run({ sweep }, later);
    expect(await runOf(name)).toEqual({ function: name, beganAt: later, endedAt: later, failedAt: NOW });
  },
);

test('health says that a cron is late when it has not succeeded for an hour, and an hour after an upgrade', async () => {
  const { sql } = database();
  const health = healthEntrypoint(v.object({}), () => sql, 'nightly');
  const cronOf = async () => (await (await health.fetch(new Request('http://function/'), {})).json()).cron;
  const ended = (ago: string) => sql`
    insert into cron_runs (function, began_at, ended_at) values ('nightly', now(), now() - ${ago}::interval)
    on conflict (function) do update set ended_at = excluded.ended_at`;

  expect(await cronOf()).toEqual({ succeededAt: null, isLate: false });
  await sql`update schema_version set changed_at = now() - interval '61 minutes'`;
  expect(await cronOf()).toEqual({ succeededAt: null, isLate: true });
  await ended('59 minutes');
  expect(await cronOf()).toEqual({ succeededAt: expect.any(String), isLate: false });
  await ended('61 minutes');
  expect(await cronOf()).toMatchObject({ isLate: true });
  await sql`update schema_version set changed_at = now()`;
  expect(await cronOf()).toMatchObject({ isLate: false });
});
