import type { Overview, ReportMeta } from '../../api/operations.generated.ts';
import { exact, percent } from '../../format.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from './coverage-note.tsx';

interface TierBandProps {
  overview: Overview;
  meta: ReportMeta;
  snippet: string | undefined;
}

/** Which share of the visits was counted how, and what was refused. */
export function TierBand({ overview: { tiers, visits, pageviews }, meta, snippet }: TierBandProps) {
  const told = words.tiers;
  const { observed, dropped } = meta.coverage;
  const of = tiers && (visits > 0 ? tiers.visits : tiers.pageviews);
  const parts = of && [
    { tier: 1, name: told.counts, count: of.anonymousCounts },
    { tier: 2, name: told.sessions, count: of.anonymousSessions },
    { tier: 3, name: told.consented, count: of.consented },
  ];
  const sum = parts?.reduce((total, { count }) => total + count, 0) ?? 0;
  const refused = Object.entries(dropped).filter(([, count]) => count > 0) as [
    keyof typeof told.reasons,
    number,
  ][];
  if (!observed)
    return (
      <div class="tier-band">
        <CoverageNote meta={meta} snippet={snippet} />
      </div>
    );
  return (
    <div class="tier-band">
      {parts && sum > 0 && (
        <>
          <div class="band" aria-hidden="true">
            {parts
              .filter(({ count }) => count > 0)
              .map(({ tier, count }) => (
                <span key={tier} class={`tier-${tier}`} style={{ flexGrow: count }} />
              ))}
          </div>
          <ul aria-label={told.label}>
            {parts.map(({ tier, name, count }) => (
              <li key={tier} class={`tier-${tier}`}>
                {told.of(name, exact(count), percent((100 * count) / sum, 0))}
              </li>
            ))}
          </ul>
        </>
      )}
      {pageviews === 0 && <p class="soft">{words.empty.filtered}</p>}
      <details>
        <summary class="soft">{told.why}</summary>
        <p>{told.reasonsText}</p>
        <dl>
          {refused.map(([reason, count]) => (
            <div key={reason}>
              <dt class="soft">
                {told.refused}: {told.reasons[reason]}
              </dt>
              <dd>{exact(count)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
