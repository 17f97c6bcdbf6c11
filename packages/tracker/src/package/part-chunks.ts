/** Replaces `../part-file.ts` in the package, whose parts are chunks of the bundle. */
import type { Core, Send, Signals } from '../part-types.ts';
import { dataset } from './settings.ts';

let signals: Signals;

export const setCore = (...core: Core): void => {
  signals = core[4];
};

const PARTS: Record<string, () => Promise<unknown>> = {
  links: async () => (await import('../parts/links.ts')).seeClick,
  measure: async () => {
    const part = await import('../parts/measure.ts');
    signals.see = part.seeMoment;
    part.measureScroll();
    part.seeMoment();
    if ('origins' in dataset) (await import('../parts/association.ts')).watchRequests();
  },
  guard: async (): Promise<Send> => {
    const [{ createSend }, debug] = await Promise.all([
      import('../parts/guard.ts'),
      'debug' in dataset ? import('../parts/debug.ts') : undefined,
    ]);
    return createSend(debug?.createDebug());
  },
};

const loading: Record<string, Promise<unknown> | undefined> = {};

export const load = (name: string): Promise<unknown> | undefined =>
  (loading[name] ??= PARTS[name]?.().catch(() => {}));
