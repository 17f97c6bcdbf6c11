/**
 * The visitor's first-party id, and whether this session continues a visit that was counted without it. The only module
 * that touches storage: at tier 3 only, except that forgetting removes, unread, what may be there.
 * Stored is `<uuid>,<its end, epoch ms>,<last activity of a continued session, epoch ms, or nothing>`.
 */
import { decide } from './policy.ts';
import { uuid } from './uuid.ts';

export let visitor: string | undefined;
export let continued: true | undefined;
/** The visit is counted already, without this id. */
let counted: true | undefined;

export const setCounted = (): void => {
  counted = true;
};

export const forget = (): void => {
  if (visitor) counted = true;
  visitor = continued = undefined;
  try {
    delete localStorage.vendorVisitor;
  } catch {}
};

/** Call at tier 3 only, before each request: finds or makes the id and notes the activity. Without storage no id. */
export const identify = (): unknown => {
  /** 13 months at most (the French regulator's exemption), counted from the making and never prolonged. */
  const LIFETIME_MS = 395 * 864e5;
  const SESSION_MS = 18e5;
  const now = Date.now();
  try {
    let [id, end, active] = (localStorage.vendorVisitor + '').split(',') as [string, number?, number?];
    // Text, which the comparison and the subtraction take for the numbers that it stands for.
    if (!(now < (end as number))) {
      // What this page stored is gone: withdrawn on another page, so it isn't made anew.
      if (visitor && !end) return decide('denied');
      id = uuid();
      end = now + LIFETIME_MS;
      active = 0;
    }
    continued = counted || now - (active as number) < SESSION_MS || undefined;
    counted = undefined;
    localStorage.vendorVisitor = [id, end, continued && now];
    visitor = id;
  } catch {}
};
