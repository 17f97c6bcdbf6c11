import { useMemo } from 'preact/hooks';
import type { Site } from '../../api/operations.generated.ts';
import { SiteFrame } from '../site/site-frame.tsx';
import { sourceOfSite } from './alert-source.ts';
import { Alerts } from './alerts.tsx';

/** The alerts of a site. */
export default function SiteAlertsView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="alerts">
      {(site) => <SiteAlerts site={site} />}
    </SiteFrame>
  );
}

const SiteAlerts = ({ site }: { site: Site }) => (
  <Alerts source={useMemo(() => sourceOfSite(site), [site])} />
);
