import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useLocation, useSearch } from 'wouter-preact';
import { type AuditEntry, listAuditLog, listMembers, type Project } from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { personName } from '../../state/use-person.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { SettingsFrame } from '../account/settings-frame.tsx';
import { useSites } from '../keys/opens-fields.tsx';
import { ProjectChoice } from '../members/project-choice.tsx';

/** Who changed what in a project. The filters are in the address. */
export default function AuditView() {
  return (
    <SettingsFrame view="audit">
      <ProjectChoice>
        {(project) =>
          project.role === 'viewer' ? <p>{peopleWords.audit.forbidden}</p> : <AuditLog project={project} />
        }
      </ProjectChoice>
    </SettingsFrame>
  );
}

const PAGE = 50;
const RESULTS = ['done', 'failed'] as const;
/** Neither refused nor failed. */
const FINE = new Set(['done', 'dry_run', 'unchanged']);

interface Chosen {
  action: string;
  person: string;
  result: string;
}

function AuditLog({ project }: { project: Project }) {
  const texts = peopleWords.audit;
  const [path, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const chosen: Chosen = {
    action: search.get('action') ?? '',
    person: search.get('person') ?? '',
    result: search.get('result') ?? '',
  };
  const choose = (name: keyof Chosen, value: string): void => {
    const next = new URLSearchParams(search);
    next.set('project', project.id);
    if (value === '') next.delete(name);
    else next.set(name, value);
    navigate(`${path}?${next}`);
  };
  const members = useQuery({
    queryKey: ['members', project.id],
    queryFn: ({ signal }) => listMembers({ projectId: project.id }, signal),
  });
  const people = members.data?.data ?? [];
  const result = RESULTS.find((one) => one === chosen.result);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useInfiniteQuery({
      queryKey: ['audit', project.id, chosen],
      queryFn: ({ pageParam, signal }) =>
        listAuditLog(
          {
            projectId: project.id,
            limit: PAGE,
            ...(chosen.action !== '' && { action: chosen.action }),
            ...(chosen.person !== '' && { userId: chosen.person }),
            ...(result && { result }),
            ...(pageParam !== '' && { cursor: pageParam }),
          },
          signal,
        ),
      initialPageParam: '',
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    });
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <p class="soft spaced">{texts.text}</p>
      <form class="filter-form" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label={texts.action}
          any={texts.anyAction}
          value={chosen.action}
          options={Object.entries(texts.things)}
          choose={(value) => choose('action', value)}
        />
        <Choice
          label={texts.who}
          any={texts.anyone}
          value={chosen.person}
          options={people.map((person) => [person.userId, personName(person)])}
          choose={(value) => choose('person', value)}
        />
        <Choice
          label={texts.result}
          any={texts.anyResult}
          value={chosen.result}
          options={RESULTS.map((one) => [one, texts[one]])}
          choose={(value) => choose('result', value)}
        />
      </form>
      {error && <Failure error={error} retry={refetch} />}
      {data && entries.length === 0 && (
        <div class="card empty">
          <strong>{texts.none}</strong>
          <p>{texts.noneText}</p>
        </div>
      )}
      {entries.length > 0 && (
        <div class={isPlaceholderData ? 'card sheet scrolls dimmed' : 'card sheet scrolls'}>
          <Entries entries={entries} />
        </div>
      )}
      {hasNextPage && (
        <p class="list-end">
          <button type="button" class="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.more}
          </button>
        </p>
      )}
      {data === undefined && !error && <p class="unseen">{words.loading}</p>}
    </>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  choose: (value: string) => void;
}

const Choice = ({ label, any, value, options, choose }: ChoiceProps) => (
  <label class="field">
    <span>{label}</span>
    <select class="input" value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <option value="">{any}</option>
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const texts = peopleWords.audit;
  const sites = useSites().data?.data ?? [];
  const targetOf = (site: string | null): string =>
    site === null ? texts.whole : (sites.find(({ id }) => id === site)?.name ?? texts.gone);
  const whoOf = ({ kind, userId, name, email }: AuditEntry['actor']): string =>
    userId === null ? (texts.kinds[kind] ?? kind) : name || email || texts.former;
  return (
    <table class="list-table stacked">
      <thead>
        <tr>
          {([texts.time, texts.who, texts.action, texts.target, texts.tool, texts.result] as const).map(
            (name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={`${entry.requestId} ${entry.at} ${entry.action} ${entry.site}`}>
            <td class="when">
              <time dateTime={entry.at}>{time(entry.at, 'long-hour', zoneHere())}</time>
            </td>
            <td class="who">
              <span title={entry.actor.email ?? undefined}>{whoOf(entry.actor)}</span>
              {entry.actor.name !== null && entry.actor.email === null && (
                <small class="soft"> {texts.former}</small>
              )}
              {entry.actor.userId !== null && entry.actor.kind !== 'session' && (
                <small class="soft"> {texts.kinds[entry.actor.kind] ?? entry.actor.kind}</small>
              )}
            </td>
            <td class="action">{actionText(entry.action)}</td>
            <td class="target">
              {entry.target === null ? (
                targetOf(entry.site)
              ) : (
                <>
                  {entry.target.name ?? <code>{entry.target.id}</code>}
                  {entry.site !== null && <small class="soft"> {targetOf(entry.site)}</small>}
                </>
              )}
            </td>
            <td class="tool">{entry.tool === null ? '–' : <code>{entry.tool}</code>}</td>
            <td class={FINE.has(entry.result) ? 'result' : 'result wrong'}>
              {texts.results[entry.result] ?? entry.result}
              {entry.calls > 1 && (
                <small class="soft">
                  {' '}
                  {texts.repeated(entry.calls, time(entry.lastAt, 'long-hour', zoneHere()))}
                </small>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `goal.create` as "Goals: make". An action without words stays as it is. */
function actionText(action: string): string {
  const { things, verbs } = peopleWords.audit;
  const [thing = '', verb = ''] = action.split('.');
  const named = Object.hasOwn(things, thing) ? things[thing as keyof typeof things] : undefined;
  return named === undefined || verbs[verb] === undefined ? action : `${named}: ${verbs[verb]}`;
}
