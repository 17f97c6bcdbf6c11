import { Link } from 'wouter-preact';
import { exact, milliseconds } from '../../format.ts';
import { Scrolls } from '../../parts/scrolls.tsx';
import { type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { CallsCard } from './calls-card.tsx';
import { layersAround } from './layers.ts';
import { MapDrawing } from './map-drawing.tsx';
import { ErrorRate } from './performance.tsx';

/** Who calls a service and whom it calls: as a drawing, and as a table with the same numbers. */
export function Neighbourhood({ environment, service }: { environment: EnvironmentIds; service: string }) {
  const { hrefWith } = useFields();
  const texts = backendWords.services;
  return (
    <CallsCard environment={environment} service={service}>
      {(map, calls) => (
        <>
          <MapDrawing
            map={map}
            {...layersAround(service, map.edges)}
            chosen={service}
            name={texts.map(service)}
          />
          <Scrolls label={texts.calls}>
            <table class="list-table performance">
              <thead>
                <tr>
                  <th>{texts.caller}</th>
                  <th>{texts.callee}</th>
                  <th class="number">{texts.calls}</th>
                  <th class="number">{texts.errors}</th>
                  <th class="number">{texts.mean}</th>
                  <th class="number">p95</th>
                </tr>
              </thead>
              <tbody>
                {calls.map(({ caller, callee, calls: count, errors, meanMs, p95Ms }) => (
                  <tr key={`${caller} ${callee}`}>
                    {[caller, callee].map((name, index) => (
                      <td key={index}>
                        {name === service ? name : <Link href={hrefWith({ service: name })}>{name}</Link>}
                      </td>
                    ))}
                    <td class="number">{exact(count)}</td>
                    <td class="number">
                      <ErrorRate errors={errors} entries={count} />
                    </td>
                    <td class="number">{milliseconds(meanMs)}</td>
                    <td class="number">{milliseconds(p95Ms)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
        </>
      )}
    </CallsCard>
  );
}
