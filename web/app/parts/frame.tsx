import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { getSession, signOut } from '../api/operations.generated.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { LanguageChoices, ThemeChoices } from './preferences.tsx';

/** What is around every view: the way to the others, and the person. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  const { nav } = words;
  const sections = [
    ['/sites', nav.sites],
    ['/projects', nav.backends],
  ] as const;
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        <Link href="/sites" class="brand">
          {words.product}
        </Link>
        <nav aria-label={nav.label}>
          <ul>
            {sections.map(([href, name]) => (
              <li key={href}>
                <Link href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <PersonMenu />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function PersonMenu() {
  const { nav } = words;
  const { data } = useQuery({ queryKey: ['session'], queryFn: ({ signal }) => getSession({}, signal) });
  const leave = async (): Promise<void> => {
    await signOut({});
    window.location.assign('/');
  };
  return (
    <Menu plain name={nav.account} label={<Icon name="person" />}>
      {() => (
        <>
          {data && (
            <p>
              {data.data.name}, {data.data.email}
            </p>
          )}
          <a href="/security">{nav.security}</a>
          <hr />
          <LanguageChoices />
          <hr />
          <ThemeChoices />
          <hr />
          <button type="button" onClick={leave}>
            {nav.signOut}
          </button>
        </>
      )}
    </Menu>
  );
}
