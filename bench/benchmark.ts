import type { BenchOptions } from './options.ts';

/** One entry of `npm run bench`. */
export interface Benchmark {
  name: string;
  /** What it measures, in half a line. */
  summary: string;
  /** Prints its table. Leaves nothing behind, also when it throws. */
  run(options: BenchOptions): Promise<void>;
}
