import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { compact } from '../format.ts';
import { lazyView } from '../lazy-view.tsx';
import { useFiring } from '../state/use-firing.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

const FiringList = lazyView(() => import('../views/alerts/firing-list.tsx'), 'alerts');

/** How many alerts fire now, of everything that the person sees; a click lists them. */
export function Bell() {
  const [wasOpened, setOpened] = useState(false);
  const { data } = useFiring();
  const total = data?.meta.total ?? 0;
  return (
    <Menu
      plain
      bare
      wide
      name={words.nav.alerts(total, compact(total))}
      label={
        <>
          <Icon name="bell" />
          {total > 0 && <span class="bell-count">{compact(total)}</span>}
        </>
      }
      onOpen={() => setOpened(true)}
    >
      {(close) =>
        wasOpened &&
        data && (
          <Suspense fallback={<p>{words.loading}</p>}>
            <FiringList alerts={data} onFollow={close} />
          </Suspense>
        )
      }
    </Menu>
  );
}
