import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { mapServices, type ServiceMap } from '../../api/operations.generated.ts';
import { useWidth } from '../../charts/use-width.ts';
import { compact, exact, milliseconds } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { askedOf, type Place, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { layersAround } from './layers.ts';
import { ErrorRate } from './performance.tsx';

const NODE_HEIGHT = 44;
const GAP = 20;
const MOST_STROKE = 6;
const MOST_CHARS = 18;

/** Who calls a service and whom it calls: as a drawing, and as a table with the same numbers. */
export function Neighbourhood({ place, service }: { place: Place; service: string }) {
  const { fields, hrefWith } = useFields();
  const asked = askedOf(place, fields);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['service-map', asked],
    queryFn: ({ signal }) => mapServices(asked, signal),
    placeholderData: keepPreviousData,
  });
  const told = backendWords.services;
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return null;
  const { edges } = data.data;
  const near = edges.filter(({ caller, callee }) => caller === service || callee === service);
  return (
    <section class={isPlaceholderData ? 'card part dimmed' : 'card part'}>
      <h2>{told.neighbours}</h2>
      {near.length === 0 ? (
        <p class="soft">{told.noNeighbours}</p>
      ) : (
        <>
          <Drawing map={data.data} service={service} />
          <Scrolls label={told.calls}>
            <table class="list-table performance">
              <thead>
                <tr>
                  <th>{told.caller}</th>
                  <th>{told.callee}</th>
                  <th class="number">{told.calls}</th>
                  <th class="number">{told.errors}</th>
                  <th class="number">{told.mean}</th>
                  <th class="number">p95</th>
                </tr>
              </thead>
              <tbody>
                {near.map(({ caller, callee, calls, errors, meanMs, p95Ms }) => (
                  <tr key={`${caller} ${callee}`}>
                    {[caller, callee].map((name, index) => (
                      <td key={index}>
                        {name === service ? name : <Link href={hrefWith({ service: name })}>{name}</Link>}
                      </td>
                    ))}
                    <td class="number">{exact(calls)}</td>
                    <td class="number">
                      <ErrorRate errors={errors} entries={calls} />
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
      {data.meta.notes?.map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
    </section>
  );
}

/** Layers from left to right, the service in the middle. On a narrow page the table says the same. */
function Drawing({ map, service }: { map: ServiceMap; service: string }) {
  const { hrefWith } = useFields();
  const { ref, width } = useWidth<HTMLElement>(900);
  const { layers, edges, leftOut } = useMemo(() => layersAround(service, map.edges), [map, service]);
  const told = backendWords.services;
  const rows = Math.max(...layers.map((layer) => layer.length));
  const height = rows * (NODE_HEIGHT + GAP) + GAP;
  const column = width / layers.length;
  const nodeWidth = Math.min(180, column * 0.66);
  const most = Math.max(...edges.map(({ calls }) => calls));
  const places = new Map(
    layers.flatMap((layer, at) =>
      layer.map((name, row) => {
        const x = column * (at + 0.5);
        const y = (height * (row + 0.5)) / layer.length;
        return [name, { x, y, at }] as const;
      }),
    ),
  );
  return (
    <figure ref={ref} class="service-map" aria-label={told.map(service)}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure around it has its name */}
      <svg height={height}>
        {edges.map(({ caller, callee, calls, errors }) => {
          const from = places.get(caller);
          const to = places.get(callee);
          if (from === undefined || to === undefined) return null;
          const isBack = to.at <= from.at;
          const [x1, x2] = [from.x + nodeWidth / 2, to.x + (isBack ? nodeWidth / 2 : -nodeWidth / 2)];
          const bend = isBack ? column * 0.3 : Math.max(20, (x2 - x1) / 2);
          const middle = isBack ? Math.max(x1, x2) + bend * 0.75 : (x1 + x2) / 2;
          return (
            <g key={`${caller} ${callee}`} class={errors > 0 ? 'edge wrong' : 'edge'}>
              <path
                d={`M${x1},${from.y}C${x1 + bend},${from.y} ${isBack ? x2 + bend : x2 - bend},${to.y} ${x2},${to.y}`}
                stroke-width={1 + (MOST_STROKE * calls) / most}
              />
              <text x={middle} y={(from.y + to.y) / 2 - 8} text-anchor="middle">
                {compact(calls)}
              </text>
            </g>
          );
        })}
        {[...places].map(([name, { x, y }]) => {
          const node = map.nodes.find((one) => one.service === name);
          return (
            <Link
              key={name}
              href={hrefWith({ service: name })}
              aria-current={name === service ? 'true' : undefined}
            >
              <g class={name === service ? 'node chosen' : 'node'}>
                <title>{name}</title>
                <rect
                  x={x - nodeWidth / 2}
                  y={y - NODE_HEIGHT / 2}
                  width={nodeWidth}
                  height={NODE_HEIGHT}
                  rx={8}
                />
                <text x={x} y={y - 2} text-anchor="middle">
                  {name.length > MOST_CHARS ? `${name.slice(0, MOST_CHARS - 1)}…` : name}
                </text>
                <text x={x} y={y + 14} text-anchor="middle" class="soft">
                  {node?.entries == null ? '' : told.entryCount(node.entries, compact(node.entries))}
                </text>
              </g>
            </Link>
          );
        })}
      </svg>
      {leftOut > 0 && <p class="soft">{told.leftOut(leftOut, exact(leftOut))}</p>}
    </figure>
  );
}
