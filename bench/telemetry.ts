/** Backend telemetry: how fast spans are stored and found, and how much storage they take. */
import { startStack } from '../dev/stack.ts';
import type { Benchmark } from './benchmark.ts';
import { otlp } from './otlp.ts';
import { percent, perSecond, printTable, whole } from './print-table.ts';
import { measureFinding } from './telemetry/measure-find.ts';
import { measureStoring } from './telemetry/measure-store.ts';
import { withDatabase } from './with-database.ts';

/** Number of spans; `--sizes` overrides it, in millions. */
const SPANS = [1e6];

export const telemetry: Benchmark = {
  name: 'telemetry',
  summary: 'spans of 12 attributes, received through workerd and stored on a real PostgreSQL',
  run: (options) =>
    withDatabase(options.database, async (url) => {
      await otlp.run(options);
      const stack = await startStack({ database: { url }, redis: options.redis });
      try {
        const { received, indexed, keyed, plain } = await measureStoring(stack);
        const beside = (what: string, baseline: number) => ({
          baseline: `bare multi-row insert, ${what}: ${perSecond(baseline)}`,
          ratio: percent(received / baseline),
        });
        printTable('Stored spans of 12 attributes, 512 a request, protobuf', [
          {
            what: 'through the receiver',
            figure: perSecond(received),
            ...beside('the same indexes', indexed),
            aim: 'at least 60 %, over 12,000/s',
          },
          { what: '', figure: '', ...beside('primary key alone', keyed) },
          { what: '', figure: '', ...beside('no index', plain) },
        ]);
        for (const size of options.sizes ?? SPANS) {
          const { found, bytes } = await measureFinding(stack, size);
          printTable(
            `Found among ${whole(size)} spans of a day, ${whole(bytes)} bytes a span with its indexes`,
            found.map(({ what, ms, aim }) => ({
              what,
              figure: `${ms.toFixed(1)} ms`,
              ...(aim !== '' && { aim: `under ${aim}` }),
            })),
          );
        }
      } finally {
        await stack.close();
      }
    }),
};
