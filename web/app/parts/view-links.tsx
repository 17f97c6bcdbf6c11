import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';

interface ViewLinksProps<View extends string> {
  label: string;
  views: readonly View[];
  current: View;
  hrefOf: (view: View) => string;
  nameOf: (view: View) => string;
}

/** The ways to the other views of the same thing. On a phone they are wider than the page: the present one is scrolled into sight. */
export function ViewLinks<View extends string>({
  label,
  views,
  current,
  hrefOf,
  nameOf,
}: ViewLinksProps<View>) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector(`[data-view="${current}"]`);
    if (!nav.current || !link) return;
    // `scrollIntoView` would let the next Tab go on from there.
    const [whole, part] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += part.left - whole.left - (whole.width - part.width) / 2;
  }, [current]);
  return (
    <nav ref={nav} class="views" aria-label={label}>
      <ul>
        {views.map((one) => (
          <li key={one}>
            <Link href={hrefOf(one)} data-view={one} aria-current={one === current ? 'page' : undefined}>
              {nameOf(one)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
