/** Replaces `../load-parts.ts` in the package, whose parts are chunks of the bundle. */
import { started, tier } from '../delivery.ts';
import { own } from '../own.ts';
import type { SeeClick, SeeMoment, Send } from '../part-types.ts';
import { dataset } from './settings.ts';

/** Keeps clicks until their part is loaded, with the arguments that the part gets. */
const held: Parameters<SeeClick>[] = [];
let seeClick: SeeClick = (...click) => held[99] || held.push(click);
const asked = new Set<string>();

export const signals: { see?: SeeMoment; [text: string]: unknown } = {};

const load = async (name: string, put: () => Promise<void>): Promise<void> => {
  if (asked.has(name)) return;
  asked.add(name);
  await put().catch(() => {});
};

/** Whether clicks are recorded now. If so, it starts to load the part that handles them. */
export const watched = (): unknown =>
  started &&
  tier !== 0 &&
  ('outbound' in dataset ||
    'downloads' in dataset ||
    'forms' in dataset ||
    own('querySelector').call(document, '[data-vendor-event]')) &&
  load('links', async () => {
    ({ seeClick } = await import('../parts/links.ts'));
    for (const click of held.splice(0)) seeClick(...click);
  });

export const clicked = (event: Event): void => {
  if (watched()) seeClick(event, event.composedPath());
};

const loadGuard = async (): Promise<Send> => {
  const [{ createSend }, debug] = await Promise.all([
    import('../parts/guard.ts'),
    'debug' in dataset ? import('../parts/debug.ts') : undefined,
  ]);
  return createSend(debug?.createDebug());
};

/** Takes the place of `fetch` where a setting asks for it. */
export const send: Send | Promise<Send> = /c|ug|S|op/.test(Object.keys(dataset).join()) ? loadGuard() : fetch;

export const measure = (): unknown =>
  load('measure', async () => {
    const part = await import('../parts/measure.ts');
    signals.see = part.seeMoment;
    part.measureScroll();
    part.seeMoment();
    if ('origins' in dataset) (await import('../parts/association.ts')).watchRequests();
  });
