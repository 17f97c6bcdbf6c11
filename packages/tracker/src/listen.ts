import { own } from './own.ts';
import { safe } from './safe.ts';

/** Listens to events of the window; types are separated by commas. `early`: before the page can stop them. */
export const listen = safe(<T extends Event>(types: string, hear: (event: T) => unknown, early?: true) => {
  for (const type of types.split(','))
    own('addEventListener').call(self, type, safe(hear) as (event: Event) => unknown, early);
});
