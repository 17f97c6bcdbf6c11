import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { changeSite, type Site } from '../../api/operations.generated.ts';
import { count } from '../../format.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { hostOf } from '../../parts/host-of.ts';
import { Section } from '../../parts/section.tsx';
import { SiteFields } from '../../parts/site-fields.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ZoneField } from '../../parts/zone-field.tsx';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(hostOf);

const formOf = ({ name, domain, domains, timezone, resumming }: Site) => ({
  ...{ name, domain, domains: domains.join('\n') },
  timezone: resumming?.timezone ?? timezone,
});

/** How far the site's days are summed again after a change of its time zone. */
function Resumming({ timezone, done, of }: NonNullable<Site['resumming']>) {
  const text = settingsWords.settings.resumming(timezone, count(done), count(of));
  return (
    <p role="status">
      <progress aria-label={text} max={of} value={done} />
      <span class="soft">{text}</span>
    </p>
  );
}

/** The name and the domains, the time zone, and the snippet. */
export function SiteSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = settingsWords.settings;
  const saved = formOf(site);
  const [form, setForm] = useState(saved);
  const [isSaved, setSaved] = useState(false);
  const { name, domain, domains, timezone } = form;
  const { run, error, isPending } = useAction(
    () =>
      changeSite({
        ...{ siteId: site.id, name, domain: hostOf(domain), domains: hostsIn(domains) },
        ...(timezone !== saved.timezone && { timezone }),
      }),
    {
      // Reports are asked again in the new zone.
      changes: timezone === saved.timezone ? [['site', site.id], ['sites']] : [[]],
      onDone: ({ data }) => {
        setForm(formOf(data));
        setSaved(true);
      },
    },
  );
  const change = (changed: Partial<typeof form>) => {
    setForm({ ...form, ...changed });
    setSaved(false);
  };
  const isSame = Object.entries(saved).every(([field, value]) => form[field as keyof typeof form] === value);
  return (
    <Section title={texts.site}>
      {mayChange && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <SiteFields {...{ texts, name, domain }} onChange={change} />
          <Field label={texts.domains} note={texts.domainsNote}>
            <textarea
              class="input"
              name="domains"
              autocapitalize="none"
              spellcheck={false}
              value={domains}
              onInput={({ currentTarget }) => change({ domains: currentTarget.value })}
            />
          </Field>
          <ZoneField texts={texts} zone={timezone} onZone={(zone) => change({ timezone: zone })} />
          {error && <Failure error={error} />}
          <p class="buttons">
            <button type="submit" class="button" disabled={isPending || isSame}>
              {words.save}
            </button>
            <span role="status">{isSaved && texts.saved}</span>
          </p>
        </form>
      )}
      {!mayChange && (
        <dl class="facts">
          <dt>{texts.domain}</dt>
          <dd>{[site.domain, ...site.domains].join(', ')}</dd>
          <dt>{texts.timezone}</dt>
          <dd>{site.timezone}</dd>
        </dl>
      )}
      {site.resumming && <Resumming {...site.resumming} />}
      <h3>{texts.snippet}</h3>
      <p class="soft">{texts.snippetText}</p>
      <CopyText text={site.snippet} label={texts.snippet} />
      <Link href={`/sites/${site.id}/install`}>{texts.toInstall}</Link>
    </Section>
  );
}
