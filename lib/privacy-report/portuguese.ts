import { BROWSER_STORAGE, IGNORE_KEY, RAW_HOURS, SALT_HOURS } from './facts.ts';
import type { Wording } from './wording.ts';

const [{ key, days }] = BROWSER_STORAGE;
const territories =
  'no Espaço Económico Europeu, no Reino Unido, em Gibraltar, nas Ilhas do Canal, na Ilha de Man ou na Suíça';
const months = (n: number) => (n === 1 ? 'um mês' : `${n} meses`);

/** European Portuguese. */
export const portuguese: Wording = {
  heading: 'Estatísticas de utilização deste sítio Web',
  intro: (domain) =>
    `Medimos a utilização de ${domain} para saber que páginas são lidas, como se chega até elas e o que não funciona bem. Os números ` +
    'dizem respeito apenas a este sítio: as visitas não são relacionadas com as de outros sítios e nada disto serve para publicidade. ' +
    'O que é recolhido depende da sua escolha e do que o seu navegador pedir.',
  tiers: {
    0: {
      name: 'Nada',
      why: 'Não é guardado nada sobre si nem sobre a sua visita. Quando muito, conta-se que algo foi recusado e porquê; com Global Privacy Control, nem isso.',
    },
    1: {
      name: 'Contagem anónima',
      why: 'Nada do que é guardado distingue um visitante de outro, pelo que não pode conduzir a nenhuma pessoa.',
    },
    2: {
      name: 'Sessões anónimas',
      why:
        'As visitas de um mesmo dia são agrupadas por um código, calculado a partir do endereço IP e do nome do navegador com uma ' +
        'chave aleatória. Enquanto a chave existir, o código pode ser calculado de novo e é, por isso, um dado pessoal. A chave é ' +
        `apagada depois da meia-noite (UTC) e, o mais tardar, ${SALT_HOURS} horas após o início do respetivo dia. A partir daí ninguém consegue ` +
        'saber de quem era o código, nem relacioná-lo com outro dia.',
    },
    3: {
      name: 'Análise com consentimento',
      why: `Um identificador aleatório no seu navegador mostra, durante ${days} dias no máximo, que várias visitas vêm do mesmo navegador. É um dado pessoal, embora o seu nome não seja conhecido.`,
    },
  },
  facts: {
    refusal: {
      what: 'Que um evento foi recusado, quando e porquê',
      purpose: 'Ver quanto é posto de parte, por exemplo de robôs',
    },
    eventId: { what: 'Um número aleatório por evento', purpose: 'Contar uma só vez o que chega duas vezes' },
    minute: { what: 'Hora, ao minuto', purpose: 'Mostrar a utilização ao longo do tempo' },
    moment: { what: 'Hora, ao milissegundo', purpose: 'Manter a ordem dos eventos' },
    page: { what: 'Página: domínio e caminho, sem os parâmetros', purpose: 'Saber que páginas são lidas' },
    arrival: { what: 'Sítio ou campanha de proveniência', purpose: 'Saber como se chega ao sítio' },
    country: { what: 'País', purpose: 'Saber de onde é lido' },
    device: {
      what: 'Tipo de dispositivo e nome do navegador',
      purpose: 'Que o sítio funcione no que as pessoas usam',
    },
    customEvents: {
      what: 'Ações que o sítio comunica, como uma encomenda, e os seus pormenores',
      purpose: 'Saber se o sítio cumpre a sua função',
    },
    totals: { what: 'Somas por hora e por dia', purpose: 'Apresentar os relatórios' },
    unstored: {
      what: 'Mensagens que não puderam ser guardadas, tal como chegaram',
      purpose: 'Corrigir a falha',
    },
    order: {
      what: 'Que páginas formam uma visita, por que ordem e quando',
      purpose: 'Perceber como se percorre o sítio',
    },
    repeat: {
      what: 'Que a mesma página comunicou outra vez uma ação, por um código da página vista e da ação',
      purpose: 'Contar uma ação uma vez por página',
    },
    dayHash: {
      what: 'Um código que muda todos os dias',
      purpose: 'Distinguir visitas de páginas vistas e contar os visitantes do dia',
    },
    place: { what: 'Região e cidade', purpose: 'Saber de onde é lido' },
    language: { what: 'Língua do navegador', purpose: 'Saber que línguas fazem falta' },
    title: { what: 'Título da página', purpose: 'Verificar o que foi contado' },
    screen: { what: 'Tamanho do ecrã', purpose: 'Verificar o que foi contado' },
    visitorId: { what: 'Um identificador aleatório do navegador', purpose: 'Reconhecer quem volta' },
    consent: {
      what: 'Que o consentimento foi dado a meio de uma visita, e em que página',
      purpose: 'Contar essa visita uma só vez e perceber como se percorre o sítio',
    },
    system: { what: 'Sistema operativo', purpose: 'Que o sítio funcione no que as pessoas usam' },
    attention: {
      what: 'Quanto tempo se olha para uma página e até onde',
      purpose: 'Saber o que é realmente lido',
    },
    vitals: { what: 'Com que rapidez a página aparece e responde', purpose: 'Tornar o sítio mais rápido' },
    trace: {
      what: 'Que pedidos uma página fez aos nossos próprios servidores, pelo seu número, e o seu resultado',
      purpose: 'Encontrar falhas',
    },
  },
  kept: {
    raw: `${RAW_HOURS} horas após o fim do dia`,
    unstored: 'Até serem guardadas ou apagadas, no máximo o mesmo que as visitas',
    visits: (n) => (n === null ? 'Até o sítio ser retirado' : months(n)),
  },
  applies: {
    gpc: 'O seu navegador envia Global Privacy Control. Nesse caso não é recolhido nada, mesmo que aceite.',
    dnt: 'O seu navegador envia Do Not Track. Nesse caso não é recolhido mais do que isto, mesmo que aceite.',
    withoutConsent: {
      required: 'Não aceitou, ou recusou.',
      regional: `Recusou; ou não respondeu e encontra-se ${territories}, ou o seu país não é conhecido.`,
      nobody: 'Recusou.',
    },
    withConsent: {
      required: 'Aceitou.',
      regional: `Aceitou; ou não se encontra ${territories} e não recusou.`,
      nobody: 'Não recusou. Este sítio não pergunta antes.',
    },
    withoutStorage: 'Seria permitido mais, mas o seu navegador não guarda nada ou a página foi logo fechada.',
    withoutSalt: 'Seria permitido mais, mas a chave do dia não está disponível nesse momento.',
  },
  sections: {
    who: 'O que se aplica a quem',
    what: 'O que é guardado',
    table: { what: 'Dado', purpose: 'Para quê', kept: 'Durante quanto tempo' },
    never: {
      heading: 'O que nunca é guardado',
      text:
        'O endereço IP e a identificação completa do navegador vêm com cada pedido. São lidos enquanto se lhe responde, para determinar o país, ' +
        'a região e a cidade, o tipo de dispositivo e o código do dia, afastar robôs e limitar abusos, e não são guardados. Também não é guardado ' +
        'o resto do endereço da página, nem da página de onde se vem.',
    },
    personal: 'O que são dados pessoais',
    ownData: 'As ações que o sítio comunica e os endereços das páginas contêm o que nós lá pomos.',
    browser: {
      heading: 'Cookies e armazenamento no seu navegador',
      below:
        `Não são usados cookies. Se pedir para não ser contado, \`${IGNORE_KEY}\` é guardado no seu navegador para o lembrar; a página pode ` +
        'procurá-lo. Sem a análise com consentimento, nada mais é guardado no seu navegador nem lido do seu armazenamento.',
      consented:
        `Com ela, \`${key}\` é guardado no armazenamento local deste sítio: o identificador aleatório, a data em que termina e se o ` +
        `consentimento foi dado a meio de uma visita. Termina ${days} dias depois de criado, e a utilização não o prolonga.`,
    },
    choices: {
      heading: 'O que pode escolher',
      items: [
        '**Global Privacy Control** no seu navegador impede toda a recolha.',
        '**Do Not Track** no seu navegador limita-a à contagem anónima, e nada é guardado no seu navegador.',
      ],
      withdrawal:
        'O **consentimento** pode ser recusado ou retirado a qualquer momento. O que estiver guardado no seu navegador é então logo apagado.',
    },
    keeping: {
      heading: 'Durante quanto tempo é conservado',
      items: (n) => [
        `Os eventos isolados: até ${RAW_HOURS} horas após o fim do respetivo dia (UTC).`,
        n === null
          ? 'As visitas e as somas que delas se fazem: até este sítio ser retirado das estatísticas.'
          : `As visitas e as somas que delas se fazem: ${months(n)}; são apagadas diariamente.`,
        `A chave aleatória de um dia: até depois da meia-noite (UTC), no máximo ${SALT_HOURS} horas a contar do início do dia.`,
        'As mensagens que não puderam ser guardadas: até serem guardadas ou apagadas, no máximo o mesmo que as visitas.',
        'As listas de páginas, nomes de ações, lugares, dispositivos e sítios de proveniência, que não dizem de quem eram: até este sítio ser retirado.',
      ],
    },
    processors: {
      heading: 'Quem os trata',
      text:
        'Por nossa conta: o prestador do serviço de estatísticas e as empresas a que este recorre, a saber, um prestador de rede e ' +
        'computação, que recebe os pedidos com o seu endereço IP; um prestador de bases de dados, que guarda o que aqui se enumera; e um ' +
        'prestador de armazenamento breve, que conserva a chave do dia e os contadores contra abusos. [Indicar nomes e países.]',
    },
    rights: {
      heading: 'Os seus direitos',
      text:
        'As visitas recolhidas com consentimento podem ser encontradas pelo identificador do seu navegador, que é a primeira parte de ' +
        `\`${key}\`. Quem nos enviar esse identificador pode saber tudo o que está guardado com ele, ou pedir que seja apagado. Sem ele não conseguimos saber que visitas ` +
        'foram suas.',
    },
  },
};
