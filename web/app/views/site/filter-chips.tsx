import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Icon } from '../../parts/icon.tsx';
import { type Filter, withoutFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { FilterDialog } from './dialogs.tsx';
import { leavesOut, nameOf, textOf, valuesOf } from './filter-text.ts';

/** The filters of the page. Each says whom it leaves out, and can be changed. */
export function FilterChips() {
  const { query, hrefOf } = useSiteQuery();
  const [edited, setEdited] = useState<Filter | undefined>();
  const texts = words.filters;
  if (query.filters.length === 0) return null;
  return (
    <ul class="chips" aria-label={texts.label}>
      {query.filters.map((filter) => {
        const { dimension, operator } = filter;
        const name = nameOf(dimension);
        return (
          <li key={dimension} class="chip">
            <button
              type="button"
              title={leavesOut(dimension)}
              aria-label={`${texts.edit(name)}: ${textOf(filter)}`}
              onClick={() => setEdited(filter)}
            >
              <span class="soft">
                {name} {texts.operators[operator]}
              </span>{' '}
              {valuesOf(filter)}
            </button>
            <Link href={hrefOf(withoutFilter(query, dimension))} aria-label={texts.remove(name)}>
              <Icon name="close" />
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={hrefOf({ ...query, filters: [] })} class="button plain">
          {texts.clear}
        </Link>
      </li>
      {edited && <FilterDialog filter={edited} onClose={() => setEdited(undefined)} />}
    </ul>
  );
}
