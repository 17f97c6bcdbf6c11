import type { Overview, ReportMeta } from '../../api/operations.generated.ts';
import { exact, percent } from '../../format.ts';
import { Icon } from '../../parts/icon.tsx';
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
  const { observed, dropped, measured } = meta.coverage;
  const names = words.figures;
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
        <ul aria-label={texts.label}>
          {parts.map(({ tier, name, count }) => (
            <li key={tier}>{texts.of(name, exact(count), percent(shares[tier - 1] ?? 0, 0))}</li>
          ))}
        </ul>
      )}
      {pageviews === 0 && <p class="soft">{words.empty.filtered}</p>}
      <details>
        <summary class="button plain tool" title={texts.why}>
          <Icon name="info" />
          <span class="unseen">{texts.why}</span>
        </summary>
        <p>{texts.reasonsText}</p>
        {measured !== undefined && measured !== visits && (
          <p>
            {names.bounceRate}, {names.avgDuration}: {texts.measured(exact(measured), exact(visits))}
          </p>
        )}
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
