/** The script's own element. Its attributes are the only settings. */
export const { dataset, src } = document.currentScript as HTMLScriptElement;

export const site = dataset.site;
