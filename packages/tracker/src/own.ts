/**
 * A property of the document as the browser has it. On `document` itself an element of the page's content with that name comes first:
 * `document.currentScript` may be `<img name="currentScript">`. The same holds for the functions of `window`.
 */
export const own = <Name extends keyof Document>(name: Name): Document[Name] =>
  Reflect.get(Document.prototype, name, document);
