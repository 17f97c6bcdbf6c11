/** Replaces `../parts/vitals.ts` in the script that includes most parts: the browser keeps entries for who asks later. */
import { load } from '../part-file.ts';

/** Set when the part is asked for. */
export let vitals: Promise<void> | undefined;
/** Of the part, if it has come: sends the vitals. At once, since the page may be about to go. */
let send: (() => void) | undefined;

export const beginVitals = (): void => {
  vitals = load('vitals').then((end) => {
    send = end as typeof send;
  });
};

export const endVitals = (): unknown => send?.();
