import type { Cursors } from '../cursor.ts';
import type { GuideSource } from './guide-source.ts';
import type { LoadedCatalogue } from './load-catalogue.ts';

/** The context of the content verbs. They are public, so it has no actor. */
export interface ContentContext {
  catalogue: LoadedCatalogue;
  guides: GuideSource;
  cursors: Cursors;
  /** Receives faults for the log that the answer only mentions. */
  report: (fault: unknown) => void;
}
