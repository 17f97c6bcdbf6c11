/**
 * The content service: what its calls cost beyond the protocol, its search on much content, and the size and start-up time of its
 * Worker.
 */
import type { Benchmark } from './benchmark.ts';
import { measureCalls } from './content/measure-calls.ts';
import { measureSearch } from './content/measure-search.ts';
import { measureStartUp } from './content/measure-start-up.ts';

export const content: Benchmark = {
  name: 'content',
  summary:
    'calls of its tools beside an empty tool, a search over 5,000 items, the Worker’s weight and start',
  run: async (options) => {
    await measureSearch();
    await measureStartUp();
    await measureCalls(options);
  },
};
