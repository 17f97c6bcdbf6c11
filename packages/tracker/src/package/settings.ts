/** What `init` was told, in the words of the script's attributes. The core reads it when it begins. */
export let dataset: DOMStringMap = {};
export let src = '';

export const configure = (attributes: Record<string, string | undefined>, address: string): void => {
  dataset = attributes;
  src = address;
};
