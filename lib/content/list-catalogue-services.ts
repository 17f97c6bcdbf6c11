import type { Language } from '../languages.ts';
import type { ContentContext } from './content-context.ts';
import { itemOf } from './content-item.ts';
import type { ServicesOutput } from './schemas.ts';

/** The public services of a language, in catalogue order. */
export function listServices({ catalogue }: ContentContext, input: { language: Language }): ServicesOutput {
  const services = catalogue.list(input.language).filter(({ type }) => type === 'service');
  return { items: services.map(itemOf), language: input.language };
}
