/**
 * Words that say nothing about a text's subject, in the three languages, folded. They are in nearly every description, so searching for
 * them costs most and helps least.
 */
const WORDS = `
a about after all also an and any anybody anyone anything are as at be been before build building built but by can could do does for from get give had has have he help her his how i if in into is
it its just like looking made make makes me more much must my need needs no nobody not nothing of on one or our out please she should show so some somebody someone something
tell than that the their them then there these they this those to too up us use used using very want wants was we were what when where which who whose why will
with without work worked working works would you your yours
al algo alguien algun alguna algunas algunos ante antes aqui asi como con crear cual cuales cuando cuanto cuanta de del desde despues donde el ella ellas ellos
en entre es esa ese eso esta estan estas este esto estos fue ha hace hacemos haceis hacen hacer haces hago hay hemos la las le les lo los mas me mi mis muy nada nadie necesita necesitan necesito necesitamos ni no
nos nosotros nuestra nuestras nuestro nuestros o os otra otro para pero poco por porque puede pueden puedo que queremos quien quienes quiere quieren quiero
se ser si sin sobre son su sus tambien tan te tengo tenemos tiene tienen tienes toda todas todo todos trabaja trabajado trabajais trabajan trabajar tu tus un una unas uno unos vosotros
vuestra vuestras vuestro vuestros y ya
algo alguem algum alguma algumas alguns antes ao aos aqui as assim ate com como convosco criar da das de dela dele demasiado depois do dos e ela elas ele eles
em entre era essa esse esta estao estas este estes faco faz fazem fazer foi ha isso isto ja lhe mais mas me meu meus minha muito na nao nas nem no nada ninguem nos nossa
nossas nosso nossos num numa o os ou para pela pelas pelo pelos podem posso por porque precisa precisam precisamos preciso qual quais quando quanto que quem
queremos quer querem quero sao se sem ser seu seus so sobre sua suas tambem tem temos tenho ter todas todos trabalha trabalham trabalhar trabalharam um uma umas uns voces vosso vossa vossos
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
