/** Asks everything of a filled database while events come at a steady rate and the crons run. `bench -- fill` fills it. */
import { startCrons } from '../dev/crons.ts';
import { type Stack, startStack } from '../dev/stack.ts';
import { addIngestKey, TEST_AUTH_KEY } from '../tests/security/session.ts';
import { addMember } from '../tests/security/tenant.ts';
import type { Benchmark } from './benchmark.ts';
import { withLoad } from './load/with-load.ts';
import { measureCpu } from './scale/ask-in-turn.ts';
import { type FilledSite, readFill, readSites } from './scale/fill-size.ts';
import { databaseOn } from './scale/filled-database.ts';
import { runStretch, type Target } from './scale/measure-stretch.ts';
import { printScale } from './scale/print-scale.ts';
import { questionsAtSize } from './scale/questions.ts';
import { measureSignalCpu } from './scale/send-signals.ts';
import { watchMachine } from './scale/watch-machine.ts';

const RATE = 500;
const MINUTES = 10;
const ALONE_SECONDS = 60;
const ASKERS = 12;

export const scale: Benchmark = {
  name: 'scale',
  summary: 'everything asked of --into for --minutes, while events come at --rate a second and crons run',
  onlyNamed: true,
  run: async ({ database, redis, into, rate = RATE, minutes = MINUTES }) => {
    const faults = new Map<string, number>();
    const stack = await startStack({
      ...{ database: { url: databaseOn(database, into) }, redis, schemaApplied: true },
      vars: { AUTH_KEY: TEST_AUTH_KEY },
      log: (line) => noteFault(faults, line),
    });
    try {
      const target = await prepare(stack);
      const machine = await watchMachine(stack.sql);
      const stopCrons = startCrons(stack, (error) => noteFault(faults, `"level":"error" cron ${error}`));
      try {
        await withLoad(async (load) => {
          const measure = (seconds: number, isAsked: boolean) =>
            runStretch({ stack, target, machine, load, faults }, { rate, seconds, isAsked });
          console.error(`  ${rate} events a second alone, ${ALONE_SECONDS} s ...`);
          const alone = await measure(ALONE_SECONDS, false);
          console.error(`  ${rate} events a second, and all questions in turn, ${minutes} min ...`);
          const asked = await measure(minutes * 60, true);
          // What crons do in the background isn't a question's.
          await stopCrons();
          const { askers, questions } = target;
          const cpuMs = await measureCpu(stack, questions, { askers, cpuMs: machine.databaseCpuMs });
          const signals = { key: target.key, signals: target.fill.size.signals };
          const signalCpuMs = await measureSignalCpu(stack, signals, machine.databaseCpuMs);
          printScale({ fill: target.fill, rate, alone, asked, cpuMs, signalCpuMs });
        });
      } finally {
        void stopCrons();
      }
    } finally {
      await stack.close();
    }
  },
};

function noteFault(faults: Map<string, number>, line: string): void {
  if (!line.includes('"level":"error"')) return;
  const what = line.slice(0, 300).replaceAll(/"(requestId|durationMs|time)":[^,}]*/g, '');
  faults.set(what, (faults.get(what) ?? 0) + 1);
}

async function prepare({ sql }: Stack): Promise<Target> {
  const fill = await readFill(sql);
  const sites = await readSites(sql);
  const [large, small = large] = sites;
  if (large === undefined || small === undefined) throw new Error('bench -- fill comes first.');
  const { key, environmentId } = await addIngestKey(sql, large.projectId);
  const [funnel] = await sql`select id from site_funnels where site_id = ${large.siteId}`;
  const cookies = async ({ projectId }: FilledSite) => {
    const people = Array.from({ length: ASKERS }, () => addMember(sql, projectId, 'viewer'));
    return (await Promise.all(people)).map(({ cookie }) => cookie);
  };
  return {
    ...{ fill, sites, key },
    askers: { 'large site': await cookies(large), 'small site': await cookies(small) },
    questions: questionsAtSize({
      ...{ largeSite: large.siteId, smallSite: small.siteId, funnelId: funnel?.id },
      ...{ projectId: large.projectId, environmentId },
      span: Math.floor(fill.size.signals * (fill.size.signalDays - 0.5)),
    }),
  };
}
