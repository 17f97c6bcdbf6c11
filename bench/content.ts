/** The content service: what its calls cost beyond the protocol's own, its search at size, and its Worker's weight and start. */
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
