import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { exact, milliseconds } from '../../format.ts';
import { Scrolls } from '../../parts/scrolls.tsx';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { CallsCard } from './calls-card.tsx';
import { layersOfAll } from './layers.ts';
import { MapDrawing } from './map-drawing.tsx';

/** Who calls whom in the whole environment. */
export function WholeMap({ environment }: { environment: EnvironmentIds }) {
  const texts = backendWords.services;
  return (
    <CallsCard environment={environment}>
      {(map, calls) => (
        <>
          <Scrolls label={texts.neighbours}>
            <MapDrawing map={map} {...layersOfAll(calls)} name={texts.neighbours} />
          </Scrolls>
          <NumbersDetails
            times={[texts.caller, texts.callee]}
            names={[texts.calls, texts.errors, texts.mean, 'p95']}
            rows={() =>
              calls.map(({ caller, callee, calls: count, errors, meanMs, p95Ms }) => ({
                key: `${caller} ${callee}`,
                times: [caller, callee],
                numbers: [exact(count), exact(errors), milliseconds(meanMs), milliseconds(p95Ms)],
              }))
            }
          />
        </>
      )}
    </CallsCard>
  );
}
