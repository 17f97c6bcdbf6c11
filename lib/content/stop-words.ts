/**
 * Words that say nothing about a text's subject, in the three languages, folded. They are in nearly every description, so searching for
 * them costs most and helps least.
 */
const WORDS = `
a about an and are as at be but by can do does for from has have how i if in into is it its my not of on or our so that
the their them then there they this to was we what when where which who why will with you your
al como con cual cuando de del desde donde el ella ellos en es esta este la las lo los mas me mi muy no o para pero por
porque que se si sin sobre su sus un una unas uno unos y ya
ao aos as com da das do dos e em essa esse isso mais mas na nas nem num numa os ou pela pelo qual quando quem sao sem seu
seus sua suas tem uma umas uns
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
