import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import {
  type Environment,
  listEnvironments,
  listServices,
  type Project,
  summarizeService,
} from '../../api/operations.generated.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { exact } from '../../format.ts';
import { viewHref } from '../../state/telemetry-query.ts';
import { useFiring } from '../../state/use-firing.ts';
import { useProjects } from '../../state/use-may-change.ts';
import { backendWords } from '../../words/backend.ts';
import { sparklineInterval } from '../services/intervals.ts';
import { ErrorRate } from '../services/performance.tsx';
import { Change } from '../site/change.tsx';
import { FiringBadge } from './firing-badge.tsx';

const DAY_MS = 86_400_000;
/** The days of the periods that telemetry is summed up for. */
const DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 30 } as const;
/** The line is the sum of as many services: those with the most entries. */
const MOST_DRAWN = 3;
const MOST_COUNTED = 100;

interface BackendsProps {
  period: keyof typeof DAYS;
  search: string;
}

/** The environments of all projects that something came to, beside the sites. */
export default function Backends({ period, search }: BackendsProps) {
  const { data: projects } = useProjects();
  const { data } = useQuery({
    queryKey: ['backends', projects?.data.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        (projects?.data ?? []).map(async (project) => {
          const { data: environments } = await listEnvironments({ projectId: project.id }, signal);
          return environments.map((environment) => ({ project, environment }));
        }),
      );
      return lists.flat();
    },
    enabled: projects !== undefined,
  });
  const found = (data ?? []).filter(({ project, environment }) =>
    `${project.name} ${environment.name}`.toLowerCase().includes(search.toLowerCase()),
  );
  if (found.length === 0) return null;
  return (
    <section class="backends" aria-label={backendWords.projects.title}>
      <h2>{backendWords.projects.title}</h2>
      <div class="site-cards">
        {found.map((one) => (
          <BackendCard key={one.environment.id} {...one} period={period} />
        ))}
      </div>
    </section>
  );
}

interface BackendCardProps {
  project: Project;
  environment: Environment;
  period: keyof typeof DAYS;
}

function BackendCard({ project, environment, period }: BackendCardProps) {
  const ids = { projectId: project.id, environmentId: environment.id };
  const days = DAYS[period];
  const telemetryPeriod = days === 1 ? '24h' : (`${days}d` as const);
  const firing = useFiring().data?.data.filter(
    (alert) => alert.kind === 'environment' && alert.environmentId === environment.id,
  );
  const { data } = useQuery({
    queryKey: ['backend', ids, telemetryPeriod],
    queryFn: ({ signal }) => readBackend(ids, days, signal),
  });
  return (
    <article class="card site-card">
      <div class="line">
        <h3>
          <Link href={viewHref(ids, data?.now ? 'services' : 'connection', { period: telemetryPeriod })}>
            {environment.name}
          </Link>
        </h3>
        <FiringBadge count={firing?.length ?? 0} href={viewHref(ids, 'alerts')} />
      </div>
      <p class="soft">{project.name}</p>
      {data?.now === undefined ? (
        <p class="soft">{data && backendWords.empty.nothing}</p>
      ) : (
        <>
          <Sparkline values={data.line} unfinished />
          <p class="line">
            <span>{backendWords.services.entryCount(data.now.entries, exact(data.now.entries))}</span>
            {data.before !== undefined && <Change now={data.now.entries} before={data.before.entries} />}
          </p>
          <p class="line soft">
            {backendWords.services.errors} <ErrorRate {...data.now} />
          </p>
        </>
      )}
    </article>
  );
}

interface Sums {
  entries: number;
  errors: number;
}

/** How many entries all services had in the last days, how many before that, and how they went. Undefined: nothing was observed. */
async function readBackend(
  ids: { projectId: string; environmentId: string },
  days: number,
  signal: AbortSignal,
): Promise<{ now?: Sums; before?: Sums; line: readonly (number | null)[] }> {
  const period = days === 1 ? '24h' : days === 7 ? '7d' : '30d';
  const now = await listServices({ ...ids, period, limit: MOST_COUNTED }, signal);
  if (now.data.length === 0) return { line: [] };
  const from = Date.parse(now.meta.range.from);
  const earlier = new Date(from - days * DAY_MS).toISOString();
  const busiest = now.data.toSorted((a, b) => b.entries - a.entries).slice(0, MOST_DRAWN);
  const [before, ...drawn] = await Promise.all([
    now.meta.coverage.since > earlier
      ? undefined
      : listServices({ ...ids, from: earlier, to: now.meta.range.from, limit: MOST_COUNTED }, signal),
    ...busiest.map(({ name: service }) =>
      summarizeService(
        { ...ids, period, service, interval: sparklineInterval(days * DAY_MS), limit: 1 },
        signal,
      ),
    ),
  ]);
  const lines = drawn.map(({ data }) => data?.intervals?.map(({ entries }) => entries) ?? []);
  return {
    now: sumOf(now.data),
    ...(before && { before: sumOf(before.data) }),
    line: (lines[0] ?? []).map((_, index) => lines.reduce((sum, line) => sum + (line[index] ?? 0), 0)),
  };
}

const sumOf = (services: readonly Sums[]): Sums => ({
  entries: services.reduce((sum, { entries }) => sum + entries, 0),
  errors: services.reduce((sum, { errors }) => sum + errors, 0),
});
