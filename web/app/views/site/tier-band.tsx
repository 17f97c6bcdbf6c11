import type { Overview, ReportMeta } from '../../api/operations.generated.ts';
import { exact, percent } from '../../format.ts';
import { words } from '../../words/index.ts';
import { CoverageNote } from './coverage-note.tsx';
import { leastVisitors } from './visitor-range.ts';
import { wholeShares } from './whole-shares.ts';

interface TierBandProps {
  overview: Overview;
  meta: ReportMeta;
  snippet: string | undefined;
}

/** Which share of the visits was counted how, and what was refused. */
export function TierBand({ overview, meta, snippet }: TierBandProps) {
  const { tiers, visitors, visits, pageviews } = overview;
  const texts = words.tiers;
  const least = leastVisitors(overview, meta);
  const { observed, dropped } = meta.coverage;
  const of = tiers && (visits > 0 ? tiers.visits : tiers.pageviews);
  const parts = of && [
    { tier: 1, name: texts.counts, count: of.anonymousCounts },
    { tier: 2, name: texts.sessions, count: of.anonymousSessions },
    { tier: 3, name: texts.consented, count: of.consented },
  ];
  const sum = parts?.reduce((total, { count }) => total + count, 0) ?? 0;
  const shares = wholeShares(parts?.map(({ count }) => count) ?? []);
  const refused = Object.entries(dropped).filter(([, count]) => count > 0) as [
    keyof typeof texts.reasons,
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
          <ul aria-label={texts.label}>
            {parts.map(({ tier, name, count }) => (
              <li key={tier} class={`tier-${tier}`}>
                {texts.of(name, exact(count), percent(shares[tier - 1] ?? 0, 0))}
              </li>
            ))}
          </ul>
        </>
      )}
      {pageviews === 0 && <p class="soft">{words.empty.filtered}</p>}
      <details>
        <summary class="soft">{texts.why}</summary>
        <p>{texts.reasonsText}</p>
        {least !== undefined && <p>{texts.range(exact(least), exact(visitors))}</p>}
        <dl>
          {refused.map(([reason, count]) => (
            <div key={reason}>
              <dt>
                {texts.refused}: <RulesLink anchor={reason}>{texts.reasons[reason]}</RulesLink>{' '}
                <strong>{exact(count)}</strong>
              </dt>
              <dd class="soft">{texts.rules[reason]}</dd>
            </div>
          ))}
        </dl>
        <p>
          <RulesLink anchor="why-a-number-differs">{texts.allRules}</RulesLink>
        </p>
      </details>
    </div>
  );
}

/** To the rules, which are in English. In a tab of its own: a frame of another page may not show them. */
const RulesLink = ({ anchor, children }: { anchor: string; children: string }) => (
  <a href={`/docs/counting#${anchor}`} hreflang="en" target="_blank" rel="noopener">
    {children}
  </a>
);
