/** The same function, which never throws: nothing of the tracker throws into the page. Each function that the page or browser calls is one. */
export const safe =
  <Given extends unknown[], Result>(run: (...given: Given) => Result) =>
  (...given: Given): Result | undefined => {
    try {
      return run(...given);
    } catch {
      return undefined;
    }
  };
