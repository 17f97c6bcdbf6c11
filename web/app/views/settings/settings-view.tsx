import type { Site } from '../../api/operations.generated.ts';
import { useMayChange } from '../../state/use-may-change.ts';
import { settingsWords } from '../../words/settings.ts';
import { SiteFrame } from '../site/site-frame.tsx';
import { DeletionSection } from './deletion-section.tsx';
import { ImportsSection } from './imports-section.tsx';
import { MailReportsSection } from './mail-reports-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { SharesSection } from './shares-section.tsx';
import { SiteSection } from './site-section.tsx';
import { VisitorSection } from './visitor-section.tsx';

/** What owners and admins set up for a site. Viewers see what is set. */
export default function SettingsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="settings">
      {(site) => <Settings key={site.id} site={site} />}
    </SiteFrame>
  );
}

function Settings({ site }: { site: Site }) {
  const mayChange = useMayChange(site.projectId);
  return (
    <div class="sections">
      {!mayChange && <p class="soft">{settingsWords.settings.readOnly}</p>}
      <SiteSection site={site} mayChange={mayChange} />
      <PrivacySection site={site} mayChange={mayChange} />
      <SharesSection site={site} mayChange={mayChange} />
      <MailReportsSection site={site} mayChange={mayChange} />
      <ImportsSection site={site} mayChange={mayChange} />
      {mayChange && <VisitorSection site={site} />}
      {mayChange && <DeletionSection site={site} />}
    </div>
  );
}
