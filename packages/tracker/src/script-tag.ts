import { own } from './own.ts';

/** The script's own element. Its attributes are the only settings. A module has no `currentScript`. */
const element: Pick<HTMLScriptElement, 'src' | 'dataset'> = (own('currentScript') as HTMLScriptElement) ??
  own('querySelector').call(document, 'script[type=module][data-site]') ?? { src: '', dataset: {} };

export const { src, dataset } = element;

/** The names of the attributes. */
export const attributes = Object.keys(dataset).join();

export const site = dataset.site;
