import { own } from './own.ts';

/** Listens to events of the window; types are separated by commas. `early`: before the page can stop them. */
export const listen = <T extends Event>(types: string, hear: (event: T) => unknown, early?: true): unknown =>
  types
    .split(',')
    .map((type) => own('addEventListener').call(self, type, hear as (event: Event) => unknown, early));
