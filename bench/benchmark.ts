import type { BenchOptions } from './bench-options.ts';

/** One entry of `npm run bench`. */
export interface Benchmark {
  name: string;
  /** What it measures, in half a line. */
  summary: string;
  /** It needs neither database nor Redis, and says nothing of the machine. */
  calculates?: true;
  /** Prints its table. Leaves nothing behind, also when it throws. */
  run(options: BenchOptions): Promise<void>;
}
