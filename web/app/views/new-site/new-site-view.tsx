import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { createSite } from '../../api/operations.generated.ts';
import { zoneHere } from '../../format.ts';
import { CountrySelect } from '../../parts/country-select.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { hostOf } from '../../parts/host-of.ts';
import { PrivacyPreview } from '../../parts/privacy-preview.tsx';
import { SiteFields } from '../../parts/site-fields.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ZoneField } from '../../parts/zone-field.tsx';
import { useProjects } from '../../state/use-may-change.ts';
import { addingWords } from '../../words/adding.ts';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

const MAX_MONTHS = 25;

/** Adds a site, and leads to its snippet. */
export default function NewSiteView() {
  const texts = addingWords.adding;
  const [, navigate] = useLocation();
  const [site, setSite] = useState({ name: '', domain: '' });
  const [jurisdiction, setJurisdiction] = useState('');
  const [timezone, setTimezone] = useState(zoneHere);
  const [projectId, setProjectId] = useState('');
  const projects = useProjects();
  const own = projects.data?.data.filter(({ role }) => role !== 'viewer') ?? [];
  const { run, error, isPending } = useAction(
    () =>
      createSite({
        ...{
          name: site.name,
          domain: hostOf(site.domain),
          timezone,
          projectId: projectId || (own[0]?.id ?? ''),
        },
        ...(jurisdiction !== '' && { jurisdiction }),
      }),
    { changes: [['sites']], onDone: ({ data }) => navigate(`/sites/${data.id}/install`) },
  );
  useEffect(() => {
    document.title = `${words.sites.add} · ${words.product}`;
  }, []);
  return (
    <>
      <div class="heading">
        <h1>{words.sites.add}</h1>
      </div>
      {projects.error && <Failure error={projects.error} retry={projects.refetch} />}
      {projects.data && own.length === 0 && <p class="empty">{texts.noProject}</p>}
      {own.length > 0 && (
        <form
          class="card section"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <div class="beside">
            <div class="form">
              <SiteFields {...{ texts, ...site }} onChange={(changed) => setSite({ ...site, ...changed })} />
              <ZoneField texts={settingsWords.settings} zone={timezone} onZone={setTimezone} />
              {own.length > 1 && (
                <Field label={texts.project}>
                  <select
                    class="input"
                    name="projectId"
                    value={projectId || own[0]?.id}
                    onChange={({ currentTarget }) => setProjectId(currentTarget.value)}
                  >
                    {own.map((project) => (
                      <option key={project.id} value={project.id}>
                        {project.name}
                      </option>
                    ))}
                  </select>
                </Field>
              )}
            </div>
            <div class="form">
              <Field label={texts.jurisdiction} note={texts.jurisdictionNote}>
                <CountrySelect value={jurisdiction} none={texts.noJurisdiction} onChoose={setJurisdiction} />
              </Field>
              <PrivacyPreview
                heading="h2"
                policy={
                  jurisdiction === ''
                    ? null
                    : {
                        ...{ jurisdiction, consentMode: 'required', preConsentTier: 'counts' },
                        retentionMonths: MAX_MONTHS,
                      }
                }
              />
            </div>
          </div>
          {error && <Failure error={error} />}
          <p class="buttons">
            <button type="submit" class="button main" disabled={isPending}>
              {texts.submit}
            </button>
          </p>
        </form>
      )}
    </>
  );
}
