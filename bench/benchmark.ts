import type { BenchOptions } from './bench-options.ts';

/** One entry of `npm run bench`. */
export interface Benchmark {
  name: string;
  /** What it measures, in half a line. */
  summary: string;
  /** True if it needs neither database nor Redis and doesn't depend on the machine. */
  calculates?: true;
  /** True if it runs only when it is named: it keeps what it makes, or needs what another one made. */
  onlyNamed?: true;
  /** Prints its table. Unless it is `onlyNamed`, it removes everything that it created, also when it throws. */
  run(options: BenchOptions): Promise<void>;
}
