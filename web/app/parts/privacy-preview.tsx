import { decideTier, type TierQuestion } from '../../../lib/privacy/tier.ts';
import type { PrivacyPolicy } from '../api/operations.generated.ts';
import { settingsWords } from '../words/settings.ts';

type Who = keyof typeof settingsWords.privacy.who;

const NOBODY_SPECIAL = { consent: undefined, gpc: false, dnt: false, country: undefined } as const;

/** Visitors, as the service tells them apart. */
const VISITORS: Record<Who, Omit<TierQuestion, 'policy'>> = {
  agreed: { ...NOBODY_SPECIAL, consent: 'granted' },
  unasked: { ...NOBODY_SPECIAL, country: 'US' },
  silent: NOBODY_SPECIAL,
  refused: { ...NOBODY_SPECIAL, consent: 'denied' },
  dnt: { ...NOBODY_SPECIAL, consent: 'granted', dnt: true },
  gpc: { ...NOBODY_SPECIAL, consent: 'granted', gpc: true },
};

/** What is collected of whom under a policy, by the rule that the service itself applies. */
interface PrivacyPreviewProps {
  policy: PrivacyPolicy | null;
  /** The rank of its heading below that of what it stands in. */
  heading?: 'h2' | 'h3';
}

export function PrivacyPreview({ policy, heading: Heading = 'h3' }: PrivacyPreviewProps) {
  const texts = settingsWords.privacy;
  const shown = (Object.keys(VISITORS) as Who[]).filter(
    (who) => who !== 'unasked' || policy?.consentMode === 'regional',
  );
  return (
    <section class="preview" aria-label={texts.preview}>
      <Heading>{texts.preview}</Heading>
      {policy === null && <p>{texts.unset}</p>}
      <dl>
        {shown.map((who) => {
          const { maxTier } = decideTier({ policy, ...VISITORS[who] });
          return (
            <div key={who} class={`tier-${maxTier}`}>
              <dt>{texts.who[who]}</dt>
              <dd>{texts.tiers[maxTier]}</dd>
            </div>
          );
        })}
      </dl>
      {policy && <p class="soft">{texts.kept(policy.retentionMonths)}</p>}
    </section>
  );
}
