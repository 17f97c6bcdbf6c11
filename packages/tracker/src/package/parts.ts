/** Takes the place of `../parts.ts` in the package: the parts are chunks of the bundle. */
import { enqueue } from '../delivery.ts';
import { page } from '../pages.ts';
import { tier } from '../policy.ts';
import { type Part, signals } from '../signals.ts';
import { track } from '../track.ts';
import { dataset } from './settings.ts';

const PARTS: Record<'links' | 'measure', () => Promise<{ default: Part }>> = {
  links: () => import('../parts/links.ts'),
  measure: () => import('../parts/measure.ts'),
};
const asked = new Set<keyof typeof PARTS>();

export const load = async (name: keyof typeof PARTS): Promise<void> => {
  if (asked.has(name)) return;
  asked.add(name);
  try {
    const part = await PARTS[name]();
    part.default(signals, dataset, track, enqueue, () => tier === 3 && page);
  } catch {}
};

/** Whether clicks are of interest, now. If so, what knows them is on its way. */
export const watched = (): unknown =>
  tier !== 0 &&
  ('outbound' in dataset ||
    'downloads' in dataset ||
    'forms' in dataset ||
    document.querySelector('[data-vendor-event]')) &&
  load('links');
