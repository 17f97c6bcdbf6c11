/** Microseconds of a call of node:sqlite, in rounds that fit into the queue of spans. */
import { DatabaseSync } from 'node:sqlite';
import { context, trace } from '@opentelemetry/api';

const ROUNDS = 40;
const CALLS = 2000;
const database = new DatabaseSync(':memory:');
database.exec(
  "create table basket (id integer primary key, item text); insert into basket values (1, 'pick')",
);
const find = database.prepare('select item from basket where id = ?');
const micros = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const span = trace.getTracer('bench').startSpan('round');
  context.with(trace.setSpan(context.active(), span), () => {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) find.get(1);
    micros.push(((performance.now() - begin) * 1000) / CALLS);
  });
  span.end();
  await globalThis.flushTelemetry?.();
}
// The first rounds warm up.
const warm = micros.slice(ROUNDS / 2).sort((a, b) => a - b);
process.stdout.write(String(warm[Math.floor(warm.length / 2)]), () => process.exit());
