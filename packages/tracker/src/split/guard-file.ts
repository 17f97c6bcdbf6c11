/** The file `guard.js`. */
import type { Core, Debug, Part } from '../part-types.ts';
import { createSend } from '../parts/guard.ts';
import { connect, dataset, fileOf } from './core-handover.ts';

/** From the folder of this file. If it never loads, the page is counted, and nothing is written to the console. */
const loadDebug = async (core: Core): Promise<Debug | undefined> => {
  try {
    const part: { default: Part } = await import(fileOf('debug'));
    return part.default(...core) as Debug;
  } catch {
    return undefined;
  }
};

export default (async (...core) => {
  connect(core);
  return createSend('debug' in dataset ? await loadDebug(core) : undefined);
}) satisfies Part;
