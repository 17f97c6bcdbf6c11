import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { words } from '../words/index.ts';
import { Menu } from './menu.tsx';

export interface ViewLinksProps<View extends string> {
  label: string;
  views: readonly View[];
  current: View;
  hrefOf: (view: View) => string;
  nameOf: (view: View) => string;
  /** As many have a link of their own; a menu has the others. Default: all. */
  shown?: number;
}

/** The ways to the other views of the same thing. On a phone they are wider than the page: the present one is scrolled into sight. */
export function ViewLinks<View extends string>({
  label,
  views,
  current,
  hrefOf,
  nameOf,
  shown = views.length,
}: ViewLinksProps<View>) {
  const others = views.slice(shown);
  const isOther = others.includes(current);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector(`[data-view="${current}"], .chosen`);
    if (!nav.current || !link) return;
    // `scrollIntoView` would let the next Tab go on from there.
    const [whole, part] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += part.left - whole.left - (whole.width - part.width) / 2;
  }, [current]);
  return (
    <nav ref={nav} class="views" aria-label={label}>
      <ul>
        {views.slice(0, shown).map((one) => (
          <li key={one}>
            <Link href={hrefOf(one)} data-view={one} aria-current={one === current ? 'page' : undefined}>
              {nameOf(one)}
            </Link>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            <Menu
              plain
              label={
                <span class={isOther ? 'chosen' : undefined}>
                  {isOther ? nameOf(current) : words.views.more}
                </span>
              }
              name={isOther ? `${words.views.more}: ${nameOf(current)}` : words.views.more}
            >
              {(close) =>
                others.map((one) => (
                  <Link
                    key={one}
                    href={hrefOf(one)}
                    aria-current={one === current ? 'page' : undefined}
                    onClick={close}
                  >
                    {nameOf(one)}
                  </Link>
                ))
              }
            </Menu>
          </li>
        )}
      </ul>
    </nav>
  );
}
