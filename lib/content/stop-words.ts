/**
 * Words that say nothing about a text's subject, in the three languages, folded. They are in nearly every description, so searching for
 * them costs most and helps least.
 */
const WORDS = `
a about all also an and any are as at be been but by can could do does for from get give had has have he help her his how i if in into is
it its just like looking me more much must my need no not of on one or our out please she should show so some somebody someone something
tell than that the their them then there these they this those to too up us use used using very want was we were what when where which who whose why will
with without would you your yours
al algo alguien algun alguna algunas algunos ante aqui asi como con cual cuales cuando cuanto cuanta de del desde donde el ella ellas ellos
en entre es esa ese eso esta estan estas este esto estos fue ha hay hemos la las le les lo los mas me mi mis muy necesito necesitamos ni no
nos nosotros nuestra nuestras nuestro nuestros o os otra otro para pero poco por porque puede pueden puedo que queremos quien quienes quiero
se ser si sin sobre son su sus tambien tan te tengo tenemos tiene tienen tienes toda todas todo todos tu tus un una unas uno unos vosotros
vuestra vuestras vuestro vuestros y ya
algo alguem algum alguma algumas alguns ao aos aqui as assim ate com como convosco da das de dela dele demasiado do dos e ela elas ele eles
em entre era essa esse esta estao estas este estes fazem foi ha isso isto ja lhe mais mas me meu meus minha muito na nao nas nem no nos nossa
nossas nosso nossos num numa o os ou para pela pelas pelo pelos podem posso por porque precisamos preciso qual quais quando quanto que quem
queremos quero sao se sem ser seu seus so sobre sua suas tambem tem temos tenho ter todas todos um uma umas uns voces vosso vossa vossos
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);
