import { useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError } from '../../api/operation.ts';
import { getShare, type SharedSite, unlockShare } from '../../api/operations.generated.ts';
import { ReaderProvider, shareReader } from '../../api/reader.ts';
import { Failure } from '../../parts/failure.tsx';
import { askedOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { SiteReports } from '../site/site-reports.tsx';
import { OverviewControls } from '../site/site-view.tsx';

/** A share: the site's page with what the share shows, for whoever has its link. */
export function ShareView({ secret }: { secret: string }) {
  const [token, setToken] = useState<string | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['share', secret, token],
    queryFn: ({ signal }) => getShare({ secret }, signal, token),
  });
  if (error instanceof ApiError && error.status === 401) return <Locked secret={secret} onOpen={setToken} />;
  if (error) return <Failure error={error} retry={refetch} />;
  return data === undefined ? (
    <p class="unseen">{words.loading}</p>
  ) : (
    <Open {...{ secret, token }} share={data.data} />
  );
}

function Open({ secret, token, share }: { secret: string; token: string | undefined; share: SharedSite }) {
  const { query } = useSiteQuery();
  const { site, reports } = share;
  const reader = useMemo(() => shareReader(secret, reports, token), [secret, reports, token]);
  const asked = useMemo(
    // Shares take no segments.
    () => askedOf(secret, { ...query, segment: undefined }, site.timezone, Date.now()),
    [secret, query, site.timezone],
  );
  useEffect(() => {
    document.title = `${site.name} · ${words.product}`;
  }, [site.name]);
  return (
    <ReaderProvider value={reader}>
      <div class="heading">
        <h1>{site.name}</h1>
        <span class="soft">{site.domain}</span>
        <div class="controls">
          <OverviewControls zone={site.timezone} />
        </div>
      </div>
      <SiteReports asked={asked} zone={site.timezone} />
    </ReaderProvider>
  );
}

/** Asks for the share's password. */
function Locked({ secret, onOpen }: { secret: string; onOpen: (token: string) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const texts = words.share;
  return (
    <form
      class="card locked form"
      onSubmit={async (event) => {
        event.preventDefault();
        try {
          const { data } = await unlockShare({ secret, password });
          onOpen(data.token);
        } catch (caught) {
          setError(caught);
        }
      }}
    >
      <h1>{texts.title}</h1>
      <p class="soft">{texts.text}</p>
      <label class="field">
        <span>{texts.password}</span>
        <input
          class="input"
          type="password"
          autocomplete="off"
          required
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </label>
      {error instanceof ApiError && error.status === 401 ? (
        <p class="down" role="alert">
          {texts.wrong}
        </p>
      ) : (
        error !== undefined && <Failure error={error} />
      )}
      <button type="submit" class="button main">
        {texts.open}
      </button>
    </form>
  );
}
