import type { Cursors } from '../cursor.ts';
import type { GuideSource } from './guide-source.ts';
import type { LoadedCatalogue } from './load-catalogue.ts';

/** What the content verbs use. Everybody may ask: there is no actor. */
export interface ContentContext {
  catalogue: LoadedCatalogue;
  guides: GuideSource;
  cursors: Cursors;
  /** Takes faults that an answer only hints at, for the log. */
  report: (fault: unknown) => void;
}
