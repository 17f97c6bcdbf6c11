import { exact } from '../format.ts';
import { backendWords } from '../words/backend.ts';

interface LossProps {
  /** How many attributes, events or links are missing. */
  dropped: number;
  /** How many attributes were cut. */
  cut?: number;
  /** Whether the body of the log record was cut. */
  bodyCut?: boolean;
}

/** What of a span or a log record was not kept. Nothing if all of it was. */
export function Loss({ dropped, cut = 0, bodyCut = false }: LossProps) {
  const texts = backendWords.trace;
  return (
    <>
      {bodyCut && <p class="soft">{texts.bodyCut}</p>}
      {dropped > 0 && <p class="soft">{texts.dropped(dropped, exact(dropped))}</p>}
      {cut > 0 && <p class="soft">{texts.cut(cut, exact(cut))}</p>}
    </>
  );
}
