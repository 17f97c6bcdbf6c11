import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { deleteGoal, type GoalItem, type Site } from '../../api/operations.generated.ts';
import { columnPercent, exact } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { withFilter } from '../../state/site-query.ts';
import { useMayChange } from '../../state/use-may-change.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { goalWords } from '../../words/goals.ts';
import { words } from '../../words/index.ts';
import { Compared, observedIn } from '../site/change.tsx';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { Revenue } from '../site/revenue.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { OverviewControls, useAsked } from '../site/site-view.tsx';
import { useGoals } from '../site/use-goals.ts';
import { GoalDialog } from './goal-dialog.tsx';
import { shownGoal } from './shown-goal.ts';
import { targetName } from './target-fields.tsx';

/** What visits should lead to, and how many got there. */
export default function GoalsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="goals" controls={({ timezone }) => <OverviewControls zone={timezone} />}>
      {(site) => <Goals site={site} />}
    </SiteFrame>
  );
}

const has = (text: string, search: string): boolean =>
  text.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());

/** What is open over the table. */
type Open = 'new' | { changed: GoalItem } | { deleted: GoalItem };

function Goals({ site }: { site: Site }) {
  const texts = goalWords.goals;
  const mayChange = useMayChange(site.projectId);
  const [open, setOpen] = useState<Open | undefined>();
  const [search, setSearch] = useState('');
  const { data, error, refetch, isPlaceholderData } = useGoals(useAsked(site));
  const close = () => setOpen(undefined);
  if (error) return <Failure error={error} retry={refetch} />;
  const add = mayChange && (
    <button type="button" class="button main" onClick={() => setOpen('new')}>
      <Icon name="plus" />
      {texts.add}
    </button>
  );
  return (
    <>
      <FilterChips />
      {data === undefined && <p class="unseen">{words.loading}</p>}
      {data?.data.length === 0 && (
        <div class="card empty">
          <strong>{words.goalsPanel.none}</strong>
          <p>{words.goalsPanel.noneText}</p>
          {add}
        </div>
      )}
      {data && data.data.length > 0 && (
        <section class={isPlaceholderData ? 'card sheet dimmed' : 'card sheet'}>
          <CoverageNote meta={data.meta} snippet={site.snippet} />
          <SearchField value={search} onSearch={setSearch} />
          <Table
            goals={data.data.filter((goal) => has(`${goal.name} ${targetName(goal)}`, search))}
            isObserved={data.meta.coverage.observed}
            isCompared={observedIn(data.meta) !== undefined}
            site={site}
            onOpen={mayChange ? setOpen : undefined}
          />
          {add && <footer>{add}</footer>}
        </section>
      )}
      {open === 'new' && <GoalDialog siteId={site.id} onClose={close} />}
      {typeof open === 'object' && 'changed' in open && (
        <GoalDialog siteId={site.id} goal={open.changed} onClose={close} />
      )}
      {typeof open === 'object' && 'deleted' in open && (
        <ConfirmDialog
          title={texts.delete}
          submit={words.forms.deleteIt}
          act={() => deleteGoal({ siteId: site.id, goalId: open.deleted.id })}
          changes={[['goals', site.id]]}
          onClose={close}
        >
          <p>{texts.deleteText(open.deleted.name)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface TableProps {
  goals: readonly GoalItem[];
  isObserved: boolean;
  isCompared: boolean;
  site: Site;
  /** Undefined for those who may only look. */
  onOpen: ((open: Open) => void) | undefined;
}

function Table({ goals, isObserved, isCompared, site, onOpen }: TableProps) {
  const texts = goalWords.goals;
  const { query, searchOf } = useSiteQuery();
  const cell = (now: number | null, before: number | null | undefined, show = exact) => (
    <td class="number">
      {isObserved && now !== null ? (
        <Compared now={now} before={isCompared ? (before ?? null) : undefined} show={show} />
      ) : (
        '–'
      )}
    </td>
  );
  const rows = goals
    .map((goal) => ({ goal, now: shownGoal(goal), before: goal.previous ? shownGoal(goal.previous) : null }))
    .sort((a, b) => b.now.conversions - a.now.conversions);
  const visitsWith = (name: string): string =>
    `/sites/${site.id}${searchOf(withFilter(query, { dimension: 'goal', operator: 'is', values: [name] }))}`;
  return (
    <Scrolls label={words.goalsPanel.title}>
      <table class="list-table">
        <thead>
          <tr>
            <th>{words.goalsPanel.title}</th>
            <th class="number">{texts.conversions}</th>
            <th class="number">{texts.rate}</th>
            <th class="number">{texts.times}</th>
            <th class="number">{texts.revenue}</th>
            {onOpen && (
              <th>
                <span class="unseen">{words.forms.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ goal, now, before }) => (
            <tr key={goal.id}>
              <td class="with-lines">
                <Link href={visitsWith(goal.name)}>{goal.name}</Link>
                <div class="soft small">{targetName(goal)}</div>
                {now.lines.map((line) => (
                  <div key={line} class="soft small">
                    {line}
                  </div>
                ))}
              </td>
              {cell(now.conversions, before?.conversions)}
              {cell(now.conversionRate, before?.conversionRate, columnPercent)}
              {cell(goal.events, goal.previous?.events)}
              <td class="number">
                <Revenue sums={goal.revenue} />
              </td>
              {onOpen && (
                <td class="actions">
                  <button type="button" class="button plain" onClick={() => onOpen({ changed: goal })}>
                    <Icon name="edit" />
                    <span class="unseen">{words.forms.change(goal.name)}</span>
                  </button>
                  <button type="button" class="button plain" onClick={() => onOpen({ deleted: goal })}>
                    <Icon name="delete" />
                    <span class="unseen">{words.forms.delete(goal.name)}</span>
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {goals.length === 0 && (
        <p class="empty" role="status">
          {words.list.notFound}
        </p>
      )}
    </Scrolls>
  );
}
