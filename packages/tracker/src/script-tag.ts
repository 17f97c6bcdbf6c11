import { own } from './own.ts';

/** The script's own element. Its attributes are the only settings. */
export const { src, dataset } = own('currentScript') as HTMLScriptElement;

export const site = dataset.site;
