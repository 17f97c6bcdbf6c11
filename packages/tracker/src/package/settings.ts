/** The settings passed to `init`, in the form of the script's attributes. The core reads them when it starts. */
export let dataset: DOMStringMap = {};
export let src = '';

export const configure = (attributes: DOMStringMap, address: string): void => {
  dataset = attributes;
  src = address;
};
