import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { mayBeRegional } from '../../../../lib/privacy/territories.ts';
import {
  getPrivacyReport,
  type PrivacyPolicy,
  replacePrivacy,
  type Site,
} from '../../api/operations.generated.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { CountrySelect } from '../../parts/country-select.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { PrivacyPreview } from '../../parts/privacy-preview.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { language, words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

const MAX_MONTHS = 25;

/** The form's first state while no policy is saved: what a new site with a country starts with. */
const SUGGESTED = {
  jurisdiction: '',
  consentMode: 'required',
  preConsentTier: 'counts',
  retentionMonths: MAX_MONTHS,
} as const;

/** The privacy policy, with what it means for visitors beside it. */
export function PrivacySection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = settingsWords.privacy;
  const [draft, setDraft] = useState<PrivacyPolicy>(site.privacy ?? SUGGESTED);
  const [isTouched, setTouched] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const { run, error, isPending } = useAction(() => replacePrivacy({ siteId: site.id, ...draft }), {
    changes: [['site', site.id], ['sites'], ['privacy-report', site.id]],
    onDone: () => {
      setSaved(true);
      setTouched(false);
    },
  });
  const isRegionalAllowed = draft.jurisdiction !== '' && mayBeRegional(draft.jurisdiction);
  const change = (part: Partial<PrivacyPolicy>): void => {
    const next = { ...draft, ...part };
    const mayStay = next.jurisdiction !== '' && mayBeRegional(next.jurisdiction);
    setDraft(mayStay ? next : { ...next, consentMode: 'required' });
    setTouched(true);
    setSaved(false);
  };
  const modes = ['required', 'regional'] as const;
  const befores = ['off', 'counts', 'sessions'] as const;
  return (
    <Section title={texts.title}>
      <div class="beside">
        {mayChange && (
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              run();
            }}
          >
            <Field label={texts.jurisdiction} note={texts.jurisdictionNote}>
              <CountrySelect
                value={draft.jurisdiction}
                onChoose={(jurisdiction) => change({ jurisdiction })}
              />
            </Field>
            <RadioChoices
              label={texts.mode}
              name="consentMode"
              value={draft.consentMode}
              choices={modes.map((value) => {
                const disabled = value === 'regional' && !isRegionalAllowed;
                const note = disabled ? texts.modeNotes.notAllowed : texts.modeNotes[value];
                return { value, label: texts.modes[value], note, disabled };
              })}
              onChoose={(consentMode) => change({ consentMode })}
            />
            <RadioChoices
              label={texts.before}
              name="preConsentTier"
              value={draft.preConsentTier}
              choices={befores.map((value) => ({
                value,
                label: texts.befores[value],
                note: texts.beforeNotes[value],
              }))}
              onChoose={(preConsentTier) => change({ preConsentTier })}
            />
            <Field label={texts.months}>
              <input
                class="input"
                name="retentionMonths"
                type="number"
                required
                min={1}
                max={MAX_MONTHS}
                value={draft.retentionMonths}
                onInput={({ currentTarget }) => change({ retentionMonths: currentTarget.valueAsNumber })}
              />
            </Field>
            {error && <Failure error={error} />}
            <p class="buttons">
              <button type="submit" class="button main" disabled={isPending || !isTouched}>
                {words.save}
              </button>
              <span role="status">{isSaved && settingsWords.settings.saved}</span>
            </p>
            <p class="soft small">{texts.effect}</p>
          </form>
        )}
        <PrivacyPreview policy={isTouched ? draft : site.privacy} />
      </div>
      <Notice siteId={site.id} />
    </Section>
  );
}

/** The text for the site's own privacy notice, which the service writes from what it stores. */
function Notice({ siteId }: { siteId: string }) {
  const texts = settingsWords.privacy;
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['privacy-report', siteId, language],
    queryFn: ({ signal }) => getPrivacyReport({ siteId, language }, signal),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.notice}</summary>
      <p class="soft">{texts.noticeText}</p>
      {error && <Failure error={error} retry={refetch} />}
      {data && <CopyText text={data.data.text} label={texts.notice} />}
    </details>
  );
}
