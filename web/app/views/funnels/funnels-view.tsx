import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { deleteFunnel, type Funnel, type Site } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { exact, percent } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { useMayChange } from '../../state/use-may-change.ts';
import { useParameter } from '../../state/use-parameter.ts';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { Reasons } from '../goals/reasons.tsx';
import { targetName } from '../goals/target-fields.tsx';
import { CoverageNote } from '../site/coverage-note.tsx';
import { FilterChips } from '../site/filter-chips.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { ReportControls, type ReportedSite, useAsked } from '../site/site-view.tsx';
import { FunnelDialog } from './funnel-dialog.tsx';

/** The ways to a goal in steps, and where visits leave them. */
export default function FunnelsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="funnels" controls={({ timezone }) => <ReportControls zone={timezone} />}>
      {(site) => <MemberFunnels site={site} />}
    </SiteFrame>
  );
}

const MemberFunnels = ({ site }: { site: Site }) => (
  <Funnels site={site} mayChange={useMayChange(site.projectId)} />
);

/** Of a member's site, or of a share. */
export function Funnels({ site, mayChange = false }: { site: ReportedSite; mayChange?: boolean }) {
  const texts = behaviourWords.funnels;
  const reader = useReader();
  const [chosen, choose] = useParameter('funnel');
  const [open, setOpen] = useState<'new' | 'change' | 'delete' | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['funnels', site.id, 'list'],
    queryFn: ({ signal }) => reader.funnels(signal),
  });
  const close = () => setOpen(undefined);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  const funnels = data.data;
  const funnel = funnels.find(({ id }) => id === chosen) ?? funnels[0];
  const add = mayChange && (
    <button type="button" class="button main" onClick={() => setOpen('new')}>
      <Icon name="plus" />
      {texts.add}
    </button>
  );
  return (
    <>
      <FilterChips />
      {funnel === undefined ? (
        <div class="card empty">
          <strong>{texts.none}</strong>
          <p>{texts.noneText}</p>
          {add}
        </div>
      ) : (
        <section class="card section">
          <header class="between">
            <TabList
              label={texts.choose}
              names={funnels.map(({ id }) => id)}
              chosen={funnel.id}
              textOf={(id) => funnels.find((one) => one.id === id)?.name ?? ''}
              onChoose={(index) => choose(funnels[index]?.id ?? funnel.id)}
            />
            {mayChange && (
              <div class="buttons">
                <button type="button" class="button plain" onClick={() => setOpen('change')}>
                  <Icon name="edit" />
                  <span class="unseen">{words.forms.change(funnel.name)}</span>
                </button>
                <button type="button" class="button plain" onClick={() => setOpen('delete')}>
                  <Icon name="delete" />
                  <span class="unseen">{words.forms.delete(funnel.name)}</span>
                </button>
              </div>
            )}
          </header>
          <Report key={funnel.id} site={site} funnel={funnel} />
          {add && <p class="buttons">{add}</p>}
        </section>
      )}
      {open === 'new' && (
        <FunnelDialog
          siteId={site.id}
          onDone={({ id }) => {
            close();
            choose(id);
          }}
          onClose={close}
        />
      )}
      {open === 'change' && funnel && (
        <FunnelDialog siteId={site.id} funnel={funnel} onDone={close} onClose={close} />
      )}
      {open === 'delete' && funnel && (
        <ConfirmDialog
          title={texts.delete}
          submit={words.forms.deleteIt}
          act={() => deleteFunnel({ siteId: site.id, funnelId: funnel.id })}
          changes={[['funnels', site.id]]}
          onClose={close}
        >
          <p>{texts.deleteText(funnel.name)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Report({ site, funnel }: { site: ReportedSite; funnel: Funnel }) {
  const texts = behaviourWords.funnels;
  const reader = useReader();
  const asked = useAsked(site);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['funnels', site.id, funnel.id, asked],
    queryFn: ({ signal }) => reader.funnel(funnel.id, asked, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  if (!data.meta.coverage.observed) return <CoverageNote meta={data.meta} snippet={site.snippet} />;
  return (
    <div role="tabpanel" aria-label={funnel.name} class={isPlaceholderData ? 'form dimmed' : 'form'}>
      <ol class="funnel">
        {data.data.steps.map((step, index) => (
          <li key={index}>
            <div class="between">
              <span>
                <span class="soft">{texts.step(index + 1)}</span> {targetName(step)}
              </span>
              <span class="number">
                <strong>{exact(step.visits)}</strong> <span class="soft">{percent(step.share)}</span>
              </span>
            </div>
            <div class="track" aria-hidden="true">
              <div style={{ width: `${step.share}%` }} />
            </div>
            {index > 0 && <p class="soft small">{texts.dropOff(percent(step.dropOff))}</p>}
          </li>
        ))}
      </ol>
      <p class="soft small">{texts.tier}</p>
      <Reasons meta={data.meta} />
    </div>
  );
}
