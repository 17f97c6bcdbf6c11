import type { BenchOptions } from './bench-options.ts';

/** One entry of `npm run bench`. */
export interface Benchmark {
  name: string;
  /** What it measures, in half a line. */
  summary: string;
  /** True if it needs neither database nor Redis and doesn't depend on the machine. */
  calculates?: true;
  /** Prints its table. Removes everything that it created, also when it throws. */
  run(options: BenchOptions): Promise<void>;
}
