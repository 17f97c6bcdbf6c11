import { useEffect, useState } from 'preact/hooks';
import type { ViewGrant } from '../../api/operations.generated.ts';
import { AgentViews } from './agent-views.tsx';
import { AllowViewDialog } from './allow-view-dialog.tsx';

/** This tab, for as long as its page is there: a tab that was loaded anew is another one, and nobody may change it. */
const tab = crypto.randomUUID();

interface AgentBandProps {
  onEnd: () => void;
}

/** Lets an agent show views in this tab: first the person allows it, then the page says who changed what. */
export default function AgentBand({ onEnd }: AgentBandProps) {
  const [grant, setGrant] = useState<ViewGrant | undefined>();
  const id = grant?.id;
  useEffect(() => {
    if (id === undefined) return;
    // The answer comes when nobody waits for it any more.
    const leave = (): void => {
      fetch(`/api/v1/account/view-grants/${id}`, { method: 'DELETE', keepalive: true }).catch(() => {});
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [id]);
  return grant === undefined ? (
    <AllowViewDialog tab={tab} onClose={onEnd} onDone={setGrant} />
  ) : (
    <AgentViews grant={grant} tab={tab} onEnd={onEnd} />
  );
}
