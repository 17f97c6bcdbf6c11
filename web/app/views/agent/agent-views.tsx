import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { endView, listViewGrants, type ViewGrant } from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';

const ASK_MS = 2000;
const MINUTE_MS = 60_000;
/** Nothing but views of the dashboard, whatever was asked for. */
const IS_VIEW = /^\/(?:sites|projects)\/[\w/-]+(?:\?[^\\]*)?$/;

interface AgentViewsProps {
  grant: ViewGrant;
  tab: string;
  onEnd: () => void;
}

/** What the tab shows for an agent: who changed what, undo, the minutes left, and the end of it. */
export function AgentViews({ grant, tab, onEnd }: AgentViewsProps) {
  const texts = peopleWords.agent;
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<{ sentAt: string; before: string } | undefined>();
  const { data } = useQuery({
    queryKey: ['view-grants', tab, shown?.sentAt],
    queryFn: ({ signal }) =>
      listViewGrants({ tab, ...(shown !== undefined && { shown: shown.sentAt }) }, signal),
    refetchInterval: ASK_MS,
    initialData: { data: [grant] },
    placeholderData: (previous) => previous,
  });
  const own = data?.data.find(({ id }) => id === grant.id);
  const view = own?.view;
  const left = Math.ceil((Date.parse(grant.expiresAt) - Date.now()) / MINUTE_MS);
  const handled = useRef('');
  useEffect(() => {
    if (!view || view.isShown || handled.current === view.sentAt) return;
    handled.current = view.sentAt;
    if (!IS_VIEW.test(view.path)) return;
    const before = window.location.pathname + window.location.search;
    navigate(view.path);
    setShown({ sentAt: view.sentAt, before });
  }, [view, navigate]);
  // Ended elsewhere, or over.
  const isOver = own === undefined || left <= 0;
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver, onEnd]);
  const end = useAction(() => endView({ viewGrantId: grant.id }), { onDone: onEnd });
  return (
    <div class="agent-band" role="status">
      <p>
        {shown === undefined
          ? texts.may(grant.name, left)
          : texts.changed(grant.name, time(shown.sentAt, 'hour', zoneHere()), left)}
      </p>
      <div class="buttons">
        {shown !== undefined && (
          <button
            type="button"
            class="button"
            onClick={() => {
              navigate(shown.before);
              setShown(undefined);
            }}
          >
            {texts.undo}
          </button>
        )}
        <button type="button" class="button" disabled={end.isPending} onClick={() => end.run()}>
          {texts.end}
        </button>
      </div>
    </div>
  );
}
