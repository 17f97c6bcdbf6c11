import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Segment, Site } from '../../api/operations.generated.ts';
import { Menu } from '../../parts/menu.tsx';
import { useMayChange } from '../../state/use-may-change.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { SegmentDialog } from './dialogs.tsx';
import { useSegments } from './use-segments.ts';

/** Filters under a name: choosing one, keeping those of the page, changing what the person may change. */
export function SegmentMenu({ site }: { site: Site }) {
  const { query, hrefOf } = useSiteQuery();
  const { data } = useSegments(site.id);
  const mayShare = useMayChange(site.projectId);
  const [edited, setEdited] = useState<Segment | 'new' | undefined>();
  const texts = words.segments;
  const segments = data?.data ?? [];
  const chosen = segments.find(({ id }) => id === query.segment);
  const label = chosen?.name ?? (query.segment !== undefined && data ? texts.unknown : texts.label);
  const hasFilters = query.filters.length > 0;
  if (segments.length === 0 && !hasFilters && query.segment === undefined) return null;
  return (
    <>
      <Menu plain name={label === texts.label ? texts.label : `${texts.label}: ${label}`} label={label}>
        {(close) => (
          <>
            <Link
              href={hrefOf({ ...query, segment: undefined })}
              aria-current={query.segment === undefined ? 'true' : undefined}
              onClick={close}
            >
              {texts.none}
            </Link>
            {[false, true].map((shared) => {
              const some = segments.filter((one) => one.shared === shared);
              if (some.length === 0) return null;
              return [
                <p key={String(shared)}>{shared ? texts.shared : texts.own}</p>,
                ...some.map(({ id, name }) => (
                  <Link
                    key={id}
                    href={hrefOf({ ...query, segment: id })}
                    aria-current={id === query.segment ? 'true' : undefined}
                    onClick={close}
                  >
                    {name}
                  </Link>
                )),
              ];
            })}
            <hr />
            {chosen && (mayShare || !chosen.shared) && (
              <button
                type="button"
                onClick={() => {
                  close();
                  setEdited(chosen);
                }}
              >
                {texts.change}
              </button>
            )}
            {hasFilters ? (
              <button
                type="button"
                onClick={() => {
                  close();
                  setEdited('new');
                }}
              >
                {texts.save}
              </button>
            ) : (
              <p>{texts.hint}</p>
            )}
          </>
        )}
      </Menu>
      {edited && (
        <SegmentDialog
          {...{ site, mayShare }}
          segment={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
