import { Link } from 'wouter-preact';
import { Icon, type IconName } from './icon.tsx';

interface ToolProps {
  icon: IconName;
  /** What it does, for those who don't see the drawing, and at the pointer. */
  name: string;
  /** Of a tool that shows something until it is pressed again. */
  isPressed?: boolean;
  onClick: () => void;
}

/** A button that is a drawing alone. */
export const Tool = ({ icon, name, isPressed, onClick }: ToolProps) => (
  <button
    type="button"
    class="button plain tool"
    title={name}
    aria-label={name}
    aria-pressed={isPressed}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);

interface ToolLinkProps {
  icon: IconName;
  href: string;
  /** Where it leads, at the pointer. */
  title: string;
  /** The same for those who don't see what is around it. Default: the title. */
  name?: string;
}

/** A link that is a drawing alone. */
export const ToolLink = ({ icon, href, title, name = title }: ToolLinkProps) => (
  <Link class="button plain tool" href={href} title={title} aria-label={name}>
    <Icon name={icon} />
  </Link>
);
