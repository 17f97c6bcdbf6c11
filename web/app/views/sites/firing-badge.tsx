import { Link } from 'wouter-preact';
import { compact } from '../../format.ts';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';

/** How many alerts of a site or an environment fire now. Nothing if none does. */
export const FiringBadge = ({ count, href }: { count: number; href: string }) =>
  count === 0 ? null : (
    <Link class="firing-badge" href={href} aria-label={words.nav.alerts(count, compact(count))}>
      <Icon name="bell" />
      {compact(count)}
    </Link>
  );
